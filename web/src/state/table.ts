/** What the page knows of a table: the last snapshot with every frame since folded in. */
import type { ChoiceMade, Frame, Snapshot, TableInfo, Taken } from '../wire';

export interface TableState {
  readonly info: TableInfo;
  /** Every choice of this deal so far, as the viewer saw it. */
  readonly past: readonly ChoiceMade[];
  /** The complete tricks of this deal, first to last. */
  readonly tricks: readonly Taken[];
  /** How the table looks now. */
  readonly frame: Frame;
}

/** The state that a snapshot describes. */
export function seated(snapshot: Snapshot): TableState {
  return {
    info: snapshot.table,
    past: snapshot.past,
    tricks: snapshot.past.flatMap((made) => made.taken ?? []),
    frame: snapshot.frame,
  };
}

/** The state after one more choice. Draws nothing, judges nothing. */
export function applyFrame(state: TableState, frame: Frame): TableState {
  const made = frame.event;
  if (!made || frame.number !== state.frame.number + 1) return { ...state, frame };
  return {
    ...state,
    past: [...state.past, made],
    tricks: made.taken ? [...state.tricks, made.taken] : state.tricks,
    frame,
  };
}
