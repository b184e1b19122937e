// @vitest-environment node
import { expect, test } from 'vitest';
import { actionOf, cardReached, reviewActionOf } from './keys';

test.each([
  ['u', 'undo'],
  ['N', 'next'],
  ['h', 'hint'],
  ['A', 'analysis'],
  ['d', 'history'],
  ['?', 'help'],
  ['Escape', 'menu'],
  ['ArrowLeft', 'hand'],
])('%s asks for %s', (key, action) => expect(actionOf({ key })).toBe(action));

test('a digit is a choice, counted from one', () => {
  expect(actionOf({ key: '3' })).toEqual({ choice: 2 });
  expect(actionOf({ key: '0' })).toBeNull();
});

test('keys of the browser are left to it', () => {
  expect(actionOf({ key: 'n', ctrlKey: true })).toBeNull();
  expect(actionOf({ key: 'u', metaKey: true })).toBeNull();
});

test('letters can be switched off, Escape cannot', () => {
  expect(actionOf({ key: 'u' }, false)).toBeNull();
  expect(actionOf({ key: '1' }, false)).toBeNull();
  expect(actionOf({ key: 'Escape' }, false)).toBe('menu');
});

test('arrows go round the hand', () => {
  expect(cardReached('ArrowRight', 12, 13)).toBe(0);
  expect(cardReached('ArrowLeft', 0, 13)).toBe(12);
  expect(cardReached('End', 3, 13)).toBe(12);
  expect(cardReached('Home', 3, 13)).toBe(0);
  expect(cardReached('x', 3, 13)).toBeNull();
  expect(cardReached('End', 0, 0)).toBeNull();
});

test('arrows step through a review', () => {
  expect(reviewActionOf({ key: 'ArrowRight' })).toBe('forward');
  expect(reviewActionOf({ key: 'Home' })).toBe('first');
  expect(reviewActionOf({ key: 'ArrowRight', altKey: true })).toBeNull();
  expect([reviewActionOf({ key: 'O' }), reviewActionOf({ key: 'o' }, false)]).toEqual([
    'hands',
    null,
  ]);
});
