// @vitest-environment node
import { expect, test } from 'vitest';
import shared from '../../../src/overtrick/texts/en/review.json';
import { asSentence, directionOf, languageOf, t, tell } from '.';
import analysis from './en/analysis.json';
import common from './en/common.json';
import reviewed from './en/reviewed.json';
import statistics from './en/statistics.json';

const SOURCES: Record<string, string> = import.meta.glob(
  ['../**/*.ts', '../**/*.tsx', '!../**/*.test.*', '!../wire/generated.ts'],
  { query: '?raw', import: 'default', eager: true },
);
const source = Object.values(SOURCES).join('\n');

/** Beginnings of keys that are put together at run time. */
const COMPOSED = [...source.matchAll(/tell(?:Or)?\(\s*`([a-z-]+\.(?:[\w-]+\.)*)\$\{/g)].map(
  ([, beginning]) => beginning ?? '',
);
const OVER_THE_WIRE = ['why.', ...beginnings(shared)];
const OWN = { ...common, ...analysis, ...reviewed, ...statistics, ...shared };
const FORMS = /\.(one|you|lang)$/;

test('every text that the page asks for is in the catalogue', () => {
  const asked = [...source.matchAll(/\bt\(\s*'([\w.-]+)'/g)].map(([, key]) => key ?? '');
  expect(asked.length).toBeGreaterThan(150);
  expect(asked.filter((key) => tell(key) === key)).toEqual([]);
});

test('every text of the catalogue is used', () => {
  const unused = Object.keys(OWN).filter((key) => {
    const names = [key, key.replace(FORMS, '')];
    const begins = [...COMPOSED, ...OVER_THE_WIRE].some((part) => key.startsWith(part));
    return !begins && !names.some((name) => source.includes(`'${name}'`));
  });
  expect(unused).toEqual([]);
});

test('what is filled in stands in the text', () => {
  expect(t('seats.partner', { name: 'North' })).toBe('North, your partner');
});

test('one thing has its own form', () => {
  expect(t('seat.tricks', { count: 1 })).toBe('1 trick');
  expect(t('seat.tricks', { count: 2 })).toBe('2 tricks');
});

test('a missing key shows itself', () => {
  expect(tell('no.such.key')).toBe('no.such.key');
});

test('what is said aloud is in the language of its game', () => {
  expect(languageOf('page.name')).toBeNull();
  expect(directionOf('fa')).toBe('rtl');
  expect(directionOf('hu')).toBe('ltr');
});

test('a remark becomes a sentence', () => {
  expect(asSentence('points are bad')).toBe('Points are bad.');
});

/** The first words of the keys of a catalogue. */
function beginnings(catalogue: object): readonly string[] {
  return [...new Set(Object.keys(catalogue).map((key) => `${key.split('.')[0]}.`))];
}
