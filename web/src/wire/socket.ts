/** The line to a table: says who one is, hears what happens, and comes back after a break. */
import type { ClientMessage, ServerMessage } from '.';

export type LineState = 'connecting' | 'open' | 'reconnecting' | 'closed';

export interface LineEvents {
  readonly onMessage: (message: ServerMessage) => void;
  readonly onState: (state: LineState) => void;
}

/** What a page asks for once it has said who it is; the line numbers its wishes itself. */
export type Wish =
  Exclude<ClientMessage, { kind: 'hello' }> extends infer M
    ? M extends unknown
      ? Omit<M, 'id'>
      : never
    : never;

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
/** Codes from here on are the service's own: it turns the page away for good. */
const TURNED_AWAY = 4000;

/** How long to wait before try number `tries`, from 0: doubled each time, up to five seconds. */
export function backoff(tries: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(tries, 10));
}

export function lineUrl(table: string, page: Pick<Location, 'protocol' | 'host'>): string {
  const scheme = page.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${page.host}/api/tables/${encodeURIComponent(table)}/socket`;
}

export class Line {
  private socket: WebSocket | null = null;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private lastId = 0;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly events: LineEvents,
    private readonly connect: (url: string) => WebSocket = (url) => new WebSocket(url),
  ) {}

  open(): void {
    this.events.onState(this.tries === 0 ? 'connecting' : 'reconnecting');
    const socket = this.connect(this.url);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ kind: 'hello', token: this.token }));
    socket.onmessage = ({ data }) => this.hear(String(data));
    socket.onclose = ({ code }) => this.lost(code);
  }

  /** Sends a wish with an id of its own; null while the line is down. */
  send(wish: Wish): number | null {
    if (this.socket?.readyState !== 1) return null;
    this.lastId += 1;
    this.socket.send(JSON.stringify({ ...wish, id: this.lastId }));
    return this.lastId;
  }

  /** Asks for everything anew, by taking the line up again. */
  refresh(): void {
    this.socket?.close();
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private hear(data: string): void {
    if (this.ended) return;
    const message = JSON.parse(data) as ServerMessage;
    if (message.kind === 'snapshot') {
      this.tries = 0;
      this.events.onState('open');
    }
    this.events.onMessage(message);
  }

  private lost(code: number): void {
    if (this.ended) return;
    if (code >= TURNED_AWAY) {
      this.ended = true;
      this.events.onState('closed');
      return;
    }
    const wait = backoff(this.tries);
    this.tries += 1;
    this.events.onState('reconnecting');
    this.timer = setTimeout(() => this.open(), wait);
  }
}
