/** The cards: pictures, names, and phrases that speak of them. */
export { CardFace, type CardFaceProps } from './CardFace';
export {
  cardsOf,
  type DeckName,
  deckFor,
  drawnSuit,
  faceUrl,
  preloadCards,
  rankOf,
  suitOf,
} from './deck';
export { fillPhrase, fillPhrases } from './phrases';
export { SuitSign, type SuitSignProps } from './SuitSign';
export {
  cardName,
  cardNames,
  nameAt,
  ownSuitWord,
  seatName,
  shortCard,
  shortRank,
  suitName,
  suitSymbol,
  suitWord,
} from './words';
