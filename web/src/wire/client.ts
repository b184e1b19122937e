/** The service's REST side. */

import type { Shared } from '../state/share';
import { t } from '../texts';
import type {
  CreateTable,
  GameInfo,
  HistoryRow,
  Problem,
  Settings,
  Statistics,
  TableCreated,
} from '.';
import { personKey } from './keeping';

/** Something the service did not do, in one line. */
export class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
    this.name = problem.error;
  }
}

export const service = {
  games: () => asked<GameInfo[]>('GET', '/api/games'),
  /** One game; to ask for it begins to make it ready. */
  game: (name: string) => asked<GameInfo>('GET', `/api/games/${encodeURIComponent(name)}`),
  layTable: (table: CreateTable) => asked<TableCreated>('POST', '/api/tables', table),
  settings: () => asked<Settings>('GET', '/api/settings'),
  keepSettings: (settings: Settings) => asked<Settings>('PUT', '/api/settings', settings),
  history: () => asked<HistoryRow[]>('GET', '/api/history'),
  /** A finished deal, as it goes into a link. */
  sharedDeal: (table: string, deal: number, token: string) =>
    asked<Shared>('GET', `/api/tables/${table}/deals/${deal}/link`, undefined, token),
  /** The record of a finished deal, for keeping. */
  record: async (table: string, deal: number, format: 'json' | 'text', token: string) => {
    const path = `/api/tables/${table}/deals/${deal}/record?format=${format}`;
    return (await answered('GET', path, undefined, token)).text();
  },
  /** A table at which a finished deal goes on from one of its moments. */
  retry: (table: string, deal: number, number: number, token: string) =>
    asked<TableCreated>('POST', `/api/tables/${table}/deals/${deal}/retry`, { number }, token),
  statistics: (query: string) => asked<Statistics>('GET', `/api/statistics?${query}`),
  /** All deals that fit, for keeping. */
  exported: async (format: 'jsonl' | 'csv', query: string) =>
    (await answered('GET', `/api/export?format=${format}&${query}`)).blob(),
  forgetTable: (table: string) => answered('DELETE', `/api/tables/${table}`),
  forgetEverything: () => answered('DELETE', '/api/history'),
};

async function asked<T>(method: string, path: string, body?: unknown, bearer?: string): Promise<T> {
  return (await (await answered(method, path, body, bearer)).json()) as T;
}

/** The answer to one request. A fault of the network is told as a problem too. */
async function answered(
  method: string,
  path: string,
  body?: unknown,
  bearer: string = personKey(),
): Promise<Response> {
  const headers: Record<string, string> = { Authorization: `Bearer ${bearer}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let answer: Response;
  try {
    const json = body === undefined ? undefined : JSON.stringify(body);
    answer = await fetch(path, { method, headers, body: json });
  } catch {
    throw new ServiceError(0, { error: 'Unreachable', message: t('problem.unreachable') });
  }
  if (!answer.ok) throw new ServiceError(answer.status, await problemOf(answer));
  return answer;
}

async function problemOf(answer: Response): Promise<Problem> {
  try {
    const told: unknown = await answer.json();
    if (isProblem(told)) return told;
  } catch {
    // Not JSON: the status has to do.
  }
  return { error: 'Refused', message: t('problem.status', { status: answer.status }) };
}

function isProblem(told: unknown): told is Problem {
  return typeof told === 'object' && told !== null && 'error' in told && 'message' in told;
}

/** What went wrong, in one line. */
export function inOneLine(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
