// @vitest-environment node
import { expect, test } from 'vitest';
import { byColumn, columnsOf, sheetWith, signed, viewerFirst } from './sheet';

const FLAGS = { assisted: false, replaced: 0 };
const ROW = { deal: 0, gained: [5, 0, 5, 0], totals: [5, 2, 5, 2], phrases: [], ...FLAGS };

test('a fixed team has one column', () => {
  const columns = columnsOf(4, [0, 1, 0, 1]);
  expect(columns.map((column) => column.places)).toEqual([
    [0, 2],
    [1, 3],
  ]);
  expect(byColumn(columns, ROW.totals)).toEqual([5, 2]);
});

test('without teams everybody has a column', () => {
  expect(columnsOf(5, null)).toHaveLength(5);
});

test('more places than seats have no fixed teams', () => {
  expect(columnsOf(6, [0, 1, 0, 1, 0])).toHaveLength(6);
});

test('the viewer’s column is first', () => {
  const columns = viewerFirst(columnsOf(4, [0, 1, 0, 1]), 3);
  expect(columns[0]?.places).toEqual([1, 3]);
  expect(viewerFirst(columns, null)).toBe(columns);
});

test('the deal on display is added once', () => {
  expect(sheetWith([], ROW)).toEqual([ROW]);
  expect(sheetWith([ROW], ROW)).toEqual([ROW]);
  expect(sheetWith([ROW], null)).toEqual([ROW]);
});

test('gains carry their sign', () => {
  expect([signed(5), signed(0), signed(-3)]).toEqual(['+5', '0', '−3']);
});
