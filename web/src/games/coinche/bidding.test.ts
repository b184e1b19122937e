import { describe, expect, test } from 'vitest';
import { choicesOf, pastOf, tableOf } from '../making';
import { auctionRows, bidGrid, bidOf, callers, isOffered } from './bidding';

describe('the bidding box', () => {
  test('offers what the table offers, and nothing else', () => {
    const grid = bidGrid(choicesOf('P 160S 250S 250H 250D 250C X'));
    expect(grid.filter(isOffered).map((row) => row.value)).toEqual([160, 250]);
    const [only] = grid.filter(isOffered);
    expect(only?.bids.map((told) => told?.choice)).toEqual([1, undefined, undefined, undefined]);
  });

  test('has ten values with four suits each', () => {
    const grid = bidGrid([]);
    expect(grid.length).toBe(10);
    expect(grid.every((row) => row.bids.length === 4)).toBe(true);
  });

  test('pass and the doublings are no bids', () => {
    expect(['P', 'X', 'XX'].map(bidOf)).toEqual([null, null, null]);
    expect(bidOf('250C')).toEqual({ value: 250, suit: 'C' });
  });
});

describe('the auction', () => {
  const facts = { dealer: 3 };

  test('begins after the dealer', () => {
    expect(callers(tableOf('coinche', { facts: { dealer: 1 } }))).toEqual([2, 3, 0, 1]);
  });

  test('is told round by round', () => {
    const past = pastOf('bid', '0:80S 1:P 2:90S 3:X 0:P 1:P 2:P');
    const rows = auctionRows(tableOf('coinche', { facts, past }));
    expect(rows.map((row) => row.map((made) => made?.text ?? null))).toEqual([
      ['80S', 'P', '90S', 'X'],
      ['P', 'P', 'P', null],
    ]);
  });

  test('has no rows before the first call, and forgets the play', () => {
    expect(auctionRows(tableOf('coinche', { facts }))).toEqual([]);
    expect(auctionRows(tableOf('coinche', { facts, past: pastOf('play', '0:KS') }))).toEqual([]);
  });
});
