// @vitest-environment node
import { expect, test } from 'vitest';
import { hashOf, linkTo, parseRoute, type Route } from './router';

const ROUTES: readonly Route[] = [
  { at: 'lobby' },
  { at: 'new', game: 'hearts' },
  { at: 'table', table: 'ab12', token: null },
  { at: 'table', table: 'ab12', token: 's3cret' },
  { at: 'review', table: 'ab12', deal: 3, token: null },
  { at: 'review', table: 'ab12', deal: 0, token: 's3cret' },
  { at: 'deal', deal: 'WyJoIiwiIl0' },
  { at: 'rules', game: 'hokm' },
  { at: 'settings' },
  { at: 'history' },
  { at: 'statistics' },
];

test.each(ROUTES)('a route is found again from its hash: %o', (route) => {
  expect(parseRoute(hashOf(route))).toEqual(route);
});

test.each([
  '',
  '#',
  '#/',
  '#/nowhere',
  '#/table',
  '#/new/',
  '#/review/ab12',
  '#/review/ab12/x',
  '#/new/%E0%A4%A',
])('anything else is the lobby: %s', (hash) => expect(parseRoute(hash)).toEqual({ at: 'lobby' }));

test('a secret is behind the hash, which no server sees', () => {
  const page = { origin: 'http://localhost:8137', pathname: '/' };
  const link = linkTo({ at: 'table', table: 'ab12', token: 's3cret' }, page);
  expect(new URL(link).pathname).toBe('/');
  expect(new URL(link).search).toBe('');
  expect(link).toBe('http://localhost:8137/#/table/ab12/s3cret');
});
