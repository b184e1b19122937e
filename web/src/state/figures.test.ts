// @vitest-environment node
import { expect, test } from 'vitest';
import { costWithError, percent, points, withError, withInterval } from './figures';

test('points carry their sign and no more digits than matter', () => {
  expect([3.237, -12.46, 131.4, 0.001, -0.5].map(points)).toEqual([
    '+3.24',
    '−12.5',
    '+131',
    '0',
    '−0.50',
  ]);
});

test('± is two standard errors, as exact as the points beside it', () => {
  expect(withError(-12.46, 0.208)).toBe('−12.5 ± 0.4');
  expect(withError(3.2, 0.208)).toBe('+3.20 ± 0.42');
  expect(withError(3.2, null)).toBe('+3.20');
});

test('a cost has no sign, and nothing is just nothing', () => {
  expect(costWithError(34.94, 0.95)).toBe('34.9 ± 1.9');
  expect(costWithError(0, 0)).toBe('0');
  expect(costWithError(-0.001, 0.01)).toBe('0.00 ± 0.02');
});

test('a share is called nothing or all only if it is', () => {
  expect([0, 0.004, 0.345, 0.999, 1].map(percent)).toEqual(['0%', '<1%', '35%', '>99%', '100%']);
});

test('an interval is told with its mean', () => {
  const won = { mean: 0.5, low: 0.412, high: 0.588 };
  expect(withInterval(won, percent)).toBe('50% (41% … 59%)');
});
