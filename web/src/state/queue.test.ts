// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { frame, played, snapshot, tookTrick } from '../testing/tables';
import {
  advanced,
  hurried,
  isBusy,
  mayAct,
  opened,
  type Playback,
  paused,
  received,
  stageLasts,
  trickHeld,
  trickShown,
} from './queue';
import { paceOf, speedFor } from './speed';

function shownAfter(playback: Playback, ...frames: Parameters<typeof received>[2]): Playback {
  const next = received(playback, 0, frames, 'normal');
  if (!next) throw new Error('a frame is missing');
  return next;
}

const fresh = () => opened(snapshot());
const myTurn = { to_act: 0, choices: [{ choice: 7, text: 'KS', card: 'KS' }] };

describe('frames wait their turn', () => {
  test('one card moves while the next waits', () => {
    const two = shownAfter(fresh(), played(1, 1, 'KS'), played(2, 2, 'AS'));
    expect(two.shown.frame.number).toBe(1);
    expect(two.stage).toBe('moving');
    expect(two.waiting).toHaveLength(1);
    expect(advanced(two, 'normal').shown.frame.number).toBe(2);
  });

  test('a complete trick stays, is swept, and only then the next card is played', () => {
    const ended = shownAfter(fresh(), tookTrick(1, 2), played(2, 2, 'AH'));
    expect(trickShown(ended)).toHaveLength(4);
    const lingering = advanced(ended, 'normal');
    expect(lingering.stage).toBe('lingering');
    expect(trickHeld(lingering)?.winner).toBe(2);
    const sweeping = advanced(lingering, 'normal');
    expect(sweeping.stage).toBe('sweeping');
    const led = advanced(sweeping, 'normal');
    expect(led.shown.frame.number).toBe(2);
    expect(trickShown(led)).toEqual([{ seat: 2, card: 'AH' }]);
  });

  test('at instant speed everything is shown at once', () => {
    const all = received(fresh(), 0, [played(1, 1, 'KS'), tookTrick(2, 1)], 'instant');
    expect(all?.shown.frame.number).toBe(2);
    expect(all && isBusy(all)).toBe(false);
    expect(all?.shown.tricks).toHaveLength(1);
  });

  test('whoever wants less motion gets the instant table', () => {
    expect(speedFor('slow', true)).toBe('instant');
    expect(speedFor('slow', false)).toBe('slow');
  });
});

describe('the viewer never waits needlessly', () => {
  test('he may act while the old trick still lies there', () => {
    const lingering = advanced(shownAfter(fresh(), tookTrick(1, 0, myTurn)), 'normal');
    expect(lingering.stage).toBe('lingering');
    expect(mayAct(lingering)).toBe(true);
    expect(hurried(lingering, 'normal').stage).toBe('still');
  });

  test('he may not act on a frame that others have already followed', () => {
    const behind = shownAfter(fresh(), played(1, 3, 'KS', myTurn), played(2, 0, '2C'));
    expect(mayAct(behind)).toBe(false);
  });

  test('his own card needs no pause after it', () => {
    const mine = shownAfter(fresh(), played(1, 0, 'KS'));
    const theirs = shownAfter(fresh(), played(1, 1, 'KS'));
    expect(stageLasts(mine, 'normal')).toBe(paceOf('normal').move);
    expect(stageLasts(theirs, 'normal')).toBe(paceOf('normal').move + paceOf('normal').gap);
  });
});

describe('a pause', () => {
  test('holds back what others do, and lets it go on afterwards', () => {
    const held = shownAfter(paused(fresh(), true, 'normal'), played(1, 1, 'KS'));
    expect(held.shown.frame.number).toBe(0);
    expect(paused(held, false, 'normal').shown.frame.number).toBe(1);
  });

  test('does not hold back one’s own card', () => {
    const mine = shownAfter(paused(fresh(), true, 'normal'), played(1, 0, 'KS'));
    expect(mine.shown.frame.number).toBe(1);
  });

  test('keeps a complete trick on the table', () => {
    const lingering = advanced(shownAfter(fresh(), tookTrick(1, 2)), 'normal');
    expect(stageLasts(paused(lingering, true, 'normal'), 'normal')).toBeNull();
  });
});

describe('what comes over the wire', () => {
  test('a snapshot flushes the queue', () => {
    const busy = shownAfter(fresh(), played(1, 1, 'KS'), played(2, 2, 'AS'));
    const anew = opened(snapshot(frame(5)), busy);
    expect(anew.shown.frame.number).toBe(5);
    expect(isBusy(anew)).toBe(false);
    expect(anew.beat).toBeGreaterThan(busy.beat);
  });

  test('frames already known are dropped', () => {
    const once = shownAfter(fresh(), played(1, 1, 'KS'));
    expect(shownAfter(once, played(1, 1, 'KS')).waiting).toHaveLength(0);
  });

  test('a missing frame, or one of another deal, is noticed', () => {
    expect(received(fresh(), 0, [played(2, 1, 'KS')], 'normal')).toBeNull();
    expect(received(fresh(), 1, [played(1, 1, 'KS')], 'normal')).toBeNull();
  });
});
