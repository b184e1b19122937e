/** Phrases of the wire as texts: arguments that are cards, suits and seats are put into words. */
import type { TableState } from '../state/table';
import { tell } from '../texts';
import type { Phrase } from '../wire';
import { choiceClause } from './clauses';
import type { DeckName } from './deck';
import {
  cardName,
  cardNames,
  nameAt,
  ownSuitWord,
  shortCard,
  suitName,
  suitSymbol,
  suitWord,
} from './words';

type Args = Record<string, string | number>;

/**
 * The text of a phrase.
 *
 * A text may have forms of its own: `key.you` if the viewer is the seat spoken of, `key.one` if
 * `count` is 1. Beside `{card}`, `{suit}` and `{seat}` it can use `{Card}`, `{Suit}` and `{Seat}`
 * to begin a sentence, `{card_short}`, `{suit_sign}` and `{suit_own}`, in the game's language.
 * `{choice}` is a choice of the phase `phase`, told in its notation.
 */
export function fillPhrase(
  phrase: Phrase,
  state: TableState,
  deck: DeckName = 'hungarian',
): string {
  const args: Args = {};
  for (const [name, value] of Object.entries(phrase.args ?? {}))
    Object.assign(args, inWords(name, value, state, deck));
  const { choice, phase } = args;
  if (typeof choice === 'string' && typeof phase === 'string')
    args.choice = choiceClause(choice, phase, state.info.game, deck);
  return tell(formOf(phrase, state), args);
}

/** Phrases one after another. */
export function fillPhrases(
  phrases: readonly Phrase[],
  state: TableState,
  deck: DeckName = 'hungarian',
): string {
  return phrases.map((phrase) => fillPhrase(phrase, state, deck)).join(' ');
}

function inWords(name: string, value: string | number, state: TableState, deck: DeckName): Args {
  const { game } = state.info;
  const text = String(value);
  switch (name) {
    case 'card':
      return {
        card: small(cardName(text, game, deck)),
        Card: cardName(text, game, deck),
        card_short: shortCard(text, game, deck),
      };
    case 'cards':
      return { cards: small(cardNames(text.split(' ').filter(Boolean), game, deck)) };
    case 'suit':
      return {
        suit: suitWord(text, game, deck),
        Suit: suitName(text, game, deck),
        suit_sign: suitSymbol(text, game, deck),
        suit_own: ownSuitWord(text, game),
      };
    case 'seat':
    case 'other': {
      const who = nameAt(Number(value), state);
      const begun = name.charAt(0).toUpperCase() + name.slice(1);
      return { [name]: who ?? tell('card.you'), [begun]: who ?? tell('card.You') };
    }
    default:
      return { [name]: value };
  }
}

/** As within a sentence. */
function small(name: string): string {
  return name.toLowerCase();
}

function formOf(phrase: Phrase, state: TableState): string {
  const { seat, count } = phrase.args ?? {};
  const forms = [];
  if (seat !== undefined && Number(seat) === state.info.viewer) forms.push(`${phrase.key}.you`);
  if (Number(count) === 1) forms.push(`${phrase.key}.one`);
  return forms.find((key) => tell(key) !== key) ?? phrase.key;
}
