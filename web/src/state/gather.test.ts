// @vitest-environment node
import { expect, test } from 'vitest';
import { gathered, stillLegal, toggled } from './gather';

const CHOICES = ['2C', 'KS', 'AH', '5D'].map((card, choice) => ({ choice, text: card, card }));

test('a card goes into the tray, and out again', () => {
  expect(toggled([], 'KS', 3)).toEqual(['KS']);
  expect(toggled(['2C', 'KS'], 'KS', 3)).toEqual(['2C']);
});

test('a full tray takes no more', () => {
  expect(toggled(['2C', 'KS'], 'AH', 2)).toEqual(['2C', 'KS']);
});

test('only a full tray can be given, in the order it was filled', () => {
  expect(gathered(['AH'], CHOICES, 2)).toBeNull();
  expect(gathered(['AH', '2C'], CHOICES, 2)).toEqual([2, 0]);
});

test('a card that may not be chosen any more leaves the tray', () => {
  expect(stillLegal(['AH', '9D'], CHOICES)).toEqual(['AH']);
  expect(gathered(['AH', '9D'], CHOICES, 2)).toBeNull();
});
