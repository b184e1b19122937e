/** What is told aloud: one short sentence for each thing that happens at the table. */
import { cardName, cardNames, fillPhrase, nameAt } from '../cards';
import type { GameDrawing } from '../games/drawing';
import { languageOf, t, tell } from '../texts';
import type { ChoiceMade, Taken } from '../wire';
import type { TableState } from './table';

export interface Sentence {
  readonly text: string;
  /** The language, where it is not that of the page. */
  readonly lang?: string;
}

/** Everything that was done after choice `number`, in sentences. */
export function sentencesSince(
  state: TableState,
  number: number,
  drawing?: GameDrawing,
): readonly Sentence[] {
  const fresh = state.past.filter((made) => made.number > number);
  return fresh.flatMap((made) => sentencesOf(made, state, drawing));
}

/** A choice that was made, what was said with it, and the trick it ended. */
export function sentencesOf(
  made: ChoiceMade,
  state: TableState,
  drawing?: GameDrawing,
): readonly Sentence[] {
  const said = made.said.map((phrase) => spoken(phrase.key, fillPhrase(phrase, state)));
  const told = [{ text: choiceSentence(made, state, drawing) }, ...said];
  return made.taken ? [...told, { text: trickSentence(made.taken, state) }] : told;
}

/** That it is the viewer's turn, if it is. */
export function turnSentence(state: TableState): Sentence | null {
  const { frame, info } = state;
  if (info.viewer === null || frame.to_act !== info.viewer) return null;
  return { text: t('tell.your-turn') };
}

/** That a deal begins, and with which cards. */
export function openingSentence({ info, frame }: TableState): Sentence {
  const number = info.deal + 1;
  if (frame.hand.length === 0) return { text: t('tell.deal', { number }) };
  const cards = cardNames(frame.hand, info.game);
  return { text: t('tell.deal-hand', { number, cards }) };
}

/** How the deal came out. */
export function resultSentences(state: TableState): readonly Sentence[] {
  const result = state.frame.result;
  if (!result) return [];
  const phrases = result.phrases.map((phrase) => ({ text: fillPhrase(phrase, state) }));
  return [{ text: t('result.over') }, ...phrases];
}

function spoken(key: string, text: string): Sentence {
  const lang = languageOf(key);
  return lang ? { text, lang } : { text };
}

function choiceSentence(made: ChoiceMade, state: TableState, drawing?: GameDrawing): string {
  const own = drawing?.tell?.(made, state);
  if (own) return own;
  const who = nameAt(made.seat, state);
  const { game } = state.info;
  if (made.card && playedToTrick(made, state)) {
    const card = asInSentence(cardName(made.card, game));
    return who === null ? t('tell.you-play', { card }) : t('tell.plays', { who, card });
  }
  if (made.text === '?') return who === null ? t('tell.you-hidden') : t('tell.hidden', { who });
  const what = choiceWords(made.text, made.phase, made.card ?? null, state, drawing);
  return who === null ? t('tell.you-choose', { what }) : t('tell.chooses', { who, what });
}

/** A choice in full words. */
export function choiceWords(
  text: string,
  phase: string,
  card: string | null,
  state: TableState,
  drawing?: GameDrawing,
): string {
  if (card) return cardName(card, state.info.game);
  const named = drawing?.choiceName?.(text, phase, state);
  if (named) return named;
  const plain = tell(`choice.${text}`);
  return plain === `choice.${text}` ? text : plain;
}

/** A card counts as played if it lay in the trick afterwards, or ended one. */
export function playedToTrick(made: ChoiceMade, state: TableState): boolean {
  const inTrick = (plays: readonly { card: string | null; seat: number }[]) =>
    plays.some((play) => play.card === made.card && play.seat === made.seat);
  return inTrick(state.frame.trick) || state.tricks.some((taken) => inTrick(taken.plays));
}

function trickSentence(taken: Taken, state: TableState): string {
  const who = nameAt(taken.winner, state);
  const { points: count } = taken;
  const points = typeof count === 'number' ? t('tell.worth', { count }) : '';
  return who === null ? t('tell.you-take', { points }) : t('tell.takes', { who, points });
}

/** "the king of spades" out of "King of spades". */
function asInSentence(card: string): string {
  return t('tell.the-card', { card: card.charAt(0).toLowerCase() + card.slice(1) });
}
