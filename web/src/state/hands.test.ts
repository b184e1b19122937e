// @vitest-environment node
import { expect, test } from 'vitest';
import { bySuit } from './hands';

test('a hand is written suit by suit, the joker by itself', () => {
  expect(bySuit(['AS', 'KH', '2S', 'JO'])).toEqual([
    ['S', ['AS', '2S']],
    ['H', ['KH']],
    ['', ['JO']],
  ]);
});
