/** How long things take at the table, in milliseconds. All the timing of the page is here. */
import type { Settings } from '../wire';

export type Speed = Settings['speed'];

export interface Pace {
  /** A card on its way from a seat to the table. */
  readonly move: number;
  /** What was said, before the next choice is shown. */
  readonly say: number;
  /** Between a card that has arrived and the next one. */
  readonly gap: number;
  /** A complete trick, before it is swept. */
  readonly linger: number;
  /** The trick on its way to its taker. */
  readonly sweep: number;
  /** A speech bubble in sight. */
  readonly bubble: number;
}

const PACES: Readonly<Record<Speed, Pace>> = {
  slow: { move: 550, say: 1400, gap: 450, linger: 1900, sweep: 600, bubble: 4200 },
  normal: { move: 320, say: 850, gap: 180, linger: 1000, sweep: 380, bubble: 3000 },
  fast: { move: 160, say: 350, gap: 40, linger: 420, sweep: 200, bubble: 2200 },
  instant: { move: 0, say: 0, gap: 0, linger: 0, sweep: 0, bubble: 2500 },
};

export const SPEEDS: readonly Speed[] = ['slow', 'normal', 'fast', 'instant'];

export function paceOf(speed: Speed): Pace {
  return PACES[speed];
}

/** The speed in use: who wants reduced motion sees no movement at all. */
export function speedFor(chosen: Speed, reducedMotion: boolean): Speed {
  return reducedMotion ? 'instant' : chosen;
}
