/** Choices within sentences, from their notation: "bid 80 spades", "bury the king of hearts". */
import { tellOr } from '../texts';
import { cardsOf, type DeckName } from './deck';
import { cardName, suitWord } from './words';

/** `80S`, `marry:h`, `S`: what is done, and the letter of a suit. */
const WITH_A_SUIT = /^(\w*?):?([A-Za-z])$/;

/** What a choice is called in a sentence; the catalogue's `choice.<game>.<phase>` say how. */
export function choiceClause(text: string, phase: string, game: string, deck: DeckName): string {
  const beginning = `choice.${game}.${phase}`;
  const whole = tellOr(`${beginning}.${text}`, '');
  if (whole) return whole;
  if (cardsOf(game).includes(text)) {
    const card = cardName(text, game, deck).toLowerCase();
    return tellOr(beginning, tellOr('tell.the-card', '{card}')).replace('{card}', card);
  }
  const [, value = '', suit = ''] = WITH_A_SUIT.exec(text) ?? [];
  if (!suit) return text;
  const words = tellOr(`${beginning}.${value}`, tellOr(beginning, text));
  return words.replace('{value}', value).replace('{suit}', suitWord(suit, game, deck));
}
