/** Stepping through a reviewed deal. Moment n is the deal after n choices. */
import type { JudgedChoice, Reviewed, SeatReview, TrickComment, Verdict } from '../wire';
import type { TableState } from './table';

export type Label = Verdict['label'];

/** What a label is marked with, beside its word and colour. */
export const SIGNS: Readonly<Record<Label, string>> = {
  forced: '–',
  best: '★',
  good: '✓',
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
};

const COSTLY: readonly Label[] = ['inaccuracy', 'mistake', 'blunder'];

/** Whether a choice is held against who made it. */
export function isCostly({ label }: Verdict): boolean {
  return COSTLY.includes(label);
}

/** The moment at which the deal is over. */
export function lastMoment(reviewed: Reviewed): number {
  return reviewed.frames.length - 1;
}

/** The table at a moment, by the viewer's eyes; with open cards also what others chose unseen. */
export function stateAt(reviewed: Reviewed, moment: number, open: boolean): TableState {
  const seen = reviewed.frames.slice(1, moment + 1).flatMap((frame) => frame.event ?? []);
  const past = open ? reviewed.past.slice(0, moment) : seen;
  const frame = reviewed.frames[moment] ?? reviewed.frames[0];
  if (!frame) throw new Error('a reviewed deal has a first frame');
  return {
    info: reviewed.table,
    past,
    tricks: past.flatMap((made) => made.taken ?? []),
    frame: { ...frame, choices: [], refused: [], can_undo: false },
  };
}

/** What is to be said of the choice that led to a moment. */
export function verdictAt(reviewed: Reviewed, moment: number): Verdict | null {
  return reviewed.review.verdicts.find(({ number }) => number === moment) ?? null;
}

/** The trick, or the round of other choices, that the choice before a moment belongs to. */
export function trickAt(reviewed: Reviewed, moment: number): TrickComment | null {
  return (
    reviewed.review.tricks.find(({ first, last }) => first <= moment && moment <= last) ?? null
  );
}

/** The review of the seat that it is made for. */
export function ownReview({ review, seat }: Reviewed): SeatReview | null {
  return review.seats.find((one) => one.seat === seat) ?? null;
}

/** The choices that cost something, the costliest first: those of the viewer, and the others'. */
export function costliest(reviewed: Reviewed): readonly [readonly Verdict[], readonly Verdict[]] {
  const found = reviewed.review.costliest.flatMap((number) => verdictAt(reviewed, number) ?? []);
  const isOwn = ({ seat }: Verdict) => seat === reviewed.seat;
  return [found.filter(isOwn), found.filter((verdict) => !isOwn(verdict))];
}

/**
 * How many choices stay if the deal is played again from a moment: all before the viewer's own
 * choice that led there, or all so far if another's did. Null if the viewer chose nothing.
 */
export function retryFrom(reviewed: Reviewed, moment: number): number | null {
  const { viewer } = reviewed.table;
  const own = reviewed.review.verdicts.filter(({ seat }) => seat === viewer);
  const last = own.at(-1);
  if (viewer === null || !last) return null;
  const isOwn = own.some(({ number }) => number === moment);
  return Math.min(isOwn ? moment - 1 : moment, last.number - 1);
}

export type Step = 'first' | 'back' | 'forward' | 'final';

/** The moment that a step leads to. */
export function stepped(moment: number, step: Step, last: number): number {
  switch (step) {
    case 'first':
      return 0;
    case 'back':
      return Math.max(0, moment - 1);
    case 'forward':
      return Math.min(last, moment + 1);
    case 'final':
      return last;
  }
}

/** Where a weighed choice is between the worst, 0, and the best, 1. */
export function shadeOf({ payoff }: JudgedChoice, choices: readonly JudgedChoice[]): number {
  const payoffs = choices.map((choice) => choice.payoff);
  const low = Math.min(...payoffs);
  const span = Math.max(...payoffs) - low;
  return span > 0 ? (payoff - low) / span : 1;
}

const SHOWN_FIRST = 6;

/** The weighed choices worth a look: the best ones, and always the one that was made. */
export function worthShowing({ choices, choice }: Verdict): readonly JudgedChoice[] {
  return choices.filter((one, rank) => rank < SHOWN_FIRST || one.choice === choice);
}

export interface ChartMark {
  readonly number: number;
  readonly x: number;
  readonly y: number;
  readonly label: Label;
}

export interface Chart {
  /** Points of the line and of the band of its error, in a square of 100 by 100. */
  readonly line: string;
  readonly band: string;
  /** Where nothing is won or lost. */
  readonly zero: number;
  readonly low: number;
  readonly high: number;
  /** The viewer's costly choices. */
  readonly marks: readonly ChartMark[];
}

const SURE = 2; // standard errors within the band

/** The timeline of the reviewed seat as a drawing; null if there is none. */
export function chartOf(reviewed: Reviewed): Chart | null {
  const moments = timelineOf(reviewed);
  if (moments.length === 0) return null;
  const last = Math.max(1, lastMoment(reviewed));
  const low = Math.min(0, ...moments.map(({ value, error }) => value - SURE * error));
  const high = Math.max(0, ...moments.map(({ value, error }) => value + SURE * error));
  const span = high - low || 1;
  const x = (number: number) => (100 * number) / last;
  const y = (value: number) => (100 * (high - value)) / span;
  const at = (number: number, value: number) => `${x(number).toFixed(2)},${y(value).toFixed(2)}`;
  const upper = moments.map(({ number, value, error }) => at(number, value + SURE * error));
  const lower = moments.map(({ number, value, error }) => at(number, value - SURE * error));
  return {
    line: moments.map(({ number, value }) => at(number, value)).join(' '),
    band: [...upper, ...lower.toReversed()].join(' '),
    zero: y(0),
    low,
    high,
    marks: costliest(reviewed)[0].map(({ number, label }) => {
      const value = moments.find((moment) => moment.number === number)?.value ?? 0;
      return { number, x: x(number), y: y(value), label };
    }),
  };
}

/** What the reviewed seat might expect, moment by moment. */
export function timelineOf({ review, seat }: Reviewed) {
  return review.timelines.find((timeline) => timeline.seat === seat)?.moments ?? [];
}

/** The moment that lies nearest to a place on the chart, from 0 at its left to 1. */
export function momentAt(place: number, last: number): number {
  return Math.round(Math.max(0, Math.min(1, place)) * last);
}
