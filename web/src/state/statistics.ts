/** What a person has played: filters, pages and figures. */
import { t } from '../texts';
import { type DealRow, type GameInfo, PERSON } from '../wire';

export interface Filters {
  readonly game: string;
  /** One of the players at the table. */
  readonly player: string;
  /** Days as a date field tells them, both included; empty for any. */
  readonly since: string;
  readonly until: string;
  readonly assisted: '' | 'true' | 'false';
}

export const ALL: Filters = { game: '', player: '', since: '', until: '', assisted: '' };

/** Rows that come at once. */
export const PAGE = 50;

/** What the service is asked for; days are those of this browser. */
export function queryOf(filters: Filters, first = 0): string {
  const { game, player, assisted } = filters;
  const asked = {
    game,
    player,
    since: moment(filters.since, 0),
    until: moment(filters.until, 1),
    assisted,
    first: first > 0 ? String(first) : '',
  };
  const told = Object.entries(asked).filter(([, value]) => value !== '');
  return new URLSearchParams(told).toString();
}

/** The first millisecond of a day, or the last; empty if it is no day. */
function moment(day: string, days: number): string {
  const start = new Date(`${day}T00:00:00`);
  if (day === '' || Number.isNaN(start.getTime())) return '';
  start.setDate(start.getDate() + days);
  return new Date(start.getTime() - days).toISOString();
}

export interface PageOfRows {
  readonly from: number;
  readonly to: number;
  readonly newer: number | null;
  readonly older: number | null;
}

/** Which rows are on display, counted from 1, and where the pages beside them begin. */
export function pageOf(first: number, shown: number, all: number): PageOfRows {
  return {
    from: shown > 0 ? first + 1 : 0,
    to: first + shown,
    newer: first > 0 ? Math.max(0, first - PAGE) : null,
    older: first + shown < all ? first + shown : null,
  };
}

/** An Elo as it is written. */
export function elo(value: number): string {
  return String(Math.round(value)).replace('-', '−');
}

/** The players that somebody met, by their titles, each once. */
export function companyOf(row: DealRow, game: GameInfo | undefined): string {
  const met = [...new Set(row.players.filter((player) => player !== PERSON))];
  return met.map((player) => titleOf(player, game)).join(', ');
}

/** A player's title; his name where the game does not know him. */
export function titleOf(player: string, game: GameInfo | undefined): string {
  return game?.players.find((one) => one.name === player)?.title ?? player;
}

export interface Offered {
  readonly name: string;
  readonly title: string;
}

/** The players that can be asked for: those of one game, or of all, each once. */
export function playersOffered(games: readonly GameInfo[], game: string): readonly Offered[] {
  const of = games.filter((one) => game === '' || one.name === game);
  const found = new Map(of.flatMap((one) => one.players.map(({ name, title }) => [name, title])));
  return [...found].map(([name, title]) => ({ name, title }));
}

/** When something happened, in the manner of the place. */
export function whenOf(iso: string): string {
  const when = new Date(iso);
  if (Number.isNaN(when.getTime())) return iso;
  return when.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** What is remarkable about a deal: that it was assisted, or tried again. */
export function remarksOf({ assisted, retry }: DealRow): readonly string[] {
  if (retry) return [t('statistics.retry')];
  return assisted ? [t('statistics.assisted')] : [];
}
