/** Who did what, in words. */
import { fillPhrase } from '../../cards';
import type { TableState } from '../../state/table';
import type { ChoiceMade } from '../../wire';

/** "North bids 90 spades": a text with who did it, in the form for the viewer if it was he. */
export function toldOf(
  key: string,
  made: ChoiceMade,
  state: TableState,
  args: Readonly<Record<string, string | number>> = {},
): string {
  return fillPhrase({ key, args: { ...args, seat: made.seat } }, state);
}

/** All seats in playing order, the viewer's own first. */
export function seatsFrom(state: TableState): readonly number[] {
  const { seats, viewer } = state.info;
  return seats.map((_, step) => (step + (viewer ?? 0)) % seats.length);
}

/** Whether the viewer is the one to act. */
export function isToAct(state: TableState): boolean {
  return state.frame.to_act !== null && state.frame.to_act === state.info.viewer;
}
