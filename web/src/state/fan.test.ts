// @vitest-environment node
import { expect, test } from 'vitest';
import { fanOf, TOUCHABLE } from './fan';

test('thirteen cards on a phone leave strips that a finger meets', () => {
  for (const width of [344, 374, 398])
    expect(fanOf(13, width, 78).strip).toBeGreaterThanOrEqual(TOUCHABLE);
});

test('no card leaves the room it has', () => {
  for (const count of [1, 2, 5, 13])
    for (const { x } of fanOf(count, 360, 90).cards) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + fanOf(count, 360, 90).cardWidth).toBeLessThanOrEqual(360.001);
    }
});

test('a hand is held evenly', () => {
  const { cards } = fanOf(5, 900, 100);
  expect(cards[2]?.angle).toBe(0);
  expect(cards[0]?.angle).toBeCloseTo(-(cards[4]?.angle ?? 0));
  expect(cards[0]?.y).toBeCloseTo(cards[4]?.y ?? 1);
});
