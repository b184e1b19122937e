// @vitest-environment node
import { expect, test } from 'vitest';
import { judged } from '../testing/advice';
import { reviewedDeal, verdict } from '../testing/review';
import { made, tableInfo } from '../testing/tables';
import {
  chartOf,
  costliest,
  lastMoment,
  momentAt,
  retryFrom,
  shadeOf,
  stateAt,
  stepped,
  trickAt,
  verdictAt,
  worthShowing,
} from './review';

const REVIEWED = reviewedDeal();

test('a moment shows the table after so many choices, and offers none', () => {
  const state = stateAt(REVIEWED, 4, false);
  expect(state.past.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  expect(state.tricks.map(({ winner }) => winner)).toEqual([1]);
  expect(state.frame.number).toBe(4);
  expect(state.frame.choices).toEqual([]);
});

test('what was chosen unseen is told only with open cards', () => {
  const frames = REVIEWED.frames.map((frame) =>
    frame.number === 2 ? { ...frame, event: made(2, { card: null, text: '?' }) } : frame,
  );
  const hidden = { ...REVIEWED, frames };
  expect(stateAt(hidden, 2, false).past.at(-1)?.text).toBe('?');
  expect(stateAt(hidden, 2, true).past.at(-1)?.card).toBe('AS');
});

test('steps stay within the deal', () => {
  const last = lastMoment(REVIEWED);
  expect(last).toBe(8);
  expect(stepped(0, 'back', last)).toBe(0);
  expect(stepped(3, 'forward', last)).toBe(4);
  expect(stepped(8, 'forward', last)).toBe(8);
  expect([stepped(3, 'first', last), stepped(3, 'final', last)]).toEqual([0, 8]);
});

test('a moment has the verdict of the choice before it, and its trick', () => {
  expect(verdictAt(REVIEWED, 0)).toBeNull();
  expect(verdictAt(REVIEWED, 1)?.label).toBe('mistake');
  expect(trickAt(REVIEWED, 5)?.winner).toBe(0);
  expect(trickAt(REVIEWED, 0)).toBeNull();
});

test('the costliest choices are listed by who made them', () => {
  const [own, others] = costliest(REVIEWED);
  expect(own.map(({ number }) => number)).toEqual([1]);
  expect(others.map(({ number }) => number)).toEqual([5]);
});

test('a retry frees the choice on display, or what comes after that of another', () => {
  expect(retryFrom(REVIEWED, 1)).toBe(0);
  expect(retryFrom(REVIEWED, 5)).toBe(5);
  expect(retryFrom(REVIEWED, 8)).toBe(7);
  expect(retryFrom(REVIEWED, 0)).toBe(0);
});

test('after the last own choice a retry goes back to it', () => {
  const verdicts = REVIEWED.review.verdicts.map((one) =>
    one.number === 8 ? { ...one, seat: 2 } : one,
  );
  const reviewed = reviewedDeal({ review: { ...REVIEWED.review, verdicts } });
  expect(retryFrom(reviewed, 8)).toBe(0);
});

test('who watched has nothing to retry', () => {
  const table = tableInfo({ viewer: null, viewer_place: null });
  expect(retryFrom(reviewedDeal({ table }), 3)).toBeNull();
});

test('shades go from the worst choice to the best', () => {
  const choices = [
    judged('2C', { payoff: 3 }),
    judged('KS', { payoff: 1 }),
    judged('AS', { payoff: 2 }),
  ];
  expect(choices.map((choice) => shadeOf(choice, choices))).toEqual([1, 0, 0.5]);
  const [same] = choices;
  expect(same && shadeOf(same, [same])).toBe(1);
});

test('of many choices the best are shown, and the one that was made', () => {
  const choices = Array.from({ length: 20 }, (_, choice) => judged('2C', { choice }));
  expect(worthShowing(verdict(1, { choices, choice: 17 })).map((one) => one.choice)).toEqual([
    0, 1, 2, 3, 4, 5, 17,
  ]);
});

test('the chart runs over the whole deal, with nothing won or lost in sight', () => {
  const chart = chartOf(REVIEWED);
  expect(chart?.line.split(' ')).toHaveLength(9);
  expect(chart?.line.startsWith('0.00,')).toBe(true);
  expect(chart?.line.split(' ').at(-1)).toBe('100.00,100.00');
  expect([chart?.high, chart?.low]).toEqual([2, -7]);
  expect(chart?.zero).toBeCloseTo((100 * 2) / 9);
  expect(chart?.marks).toMatchObject([{ number: 1, label: 'mistake', x: 12.5 }]);
});

test('without a timeline there is no chart', () => {
  const review = { ...REVIEWED.review, timelines: [] };
  expect(chartOf(reviewedDeal({ review }))).toBeNull();
});

test('a place on the chart is the nearest moment', () => {
  expect([-1, 0.49, 1.2].map((place) => momentAt(place, 8))).toEqual([0, 4, 8]);
});
