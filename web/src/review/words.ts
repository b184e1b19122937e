/** What a review shows, in words. */

import type { DeckName } from '../cards';
import { seatName } from '../cards';
import { drawingOf } from '../games';
import type { GameDrawing } from '../games/drawing';
import { choiceWords } from '../state/live';
import type { Label } from '../state/review';
import type { TableState } from '../state/table';
import { tell } from '../texts';
import type { Reviewed, Verdict } from '../wire';

/** What the parts of a review are drawn from. */
export interface Shown {
  readonly reviewed: Reviewed;
  readonly state: TableState;
  readonly drawing: GameDrawing | undefined;
  readonly deck: DeckName;
}

/** Who chose what. */
export function choiceTold(verdict: Verdict, state: TableState) {
  const { text, phase, card, seat } = verdict;
  return {
    who: seatName(seat, state),
    choice: choiceWords(text, phase, card ?? null, state, drawingOf(state.info.game)),
  };
}

/** What the analysis would rather have chosen. */
export function bestTold(verdict: Verdict, state: TableState): string {
  const best = verdict.choices.find(({ choice }) => choice === verdict.best);
  const card = best?.card ?? (verdict.best === verdict.choice ? verdict.card : null);
  const { best_text: text, phase } = verdict;
  return choiceWords(text, phase, card ?? null, state, drawingOf(state.info.game));
}

export function labelName(label: Label): string {
  return tell(`reviewed.label.${label}`);
}
