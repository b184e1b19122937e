// @vitest-environment node
import { expect, test } from 'vitest';
import { gameInfo } from '../testing/tables';
import type { OptionInfo } from '../wire';
import {
  askable,
  controlOf,
  dialOf,
  fitted,
  freshSetup,
  placesOf,
  recalled,
  remembered,
  tableOf,
  watchers,
  withOption,
  withSitter,
  withStrength,
} from './setup';

const option = (told: Partial<OptionInfo>): OptionInfo => ({
  name: 'target',
  meaning: 'the end of the match',
  default: 100,
  values: null,
  at_least: 1,
  at_most: null,
  ...told,
});
const people = option({ name: 'people', default: 4, at_least: 4, at_most: 8 });
const game = gameInfo({ options: [option({}), people] });

test('an option is asked for by what it can be', () => {
  expect(controlOf(option({}))).toBe('number');
  expect(controlOf(option({ default: true, values: [true, false] }))).toBe('switch');
  expect(controlOf(option({ default: 'a', values: ['a', 'b'] }))).toBe('choice');
  expect(controlOf(option({ default: 'LRAH' }))).toBe('text');
});

test('an option with one value is no question', () => {
  expect(askable([option({ default: true, values: [true] }), people])).toEqual([people]);
});

test('only what differs from the usual rules is sent', () => {
  const changed = withOption({}, option({}), 50);
  expect(changed).toEqual({ target: 50 });
  expect(withOption(changed, option({}), 100)).toEqual({});
});

test('the table is asked for with me, the others and my name', () => {
  const setup = withSitter(freshSetup(game, 'random'), 2, 'other', 'random');
  expect(tableOf(setup, 'Ann')).toEqual({
    game: 'hearts',
    variant: {},
    players: ['person', 'random', 'person', 'random'],
    names: ['Ann', '', '', ''],
    seed: null,
    deal: null,
  });
});

test('a shared deal brings its own rules and cards', () => {
  const setup = { ...freshSetup(game, 'random'), variant: { target: 50 }, seed: 3 };
  expect(tableOf(setup, '', 'line')).toMatchObject({ variant: {}, seed: null, deal: 'line' });
});

test('there is only one of me', () => {
  const moved = withSitter(freshSetup(game, 'random'), 3, 'me', 'rulebook');
  expect(moved.sitters).toEqual([
    { player: 'rulebook' },
    { player: 'random' },
    { player: 'random' },
    'me',
  ]);
});

test('the dial changes all players and no people', () => {
  expect(withStrength(freshSetup(game, 'random'), 'rulebook').sitters).toEqual([
    'me',
    { player: 'rulebook' },
    { player: 'rulebook' },
    { player: 'rulebook' },
  ]);
  expect(dialOf(game.players)).toHaveLength(3);
});

test('more people want more places', () => {
  expect(placesOf(game, { people: 6 })).toBe(6);
  const setup = { ...freshSetup(game, 'random'), variant: { people: 6 } };
  expect(fitted(setup, game, 'random').sitters).toHaveLength(6);
});

test('whoever only watches gives his seat to a player', () => {
  expect(watchers(freshSetup(game, 'random'), 'rulebook').sitters[0]).toEqual({
    player: 'rulebook',
  });
});

test('the last setup is found again, as far as it still fits', () => {
  const setup = { ...freshSetup(game, 'rulebook'), variant: { target: 50 } };
  expect(recalled(game, remembered(setup), 'random')).toEqual(setup);
  const odd = { variant: { target: 50, gone: 1 }, players: ['me', 7] };
  expect(recalled(game, odd, 'random')).toEqual({
    ...freshSetup(game, 'random'),
    variant: { target: 50 },
  });
});
