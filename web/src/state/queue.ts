/** Frames that wait their turn to be shown, one movement after the other.
 *
 * A frame is shown in stages: the card moves (or a word is said), a complete trick stays for a
 * moment and is swept to its taker. The choices of the newest frame can be made as soon as it is
 * shown, whatever still moves: who acts sends the old trick away at once.
 */
import type { Frame, Play, Snapshot, Taken } from '../wire';
import { type Pace, paceOf, type Speed } from './speed';
import { applyFrame, seated, type TableState } from './table';

export type Stage = 'still' | 'moving' | 'lingering' | 'sweeping';

export interface Playback {
  /** What is on display: the last frame that had its turn. */
  readonly shown: TableState;
  readonly stage: Stage;
  /** Frames that have come and are not yet shown. */
  readonly waiting: readonly Frame[];
  readonly paused: boolean;
  /** Counts the stages, so that a timer set for one never ends another. */
  readonly beat: number;
}

/** A table just opened, undone or dealt anew: nothing waits. */
export function opened(snapshot: Snapshot, before?: Playback | null): Playback {
  return {
    shown: seated(snapshot),
    stage: 'still',
    waiting: [],
    paused: before?.paused ?? false,
    beat: (before?.beat ?? 0) + 1,
  };
}

/** More frames have come. Those already known are dropped; null if one between is missing. */
export function received(
  playback: Playback,
  deal: number,
  frames: readonly Frame[],
  speed: Speed,
): Playback | null {
  if (deal !== playback.shown.info.deal) return null;
  const last = newest(playback).number;
  const fresh = frames.filter((frame) => frame.number > last);
  if (fresh.some((frame, index) => frame.number !== last + 1 + index)) return null;
  const waiting = [...playback.waiting, ...fresh];
  return started({ ...playback, waiting }, speed);
}

/** The stage that is over gives way to the next. */
export function advanced(playback: Playback, speed: Speed): Playback {
  const { stage, shown } = playback;
  if (stage === 'moving' && endedTrick(shown)) return staged(playback, 'lingering', speed);
  if (stage === 'lingering') return staged(playback, 'sweeping', speed);
  return started({ ...playback, stage: 'still', beat: playback.beat + 1 }, speed);
}

/** The viewer has acted, or does not want to wait: what is on display is done with. */
export function hurried(playback: Playback, speed: Speed): Playback {
  if (playback.stage === 'still') return playback;
  return started({ ...playback, stage: 'still', beat: playback.beat + 1 }, speed);
}

export function paused(playback: Playback, on: boolean, speed: Speed): Playback {
  return started({ ...playback, paused: on }, speed);
}

/** How long the stage on display lasts; null if nothing is to happen by itself. */
export function stageLasts(playback: Playback, speed: Speed): number | null {
  const pace = paceOf(speed);
  switch (playback.stage) {
    case 'still':
      return null;
    case 'moving':
      return movingLasts(playback, pace);
    case 'lingering':
      return playback.paused ? null : pace.linger;
    case 'sweeping':
      return pace.sweep;
  }
}

/** Whether something moves or waits. */
export function isBusy(playback: Playback): boolean {
  return playback.stage !== 'still' || playback.waiting.length > 0;
}

/** Whether the viewer may act on what is on display. */
export function mayAct(playback: Playback): boolean {
  const { frame, info } = playback.shown;
  return (
    playback.waiting.length === 0 &&
    info.viewer !== null &&
    frame.to_act === info.viewer &&
    frame.choices.length > 0
  );
}

/** The cards in the middle: a trick that is complete until it is swept, else the one under way. */
export function trickShown(playback: Playback): readonly Play[] {
  const taken = trickHeld(playback);
  return taken ? taken.plays : playback.shown.frame.trick;
}

/** The complete trick that still lies on the table, if one does. */
export function trickHeld(playback: Playback): Taken | null {
  if (playback.stage === 'still') return null;
  return endedTrick(playback.shown);
}

export function newest(playback: Playback): Frame {
  return playback.waiting.at(-1) ?? playback.shown.frame;
}

function endedTrick(shown: TableState): Taken | null {
  return shown.frame.event?.taken ?? null;
}

/** The next frame that waits gets its turn, if nothing else is on display. */
function started(playback: Playback, speed: Speed): Playback {
  let now = playback;
  while (now.stage === 'still' && now.waiting.length > 0 && !holds(now)) {
    const [next, ...waiting] = now.waiting as [Frame, ...Frame[]];
    const stage = speed === 'instant' ? 'still' : 'moving';
    now = { ...now, shown: applyFrame(now.shown, next), waiting, stage, beat: now.beat + 1 };
  }
  return now;
}

/** A pause holds back everything but the viewer's own choices. */
function holds(playback: Playback): boolean {
  const next = playback.waiting[0]?.event;
  return playback.paused && next?.seat !== playback.shown.info.viewer;
}

function staged(playback: Playback, stage: Stage, speed: Speed): Playback {
  return speed === 'instant'
    ? started({ ...playback, stage: 'still', beat: playback.beat + 1 }, speed)
    : { ...playback, stage, beat: playback.beat + 1 };
}

function movingLasts(playback: Playback, pace: Pace): number {
  const { frame, info } = playback.shown;
  const made = frame.event;
  if (!made) return 0;
  if (!made.card && made.text === '?') return pace.gap;
  const saying = !made.card || made.said.length > 0 ? pace.say : 0;
  const ended = Boolean(made.taken);
  const mine = made.seat === info.viewer || ended;
  return Math.max(!made.card ? 0 : pace.move + (mine ? 0 : pace.gap), saying);
}
