/** Tables for tests, told as the service tells them. */
import type { ChoiceMade, Frame, GameInfo, Play, Snapshot, TableInfo } from '../wire';

export function tableInfo(told: Partial<TableInfo> = {}): TableInfo {
  return {
    id: 't1',
    game: 'hearts',
    variant: {},
    places: [0, 1, 2, 3].map((place) => ({
      place,
      player: place === 0 ? 'person' : 'random',
      title: place === 0 ? 'Ann' : 'Random choices',
      connected: true,
    })),
    seats: [0, 1, 2, 3],
    viewer_place: 0,
    viewer: 0,
    deal: 0,
    scores: [0, 0, 0, 0],
    sheet: [],
    shared: false,
    retry: false,
    ...told,
  };
}

export function frame(number: number, told: Partial<Frame> = {}): Frame {
  return {
    number,
    event: null,
    phase: 'play',
    to_act: 1,
    hand: ['2C', 'KS'],
    counts: [2, 2, 2, 2],
    trick: [],
    tricks: [0, 0, 0, 0],
    facts: {
      dealer: 0,
      direction: 'hold',
      broken: false,
      points: [0, 0, 0, 0],
      mine: { passed: [], received: [] },
    },
    choices: [],
    refused: [],
    can_undo: false,
    assisted: false,
    replaced: 0,
    result: null,
    ...told,
  };
}

export function made(number: number, told: Partial<ChoiceMade> = {}): ChoiceMade {
  const card = told.card === undefined ? 'KS' : told.card;
  return {
    number,
    seat: 1,
    phase: 'play',
    text: card ?? 'pass',
    said: [],
    taken: null,
    ...told,
    card,
  };
}

/** A frame after a card was played by `seat`. */
export function played(
  number: number,
  seat: number,
  card: string,
  told: Partial<Frame> = {},
): Frame {
  const trick: Play[] = [{ seat, card }];
  return frame(number, { event: made(number, { seat, card }), trick, ...told });
}

/** A frame after the card that ended a trick. */
export function tookTrick(number: number, winner: number, told: Partial<Frame> = {}): Frame {
  const plays = ['KS', 'AS', '2S', '3S'].map((card, seat) => ({ seat, card }));
  const taken = { winner, plays, points: null };
  return frame(number, { event: made(number, { seat: 3, card: '3S', taken }), ...told });
}

export function snapshot(first: Frame = frame(0), told: Partial<TableInfo> = {}): Snapshot {
  return { kind: 'snapshot', table: tableInfo(told), past: [], frame: first };
}

export function gameInfo(told: Partial<GameInfo> = {}): GameInfo {
  return {
    name: 'hearts',
    title: 'Hearts',
    summary: 'points are bad',
    seats: 4,
    seat_names: ['West', 'North', 'East', 'South'],
    teams: null,
    cards: ['2C', 'KS', 'QD', 'AH'],
    phases: ['play'],
    options: [],
    players: [
      player('random', 0),
      player('rulebook', 300),
      { ...player('pimc:worlds=20', 500), error: 20 },
    ],
    readiness: { state: 'ready', done: 0, steps: 0, what: '' },
    ...told,
  };
}

function player(name: string, elo: number) {
  return { name, title: name, elo, error: null, boards: null, command: null, on_dial: true };
}
