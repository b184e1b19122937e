import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { useHouse } from '../app/context';
import { heardHelp, NO_HELP } from '../state/advice';
import {
  advanced,
  hurried,
  mayAct,
  newest,
  opened,
  type Playback,
  paused,
  received,
  stageLasts,
} from '../state/queue';
import { withNames } from '../state/seating';
import type { Speed } from '../state/speed';
import { t } from '../texts';
import type { Frames, ServerMessage, Snapshot } from '../wire';
import { Line, type LineState, lineUrl, type Wish } from '../wire/socket';

type Event =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly kind: 'frames'; readonly frames: Frames; readonly speed: Speed }
  | { readonly kind: 'advance'; readonly beat: number; readonly speed: Speed }
  | { readonly kind: 'hurry'; readonly speed: Speed }
  | { readonly kind: 'pause'; readonly on: boolean; readonly speed: Speed };

interface Shown {
  readonly playback: Playback | null;
  /** A frame is missing: the table has to be told anew. */
  readonly torn: boolean;
}

function reduce(before: Shown, event: Event): Shown {
  const { playback } = before;
  if (event.kind === 'snapshot')
    return { playback: opened(named(event.snapshot), playback), torn: false };
  if (!playback) return before;
  switch (event.kind) {
    case 'frames': {
      const after = received(playback, event.frames.deal, event.frames.frames, event.speed);
      return after ? { playback: after, torn: false } : { playback, torn: true };
    }
    case 'advance':
      if (event.beat !== playback.beat) return before;
      return { ...before, playback: advanced(playback, event.speed) };
    case 'hurry':
      return { ...before, playback: hurried(playback, event.speed) };
    case 'pause':
      return { ...before, playback: paused(playback, event.on, event.speed) };
  }
}

function named(snapshot: Snapshot): Snapshot {
  return { ...snapshot, table: withNames(snapshot.table) };
}

/** One table over its line: what is on display, and what can be asked. */
export function useTable(table: string, token: string, speed: Speed) {
  const { notify } = useHouse();
  const [{ playback, torn }, dispatch] = useReducer(reduce, { playback: null, torn: false });
  const [help, hearHelp] = useReducer(heardHelp, NO_HELP);
  const [lineState, setLineState] = useState<LineState>('connecting');
  const [refused, setRefused] = useState<string | null>(null);
  const [connected, setConnected] = useState<readonly boolean[] | null>(null);
  const [pending, setPending] = useState(false);
  const line = useRef<Line | null>(null);
  const speedNow = useRef(speed);
  speedNow.current = speed;

  const hear = useCallback(
    (message: ServerMessage) => {
      hearHelp(message);
      switch (message.kind) {
        case 'snapshot':
          setPending(false);
          setConnected(message.table.places.map((place) => place.connected));
          dispatch({ kind: 'snapshot', snapshot: message });
          break;
        case 'frames':
          setPending(false);
          dispatch({ kind: 'frames', frames: message, speed: speedNow.current });
          break;
        case 'presence':
          setConnected(message.connected);
          break;
        case 'thinking':
          if (message.preparing) notify(t('table.preparing'));
          break;
        case 'refused':
          setPending(false);
          setRefused(message.message);
          notify(message.message, 'error');
          break;
      }
    },
    [notify],
  );

  useEffect(() => {
    const opening = new Line(lineUrl(table, window.location), token, {
      onMessage: hear,
      onState: (state) => {
        if (state !== 'open') setPending(false);
        setLineState(state);
      },
    });
    line.current = opening;
    opening.open();
    return () => opening.close();
  }, [table, token, hear]);

  useEffect(() => {
    if (torn) line.current?.refresh();
  }, [torn]);

  useEffect(() => {
    if (!playback) return;
    const lasts = stageLasts(playback, speed);
    if (lasts === null) return;
    const { beat } = playback;
    const timer = setTimeout(() => dispatch({ kind: 'advance', beat, speed }), lasts);
    return () => clearTimeout(timer);
  }, [playback, speed]);

  const act = useCallback(
    (...choices: number[]) => {
      if (!playback || pending || !mayAct(playback)) return;
      const { info, frame } = playback.shown;
      const id = line.current?.send({
        kind: 'act',
        deal: info.deal,
        number: frame.number,
        choices,
      });
      if (id) setPending(true);
      dispatch({ kind: 'hurry', speed });
    },
    [playback, pending, speed],
  );

  const undo = useCallback(() => {
    if (!playback?.shown.frame.can_undo) return;
    const { deal } = playback.shown.info;
    line.current?.send({ kind: 'undo', deal, number: newest(playback).number });
  }, [playback]);

  const next = useCallback(() => {
    if (!playback?.shown.frame.result) return;
    line.current?.send({ kind: 'next', deal: playback.shown.info.deal });
  }, [playback]);

  const hurry = useCallback(() => dispatch({ kind: 'hurry', speed }), [speed]);
  const pause = useCallback((on: boolean) => dispatch({ kind: 'pause', on, speed }), [speed]);

  const ask = useCallback((wish: Wish) => line.current?.send(wish) ?? null, []);

  return {
    playback,
    lineState,
    refused,
    connected,
    pending,
    help,
    hearHelp,
    ask,
    act,
    undo,
    next,
    hurry,
    pause,
  };
}

export type TableLine = ReturnType<typeof useTable>;
