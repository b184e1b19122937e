/** Cards, suits and seats in words, through the catalogue. */
import type { TableState } from '../state/table';
import { tell } from '../texts';
import { type DeckName, deckFor, drawnSuit, rankOf, suitOf } from './deck';

const SYMBOLS: Readonly<Record<string, string>> = { S: '♠', H: '♥', D: '♦', C: '♣' };
const USUAL = 'hungarian';

/** A suit as a label: "Spades", "Acorns". */
export function suitName(suit: string, game: string, deck: DeckName = USUAL): string {
  const word = suitWord(suit, game, deck);
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A suit within a sentence: "spades", "acorns". */
export function suitWord(suit: string, game: string, deck: DeckName = USUAL): string {
  return tell(`card.suit.${drawnSuit(suit, game, deck)}`);
}

/** A suit in the language of the game: "پیک", "trèfle", "makk". */
export function ownSuitWord(suit: string, game: string): string {
  const key = `card.own.${game}.${suit}`;
  const word = tell(key);
  return word === key ? suitWord(suit, game) : word;
}

/** A suit in one character: "♠"; a word where the deck has no such character. */
export function suitSymbol(suit: string, game: string, deck: DeckName = USUAL): string {
  return SYMBOLS[drawnSuit(suit, game, deck)] ?? ownSuitWord(suit, game);
}

/** A card in full words: "King of spades", "Ten of acorns", "Joker". */
export function cardName(card: string, game: string, deck: DeckName = USUAL): string {
  const suit = suitOf(card);
  const rank = rankName(card, game, deck);
  return suit === '' ? rank : tell('card.name', { rank, suit: suitWord(suit, game, deck) });
}

function rankName(card: string, game: string, deck: DeckName): string {
  const own = isHungarian(game, deck);
  const hungarian = `card.rank.hungarian.${rankOf(card)}`;
  if (own && tell(hungarian) !== hungarian) return tell(hungarian);
  return tell(`card.rank.${rankOf(card)}`);
}

/** A card in short: "K♠", "10♥", "makk X". */
export function shortCard(card: string, game: string, deck: DeckName = USUAL): string {
  const suit = suitOf(card);
  const rank = shortRank(card, game, deck);
  if (suit === '') return rank;
  if (isHungarian(game, deck)) return `${ownSuitWord(suit, game)} ${rank}`;
  return rank + suitSymbol(suit, game, deck);
}

/** The rank of a card in short: "K", "10", "felső". */
export function shortRank(card: string, game: string, deck: DeckName = USUAL): string {
  const rank = rankOf(card);
  if (suitOf(card) === '') return tell('card.short.JO');
  if (isHungarian(game, deck)) return tell(`card.short.hungarian.${rank}`);
  return rank === 'T' ? '10' : rank;
}

function isHungarian(game: string, deck: DeckName): boolean {
  return game === 'snapszer' && deckFor(game, deck) === 'hungarian';
}

/** Several cards in full words, as a list. */
export function cardNames(cards: readonly string[], game: string, deck: DeckName = USUAL): string {
  return cards.map((card) => cardName(card, game, deck)).join(', ');
}

/** What the person at a seat is called; null if the viewer sits there. */
export function nameAt(seat: number, state: TableState): string | null {
  if (seat === state.info.viewer) return null;
  const place = state.info.places[state.info.seats[seat] ?? seat];
  return place?.title ?? tell('card.seat', { number: seat + 1 });
}

/** Who sits at a seat, as a label: "You" or a name. */
export function seatName(seat: number, state: TableState): string {
  return nameAt(seat, state) ?? tell('card.You');
}
