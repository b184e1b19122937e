// @vitest-environment node
import { expect, test } from 'vitest';
import { dealRow } from '../testing/statistics';
import { gameInfo } from '../testing/tables';
import { ALL, companyOf, elo, pageOf, playersOffered, queryOf, remarksOf } from './statistics';

test('only what is asked for is in the query', () => {
  expect(queryOf(ALL)).toBe('');
  expect(queryOf({ ...ALL, game: 'hearts', assisted: 'false' }, 50)).toBe(
    'game=hearts&assisted=false&first=50',
  );
});

test('both days of a span are asked for from midnight to midnight', () => {
  const asked = new URLSearchParams(queryOf({ ...ALL, since: '2026-03-01', until: '2026-03-02' }));
  const [since, until] = ['since', 'until'].map((name) => new Date(asked.get(name) ?? ''));
  expect(since).toEqual(new Date('2026-03-01T00:00:00'));
  expect(until).toEqual(new Date('2026-03-02T23:59:59.999'));
  expect(queryOf({ ...ALL, since: 'soon' })).toBe('');
});

test('pages lead to the rows beside them', () => {
  expect(pageOf(0, 50, 120)).toEqual({ from: 1, to: 50, newer: null, older: 50 });
  expect(pageOf(100, 20, 120)).toEqual({ from: 101, to: 120, newer: 50, older: null });
  expect(pageOf(0, 0, 0)).toEqual({ from: 0, to: 0, newer: null, older: null });
});

test('a company is told once, by titles where they are known', () => {
  const row = dealRow({ players: ['person', 'rulebook', 'rulebook', 'pimc:worlds=3'] });
  const players = gameInfo().players.map((player) =>
    player.name === 'rulebook' ? { ...player, title: 'Rulebook' } : player,
  );
  expect(companyOf(row, gameInfo({ players }))).toBe('Rulebook, pimc:worlds=3');
});

test('the players of one game can be asked for, or of all', () => {
  const games = [gameInfo(), gameInfo({ name: 'hokm', players: [] })];
  expect(playersOffered(games, 'hokm')).toEqual([]);
  expect(playersOffered(games, '').map(({ name }) => name)).toEqual([
    'random',
    'rulebook',
    'pimc:worlds=20',
  ]);
});

test('an Elo is a whole number with a proper minus', () => {
  expect([elo(412.4), elo(-12.6)]).toEqual(['412', '−13']);
});

test('a retry is called a retry, whatever else it was', () => {
  expect(remarksOf(dealRow({ assisted: true, retry: true }))).toEqual(['retry']);
  expect(remarksOf(dealRow({ assisted: true }))).toEqual(['assisted']);
  expect(remarksOf(dealRow())).toEqual([]);
});
