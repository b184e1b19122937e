// @vitest-environment node
import { expect, test } from 'vitest';
import { analysis, bar, hintTold } from '../testing/advice';
import { frame, played, snapshot, tableInfo } from '../testing/tables';
import {
  amount,
  analyseWish,
  barsOf,
  barWords,
  depthWords,
  fromBest,
  heardHelp,
  isAssisted,
  mayBeHelped,
  NO_HELP,
  ofMoment,
} from './advice';
import { DEFAULT_SETTINGS } from './settings';
import { seated } from './table';

const MY_TURN = seated(snapshot(frame(3, { to_act: 0 })));

test('an analysis of the moment on display is shown, another is not', () => {
  expect(ofMoment(analysis({ number: 3 }), MY_TURN)).not.toBeNull();
  expect(ofMoment(analysis({ number: 2 }), MY_TURN)).toBeNull();
  expect(ofMoment(analysis({ number: 3, deal: 1 }), MY_TURN)).toBeNull();
});

test('while others are to act there is nothing to show', () => {
  expect(ofMoment(analysis({ number: 3 }), seated(snapshot(frame(3))))).toBeNull();
});

test('a deeper analysis replaces the one before', () => {
  const shallow = heardHelp(NO_HELP, analysis({ done: 10 }));
  expect(heardHelp(shallow, analysis({ done: 200 })).analysis?.done).toBe(200);
});

test('bars and hint go as soon as somebody has chosen', () => {
  const told = heardHelp(heardHelp(NO_HELP, analysis({ number: 3 })), hintTold({ number: 3 }));
  const after = heardHelp(told, { kind: 'frames', deal: 0, frames: [played(4, 0, 'KS')] });
  expect(after).toMatchObject({ analysis: null, hint: null });
});

test('what was told of a moment that was taken back is gone', () => {
  const told = heardHelp(NO_HELP, analysis({ number: 5 }));
  expect(heardHelp(told, snapshot(frame(3))).analysis).toBeNull();
});

test('a snapshot of the same moment leaves its hint', () => {
  const told = heardHelp(NO_HELP, hintTold({ number: 3 }));
  expect(heardHelp(told, snapshot(frame(3))).hint).not.toBeNull();
});

test('a refused wish for a hint is not waited for', () => {
  const asked = heardHelp(NO_HELP, { kind: 'asked', id: 7 });
  const refused = { kind: 'refused', error: 'TooLate', message: 'late' } as const;
  expect(heardHelp(asked, { ...refused, re: 6 }).asked).toBe(7);
  expect(heardHelp(asked, { ...refused, re: 7 }).asked).toBeNull();
});

test('help marks its deal, and no other', () => {
  const helped = heardHelp(NO_HELP, hintTold({ deal: 0 }));
  expect(isAssisted(MY_TURN, helped)).toBe(true);
  expect(isAssisted(MY_TURN, NO_HELP)).toBe(false);
  expect(isAssisted(seated(snapshot(frame(0), { deal: 1 })), helped)).toBe(false);
});

test('help is for those who play with players of the house only', () => {
  expect(mayBeHelped(tableInfo())).toBe(true);
  expect(mayBeHelped(tableInfo({ viewer_place: null, viewer: null }))).toBe(false);
  const places = tableInfo().places.map((place) => ({ ...place, player: 'person' }));
  expect(mayBeHelped(tableInfo({ places }))).toBe(false);
});

test('bars are found by their choice, and listed from the best', () => {
  const bars = [
    bar(1, { payoff: null, visits: 0 }),
    bar(2, { payoff: 1 }),
    bar(3, { payoff: 2, best: true }),
  ];
  expect(barsOf(analysis({ bars })).get(2)?.payoff).toBe(1);
  expect(fromBest(bars).map((one) => one.choice)).toEqual([3, 2, 1]);
});

test('a bar is told with its result, the best by a word', () => {
  const told = { probability: 0.344, payoff: 3.2, error: 0.41 };
  expect(barWords(bar(1, told))).toBe('34%, expected +3.20 ± 0.82');
  expect(barWords(bar(1, { ...told, best: true }))).toBe('best, 34%, expected +3.20 ± 0.82');
  expect(barWords(bar(1, { probability: 0, payoff: null }))).toBe('0%');
});

test('the depth is counted', () => {
  expect(depthWords(analysis({ done: 120, of: 200, worlds: 30 }))).toBe('120/200 × 30 worlds');
  expect(depthWords(analysis({ done: 5, of: 10, worlds: 1 }))).toBe('5/10 × 1 world');
});

test('no more and no less is asked for than there is', () => {
  expect(amount('analysis_sims', 3)).toBe(10);
  expect(amount('analysis_sims', 99_999)).toBe(2000);
  expect(amount('analysis_worlds', Number.NaN)).toBe(1);
  const wish = analyseWish({ ...DEFAULT_SETTINGS, analysis: true, analysis_worlds: 0 });
  expect(wish).toEqual({ kind: 'analyse', on: true, sims: 200, worlds: 1 });
});
