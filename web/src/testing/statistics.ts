/** Statistics for tests, told as the service tells them. */
import type { DealRow, GameStatistics, Statistics } from '../wire';

export function dealRow(told: Partial<DealRow> = {}): DealRow {
  return {
    table: 't1',
    deal: 2,
    token: 's3cret',
    place: 0,
    game: 'hearts',
    variant: {},
    players: ['person', 'rulebook', 'rulebook', 'rulebook'],
    payoff: -3.5,
    gained: 7,
    assisted: false,
    retry: false,
    accuracy: 0.86,
    outcome: 'unlucky',
    finished: '2026-03-01T12:00:00.000Z',
    ...told,
  };
}

export function gameStatistics(told: Partial<GameStatistics> = {}): GameStatistics {
  const payoff = { mean: 1.25, low: -0.5, high: 3 };
  const won = { mean: 0.5, low: 0.3, high: 0.7 };
  return {
    game: 'hearts',
    deals: 24,
    assisted: 3,
    matches: 2,
    matches_won: { mean: 0.5, low: 0.1, high: 0.9 },
    payoff,
    won,
    accuracy: { mean: 0.84, low: 0.8, high: 0.88 },
    reviewed: 5,
    rating: { mean: 312, low: 201, high: 420 },
    opponents: [{ players: ['rulebook'], titles: ['Rulebook'], elo: 300, deals: 24, payoff, won }],
    ...told,
  };
}

export function statistics(told: Partial<Statistics> = {}): Statistics {
  return { games: [gameStatistics()], deals: 1, rows: [dealRow()], ...told };
}
