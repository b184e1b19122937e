/** The catalogue: every text of the page by its key, `{name}` where something is filled in. */
import shared from '../../../src/overtrick/texts/en/review.json';
import analysis from './en/analysis.json';
import cards from './en/cards.json';
import coinche from './en/coinche.json';
import common from './en/common.json';
import hearts from './en/hearts.json';
import hokm from './en/hokm.json';
import reviewed from './en/reviewed.json';
import sheephead from './en/sheephead.json';
import snapszer from './en/snapszer.json';
import statistics from './en/statistics.json';

const english = {
  ...cards,
  ...common,
  ...analysis,
  ...reviewed,
  ...statistics,
  ...shared,
  ...coinche,
  ...hearts,
  ...hokm,
  ...sheephead,
  ...snapszer,
};
export type TextKey = keyof typeof english;
const catalogue: Readonly<Record<string, string>> = english;

/** The text of a key; a key that is missing shows itself, so that it is found. */
export function t(key: TextKey, args: Readonly<Record<string, string | number>> = {}): string {
  return tell(key, args);
}

/** As `t`, for keys that come over the wire. A text may have a form `key.one` for a `count` of 1. */
export function tell(key: string, args: Readonly<Record<string, string | number>> = {}): string {
  const one = args.count === 1 ? catalogue[`${key}.one`] : undefined;
  const text = one ?? catalogue[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(args[name] ?? whole));
}

/** The text of a key, or the other one where the catalogue has none. */
export function tellOr(key: string, otherwise: string): string {
  return catalogue[key] ?? otherwise;
}

/**
 * The language of a text that is not in the language of the page; null for all others.
 *
 * It stands in the catalogue under the beginning of the key: `hokm.said.lang` holds for every
 * `hokm.said.…`, `hokm.said.trump.lang` for that text alone.
 */
export function languageOf(key: string): string | null {
  const parts = key.split('.');
  for (let length = parts.length; length > 0; length--) {
    const language = catalogue[`${parts.slice(0, length).join('.')}.lang`];
    if (language) return language;
  }
  return null;
}

/** Which way a language is written. */
export function directionOf(language: string | null | undefined): 'ltr' | 'rtl' {
  return ['fa', 'ar', 'he', 'ur'].includes((language ?? '').slice(0, 2)) ? 'rtl' : 'ltr';
}

/** A remark as a sentence: with a capital letter and a full stop. */
export function asSentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
