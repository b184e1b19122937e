/** Hands as they are written. */
import { suitOf } from '../cards';

/** The cards of a hand by suit, in the order in which the suits come. */
export function bySuit(
  cards: readonly string[],
): readonly (readonly [string, readonly string[]])[] {
  const suits = [...new Set(cards.map(suitOf))];
  return suits.map((suit) => [suit, cards.filter((card) => suitOf(card) === suit)] as const);
}
