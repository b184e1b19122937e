// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { snapshot } from '../testing/tables';
import { backoff, Line, type LineState, lineUrl } from './socket';

class FakeSocket {
  static all: FakeSocket[] = [];
  readyState = 1;
  sent: string[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number }) => void;
  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.onclose?.({ code: 1000 });
  }
}

function openLine() {
  const states: LineState[] = [];
  const heard: string[] = [];
  const events = {
    onState: (state: LineState) => states.push(state),
    onMessage: ({ kind }: { kind: string }) => heard.push(kind),
  };
  const line = new Line('ws://x', 's3cret', events, () => new FakeSocket() as never);
  line.open();
  return { line, states, heard };
}

const newest = () => FakeSocket.all.at(-1) as FakeSocket;
const tellSnapshot = () => newest().onmessage?.({ data: JSON.stringify(snapshot()) });

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
});
afterEach(() => vi.useRealTimers());

test('a page says first who it is', () => {
  openLine();
  newest().onopen?.();
  expect(JSON.parse(newest().sent[0] ?? '')).toEqual({ kind: 'hello', token: 's3cret' });
});

test('a line that breaks is taken up again until it holds', () => {
  const { states, heard } = openLine();
  tellSnapshot();
  newest().onclose?.({ code: 1006 });
  vi.advanceTimersByTime(backoff(0));
  newest().onclose?.({ code: 1006 });
  vi.advanceTimersByTime(backoff(1));
  tellSnapshot();
  expect(FakeSocket.all).toHaveLength(3);
  expect(states.at(0)).toBe('connecting');
  expect(states.at(-1)).toBe('open');
  expect(states).toContain('reconnecting');
  expect(heard).toEqual(['snapshot', 'snapshot']);
});

test('who is turned away does not come again', () => {
  const { states } = openLine();
  newest().onclose?.({ code: 4001 });
  vi.advanceTimersByTime(60_000);
  expect(states.at(-1)).toBe('closed');
  expect(FakeSocket.all).toHaveLength(1);
});

test('who is turned away for now comes again', () => {
  openLine();
  newest().onclose?.({ code: 1013 });
  vi.advanceTimersByTime(backoff(0));
  expect(FakeSocket.all).toHaveLength(2);
});

test('each wish has an id of its own, and none is sent while the line is down', () => {
  const { line } = openLine();
  const wish = { kind: 'next', deal: 0 } as const;
  expect([line.send(wish), line.send(wish)]).toEqual([1, 2]);
  newest().readyState = 3;
  expect(line.send(wish)).toBeNull();
});

test('the wait doubles up to five seconds', () => {
  expect([0, 1, 2, 20].map(backoff)).toEqual([250, 500, 1000, 5000]);
});

test('a secure page has a secure line', () => {
  expect(lineUrl('t1', { protocol: 'https:', host: 'h' })).toBe('wss://h/api/tables/t1/socket');
});
