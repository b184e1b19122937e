/** What a person likes: kept by the service, with a copy in the browser. */
import type { Settings } from '../wire';

/** What only this browser is asked to remember. */
export interface LocalSettings {
  readonly scheme: 'auto' | 'light' | 'dark';
  /** Whether letters and digits do something at the table. */
  readonly letters: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  deck: 'two-colour',
  snapszer_deck: 'hungarian',
  speed: 'normal',
  sound: true,
  forced: false,
  captured: false,
  bubbles: true,
  language: 'en',
  hints: true,
  analysis: false,
  analysis_sims: 200,
  analysis_worlds: 30,
  name: '',
  last: {},
};

export const DEFAULT_LOCAL: LocalSettings = { scheme: 'auto', letters: true };

/** Defaults with whatever of `kept` has a known name and the right kind of value. */
export function merged<T extends object>(defaults: T, kept: unknown): T {
  if (typeof kept !== 'object' || kept === null) return defaults;
  const fits = Object.entries(kept).filter(
    ([name, value]) =>
      name in defaults && typeof value === typeof defaults[name as keyof T] && value !== null,
  );
  return { ...defaults, ...Object.fromEntries(fits) };
}

/** Reads something kept in the browser; the default if it is damaged or storage is shut. */
export function readKept<T extends object>(storage: Storage | null, key: string, defaults: T): T {
  try {
    return merged(defaults, JSON.parse(storage?.getItem(key) ?? 'null'));
  } catch {
    return defaults;
  }
}

export function keep(storage: Storage | null, key: string, value: unknown): void {
  try {
    storage?.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** The deck that a game is drawn with. */
export function deckOf(settings: Settings, cards: readonly string[]) {
  const hungarian = cards.length > 0 && cards.every((card) => /^[A-Z]+[a-z]$/.test(card));
  return hungarian && settings.snapszer_deck === 'hungarian' ? 'hungarian' : settings.deck;
}
