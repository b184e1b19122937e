// @vitest-environment node
import { expect, test } from 'vitest';
import { decodeDeal, encodeDeal } from './share';

const DEAL = { game: 'snapszer', deal: 'snapszer target=7 | Ah Kb … é | 0' };

test('a shared deal comes out of its link as it went in', () => {
  expect(decodeDeal(encodeDeal(DEAL))).toEqual(DEAL);
});

test('a link holds only letters that need no escape', () => {
  expect(encodeDeal({ ...DEAL, deal: '???>>>ÿÿ'.repeat(9) })).toMatch(/^[A-Za-z0-9_-]+$/);
});

test.each(['', '!', 'abc', encodeDeal(DEAL).slice(0, -3), btoa('{"game":1}'), btoa('["a",2]')])(
  'a damaged link is noticed: %s',
  (letters) => expect(decodeDeal(letters)).toBeNull(),
);
