/** Which file shows which card. */

export type DeckName = 'two-colour' | 'four-colour' | 'hungarian';

/** The suits of Snapszer as French ones, in the old pairing of the German and French decks. */
const FRENCH_SUIT: Readonly<Record<string, string>> = { h: 'H', b: 'D', l: 'S', a: 'C' };
const FRENCH_SUITS = ['S', 'H', 'D', 'C'] as const;
const HUNGARIAN_SUITS = ['h', 'b', 'l', 'a'] as const;
const RANKS: Readonly<Record<string, string>> = {
  coinche: '789TJQKA',
  sheephead: '789TJQKA',
  snapszer: 'JQKTA',
};
const JOKER = 'JO';

/** The deck that a game is really drawn with: only Snapszer knows Hungarian cards. */
export function deckFor(game: string, deck: DeckName): DeckName {
  return deck === 'hungarian' && game !== 'snapszer' ? 'two-colour' : deck;
}

/** The letter of a card's suit as the game writes it; the joker has none. */
export function suitOf(card: string): string {
  return card === JOKER ? '' : card.slice(-1);
}

/** The letter of a card's rank. */
export function rankOf(card: string): string {
  return card === JOKER ? JOKER : card.slice(0, 1);
}

/** A suit as the deck draws it: Snapszer's `a` is `C` on French cards. */
export function drawnSuit(suit: string, game: string, deck: DeckName): string {
  return deckFor(game, deck) === 'hungarian' ? suit : (FRENCH_SUIT[suit] ?? suit);
}

/** Where the face of a card is; the back for null. */
export function faceUrl(card: string | null, game: string, deck: DeckName): string {
  if (card === null) return '/cards/back.svg';
  const drawn = deckFor(game, deck);
  if (drawn === 'hungarian') return `/cards/hungarian/${card}.svg`;
  const folder = drawn === 'four-colour' ? 'four' : 'two';
  const name = card === JOKER ? JOKER : rankOf(card) + drawnSuit(suitOf(card), game, deck);
  return `/cards/french/${folder}/${name}.svg`;
}

/** Every card of a game's deck. */
export function cardsOf(game: string): string[] {
  const ranks = RANKS[game] ?? '23456789TJQKA';
  const suits: readonly string[] = game === 'snapszer' ? HUNGARIAN_SUITS : FRENCH_SUITS;
  const cards = suits.flatMap((suit) => [...ranks].map((rank) => rank + suit));
  return game === 'sheephead' ? [...cards.filter((card) => card !== '7D'), JOKER] : cards;
}

/** Fetches the faces of a game and the back, so that no card appears late. */
export function preloadCards(game: string, deck: DeckName): void {
  for (const card of [null, ...cardsOf(game)]) new Image().src = faceUrl(card, game, deck);
}
