/** Coinche's auction: what may be bid, and what was. */
import type { Advice } from '../../advice/context';
import { suitWord } from '../../cards';
import type { TableState } from '../../state/table';
import { t } from '../../texts';
import type { ChoiceMade, ChoiceTold } from '../../wire';
import { factsOf } from '../facts';

export const SUITS = ['S', 'H', 'D', 'C'] as const;
export const CAPOT = 250;
export const VALUES = [80, 90, 100, 110, 120, 130, 140, 150, 160, CAPOT] as const;
const SEATS = 4;

export interface Bid {
  readonly value: number;
  readonly suit: string;
}

/** The bid that a notation such as `80S` stands for; null for pass, coinche and surcoinche. */
export function bidOf(text: string): Bid | null {
  const found = /^(\d+)([SHDC])$/.exec(text);
  return found ? { value: Number(found[1]), suit: found[2] as string } : null;
}

export interface GridRow {
  readonly value: number;
  /** For each suit the choice that bids it, undefined if it is not offered. */
  readonly bids: readonly (ChoiceTold | undefined)[];
}

/** Every value with its four suits, and which of them are offered. */
export function bidGrid(choices: readonly ChoiceTold[]): readonly GridRow[] {
  const byText = new Map(choices.map((told) => [told.text, told]));
  return VALUES.map((value) => ({ value, bids: SUITS.map((suit) => byText.get(value + suit)) }));
}

/** Whether any suit may be bid for this value. */
export function isOffered(row: GridRow): boolean {
  return row.bids.some((told) => told !== undefined);
}

/** What the analysis and a hint say of the bids of one value together. */
export function rowAdvice({ bids }: GridRow, { bars, hinted }: Advice) {
  const choices = bids.flatMap((told) => (told ? [told.choice] : []));
  const found = choices.flatMap((choice) => bars.get(choice) ?? []);
  return {
    share: found.length > 0 ? found.reduce((sum, bar) => sum + bar.probability, 0) : null,
    best: found.some((bar) => bar.best),
    hinted: hinted !== null && choices.includes(hinted),
  };
}

/** "80", or "capot". */
export function valueName(value: number): string {
  return value === CAPOT ? t('coinche.capot') : String(value);
}

/** A call in full words: "90 spades", "Pass", "Coinche: double the stakes". */
export function callName(text: string): string {
  const bid = bidOf(text);
  if (bid) return bidName(bid);
  if (text === 'X') return t('coinche.call.X');
  if (text === 'XX') return t('coinche.call.XX');
  return text === 'P' ? t('coinche.call.P') : text;
}

/** "90 spades", "capot clubs". */
export function bidName({ value, suit }: Bid): string {
  return t('coinche.call.bid', { value: valueName(value), suit: suitWord(suit, 'coinche') });
}

/** Seats in the order in which they call, the one after the dealer first. */
export function callers(state: TableState): readonly number[] {
  const { dealer } = factsOf('coinche', state);
  return Array.from({ length: SEATS }, (_, step) => (dealer + 1 + step) % SEATS);
}

/** The auction so far, round by round: one cell for each of `callers`, null where nobody spoke. */
export function auctionRows(state: TableState): readonly (readonly (ChoiceMade | null)[])[] {
  const order = callers(state);
  const rows: (ChoiceMade | null)[][] = [];
  let last = SEATS;
  for (const made of state.past.filter(({ phase }) => phase === 'bid')) {
    const column = order.indexOf(made.seat);
    if (column <= last) rows.push(order.map(() => null));
    (rows.at(-1) as (ChoiceMade | null)[])[column] = made;
    last = column;
  }
  return rows;
}
