// @vitest-environment node
import { expect, test } from 'vitest';
import { frame, made, played, snapshot, tookTrick } from '../testing/tables';
import { applyFrame, seated } from './table';

test('a snapshot brings the tricks of its past', () => {
  const past = [made(1), made(2, { taken: { winner: 1, plays: [], points: 3 } })];
  expect(seated({ ...snapshot(), past }).tricks).toEqual([{ winner: 1, plays: [], points: 3 }]);
});

test('a frame adds its choice to the past', () => {
  const state = applyFrame(seated(snapshot()), played(1, 1, 'KS'));
  expect(state.past.map((one) => one.card)).toEqual(['KS']);
  expect(state.frame.trick).toEqual([{ seat: 1, card: 'KS' }]);
});

test('a frame that ends a trick adds the trick', () => {
  expect(applyFrame(seated(snapshot()), tookTrick(1, 2)).tricks[0]?.winner).toBe(2);
});

test('a frame that is no next one changes what lies on the table, not the past', () => {
  const state = applyFrame(seated(snapshot()), frame(7));
  expect(state.past).toEqual([]);
  expect(state.frame.number).toBe(7);
});
