/** Secrets kept in this browser: who the person is, and the seats held at tables. */
import type { SeatToken } from '.';

const PERSON_KEY = 'overtrick.person';
const SEATS_KEY = 'overtrick.seats';
const MOST_SEATS = 200;

/** Storage of the browser; null where it is shut. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

let unkept: string | null = null;

/** The person's own key, drawn once and kept. */
export function personKey(storage: Storage | null = browserStorage()): string {
  const kept = storage?.getItem(PERSON_KEY) ?? unkept;
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  unkept = key;
  try {
    storage?.setItem(PERSON_KEY, key);
  } catch {
    // Then it lasts as long as the page.
  }
  return key;
}

const unkeptSeats: Record<string, string> = {};

function seats(storage: Storage | null): Record<string, string> {
  try {
    return { ...unkeptSeats, ...JSON.parse(storage?.getItem(SEATS_KEY) ?? '{}') };
  } catch {
    return { ...unkeptSeats };
  }
}

/** The token of the seat held at a table; null if none is. */
export function seatToken(
  table: string,
  storage: Storage | null = browserStorage(),
): string | null {
  const token = seats(storage)[table];
  return typeof token === 'string' ? token : null;
}

/** Keeps the token of a seat; the oldest are forgotten in time. */
export function keepSeat(
  table: string,
  token: string,
  storage: Storage | null = browserStorage(),
): void {
  unkeptSeats[table] = token;
  const { [table]: _, ...others } = seats(storage);
  const kept = [...Object.entries(others), [table, token]].slice(-MOST_SEATS);
  try {
    storage?.setItem(SEATS_KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Then it lasts as long as the page.
  }
}

const INVITATIONS_KEY = 'overtrick.invitations';

/** Keeps the seats of other people as long as this tab is open, to give their links again. */
export function keepInvitations(table: string, seats: readonly SeatToken[]): void {
  try {
    if (seats.length > 0)
      window.sessionStorage.setItem(`${INVITATIONS_KEY}.${table}`, JSON.stringify(seats));
  } catch {
    // The links were shown once.
  }
}

/** The seats of other people at a table laid in this tab. */
export function invitations(table: string): readonly SeatToken[] {
  try {
    return JSON.parse(window.sessionStorage.getItem(`${INVITATIONS_KEY}.${table}`) ?? '[]');
  } catch {
    return [];
  }
}
