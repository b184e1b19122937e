/** Facts of a game in a plain way, for a game that has no drawing of its own. */
import { tell } from '../texts';

export interface PlainFact {
  readonly name: string;
  readonly value: string;
}

/** Every fact that can be written in one line; what only the viewer knows is left to its game. */
export function plainFacts(facts: Readonly<Record<string, unknown>>): readonly PlainFact[] {
  return Object.entries(facts)
    .filter(([name, value]) => name !== 'mine' && value !== null && value !== '')
    .map(([name, value]) => ({ name: inWords(name), value: plain(value) }))
    .filter(({ value }) => value !== '');
}

function inWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function plain(value: unknown): string {
  if (typeof value === 'boolean') return tell(value ? 'plain.yes' : 'plain.no');
  if (Array.isArray(value)) return value.map(plain).join(' – ');
  return typeof value === 'object' ? '' : String(value);
}
