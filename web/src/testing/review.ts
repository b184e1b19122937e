/** A reviewed deal for tests: two tricks of Hearts, in which the viewer once went wrong. */
import type { DealReview, Frame, Reviewed, Verdict } from '../wire';
import { judged } from './advice';
import { frame, made, tableInfo } from './tables';

const CARDS = ['KS', 'AS', '2S', '3S', '2C', 'KC', 'QC', 'AC'];
const SEATS = [0, 1, 2, 3, 1, 2, 3, 0];

export function verdict(number: number, told: Partial<Verdict> = {}): Verdict {
  const card = CARDS[number - 1] ?? 'KS';
  return {
    number,
    seat: SEATS[number - 1] ?? 0,
    phase: 'play',
    choice: number,
    text: card,
    card,
    label: 'best',
    luck: '',
    best: number,
    best_text: card,
    value: 1,
    cost: 0,
    error: 0,
    span: 2,
    choices: [],
    worlds: 160,
    exact: false,
    open: null,
    phrases: [],
    ...told,
  };
}

const WRONG = verdict(1, {
  label: 'mistake',
  best: 9,
  best_text: '2C',
  cost: 2,
  error: 0.3,
  choices: [
    judged('2C', { choice: 9, payoff: 3 }),
    judged('KS', { choice: 1, payoff: 1, cost: 2, cost_error: 0.3 }),
  ],
  open: { exact: true, best: ['2C'], payoff: 2, cost: 1 },
});
const GRAVE = verdict(5, { label: 'blunder', cost: 5, error: 0.4 });

function taken(number: number) {
  if (number % 4 !== 0) return null;
  const plays = CARDS.slice(number - 4, number).map((card, index) => ({
    seat: SEATS[number - 4 + index] ?? 0,
    card,
  }));
  return { winner: number === 4 ? 1 : 0, plays, points: null };
}

const PAST = CARDS.map((card, index) =>
  made(index + 1, { seat: SEATS[index] ?? 0, card, taken: taken(index + 1) }),
);

const FRAMES: Frame[] = [null, ...PAST].map((event, number) =>
  frame(number, {
    event,
    to_act: SEATS[number] ?? null,
    hand: ['KS', 'AC'].slice(Math.min(2, number === 0 ? 0 : number < 8 ? 1 : 2)),
    trick: PAST.slice(number - (number % 4), number).map(({ seat, card }) => ({
      seat,
      card: card ?? null,
    })),
  }),
);

export function dealReview(told: Partial<DealReview> = {}): DealReview {
  const seat = {
    payoff: -7,
    expected: 1,
    luck: -6,
    cost: 2,
    cost_error: 0.3,
    accuracy: 0.75,
    decisions: 2,
    labels: { mistake: 1, best: 1 },
    outcome: 'unlucky-with-mistakes',
    phrases: [],
  } as const;
  return {
    format: 'overtrick-review',
    version: 1,
    game: 'hearts',
    deal: 'hearts …',
    judge: 'judge:worlds=160',
    seats: [0, 1, 2, 3].map((number) => ({
      ...seat,
      labels: { ...seat.labels },
      phrases: [],
      seat: number,
    })),
    verdicts: CARDS.map((_, index) => {
      const number = index + 1;
      return number === 1 ? WRONG : number === 5 ? GRAVE : verdict(number);
    }),
    timelines: [
      {
        seat: 0,
        moments: FRAMES.map((_, number) => ({
          number,
          value: 1 - number,
          error: number < 8 ? 0.5 : 0,
        })),
      },
    ],
    tricks: [
      { first: 1, last: 4, winner: 1, phrases: [{ key: 'review.trick.took', args: { seat: 1 } }] },
      { first: 5, last: 8, winner: 0, phrases: [{ key: 'review.trick.took', args: { seat: 0 } }] },
    ],
    costliest: [5, 1],
    ...told,
  };
}

export function reviewedDeal(told: Partial<Reviewed> = {}): Reviewed {
  return {
    kind: 'reviewed',
    deal: 0,
    table: tableInfo(),
    review: dealReview(),
    seat: 0,
    past: PAST,
    frames: FRAMES,
    hands: FRAMES.map((_, number) =>
      [0, 1, 2, 3].map((seat) =>
        CARDS.filter((_, index) => SEATS[index] === seat && index >= number),
      ),
    ),
    result: {
      payoffs: [-7, 3, 2, 2],
      phrases: [],
      gained: [-7, 3, 2, 2],
      totals: [-7, 3, 2, 2],
      winners: [],
      dealt: {},
    },
    ...told,
  };
}
