// @vitest-environment node
import { expect, test } from 'vitest';
import { frame, made, played, snapshot, tookTrick } from '../testing/tables';
import { sentencesSince, turnSentence } from './live';
import { withNames } from './seating';
import { applyFrame, seated, type TableState } from './table';

const table = (): TableState => {
  const told = snapshot();
  return seated({ ...told, table: withNames(told.table) });
};

const told = (state: TableState, since = 0) =>
  sentencesSince(state, since).map((sentence) => sentence.text);

test('a card that is played is told with who played it', () => {
  expect(told(applyFrame(table(), played(1, 1, 'KS')))).toEqual(['West plays the king of spades.']);
  expect(told(applyFrame(table(), played(1, 0, 'TH')))).toEqual(['You play the ten of hearts.']);
});

test('a trick is told with who takes it', () => {
  expect(told(applyFrame(table(), tookTrick(1, 0)))).toEqual([
    'East plays the three of spades.',
    'You take the trick.',
  ]);
  expect(told(applyFrame(table(), tookTrick(1, 2))).at(-1)).toBe('North takes the trick.');
});

test('only what is new is told', () => {
  const two = applyFrame(applyFrame(table(), played(1, 1, 'KS')), played(2, 2, 'AS'));
  expect(told(two, 1)).toEqual(['North plays the ace of spades.']);
});

test('a hidden choice tells no card', () => {
  const hidden = frame(1, { event: made(1, { card: null, text: '?', phase: 'other' }) });
  expect(told(applyFrame(table(), hidden))[0]).toMatch(/^West has chosen/);
});

test('the viewer is told that it is his turn, others are not', () => {
  const state = table();
  expect(turnSentence({ ...state, frame: frame(1, { to_act: 0 }) })?.text).toBe('Your turn.');
  expect(turnSentence({ ...state, frame: frame(1, { to_act: 2 }) })).toBeNull();
  const watcher = { ...state.info, viewer: null, viewer_place: null };
  expect(turnSentence({ ...state, info: watcher, frame: frame(1, { to_act: 0 }) })).toBeNull();
});
