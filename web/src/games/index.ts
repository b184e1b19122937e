/** Which game is drawn how; a game without an entry is drawn in the plain way. */
import { coinche } from './coinche';
import type { GameDrawing } from './drawing';
import { hearts } from './hearts';
import { hokm } from './hokm';
import { sheephead } from './sheephead';
import { snapszer } from './snapszer';

const DRAWINGS: Readonly<Record<string, GameDrawing>> = {
  coinche,
  hearts,
  hokm,
  sheephead,
  snapszer,
};

/** The drawings of a game, if it has any. */
export function drawingOf(game: string): GameDrawing | undefined {
  return DRAWINGS[game];
}

export type { DrawingProps, GameDrawing, Gathering } from './drawing';
