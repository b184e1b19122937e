// @vitest-environment node
import { expect, test } from 'vitest';
import { tableInfo } from '../testing/tables';
import { spotsAround, withNames } from './seating';

test('the viewer sits at the lower rim, the next seat to his left', () => {
  const spots = spotsAround(4, 2);
  expect(spots[2]?.y).toBe(1);
  expect(spots[3]?.x).toBe(-1);
  expect(spots[0]?.y).toBe(-1);
  expect(spots[1]?.x).toBe(1);
});

test('any number of seats goes round the table', () => {
  for (const seats of [1, 2, 3, 4, 5, 6, 8]) expect(spotsAround(seats, 0)).toHaveLength(seats);
});

test('players are called by where they sit, people by their names', () => {
  const names = withNames(tableInfo()).places.map((place) => place.title);
  expect(names).toEqual(['Ann', 'West', 'North', 'East']);
});

test('two people at one table call the same player differently', () => {
  const other = withNames(tableInfo({ viewer: 2, viewer_place: 2 }));
  expect(other.places.map((place) => place.title)).toEqual(['Ann', 'East', 'South', 'West']);
});
