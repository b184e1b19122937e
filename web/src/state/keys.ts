/** Which key does what at the table, and in a review. */
import type { Step } from './review';

export type KeyAction =
  | 'undo'
  | 'next'
  | 'last-trick'
  | 'history'
  | 'sheet'
  | 'game-panel'
  | 'pause'
  | 'mute'
  | 'help'
  | 'menu'
  | 'hand'
  | 'hint'
  | 'analysis'
  | { readonly choice: number };

interface Pressed {
  readonly key: string;
  readonly ctrlKey?: boolean;
  readonly altKey?: boolean;
  readonly metaKey?: boolean;
}

const LETTERS: Readonly<Record<string, KeyAction>> = {
  u: 'undo',
  n: 'next',
  l: 'last-trick',
  d: 'history',
  h: 'hint',
  a: 'analysis',
  s: 'sheet',
  g: 'game-panel',
  p: 'pause',
  m: 'mute',
  '?': 'help',
};

const ALWAYS: Readonly<Record<string, KeyAction>> = {
  Escape: 'menu',
  ArrowLeft: 'hand',
  ArrowRight: 'hand',
};

/** What a key asks for at the table; null if nothing. Letters can be switched off. */
export function actionOf(pressed: Pressed, letters = true): KeyAction | null {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return null;
  const always = ALWAYS[pressed.key];
  if (always) return always;
  if (!letters) return null;
  if (/^[1-9]$/.test(pressed.key)) return { choice: Number(pressed.key) - 1 };
  return LETTERS[pressed.key.toLowerCase()] ?? null;
}

/** The card that an arrow key leads to from `index`, in a hand of `count`; null for other keys. */
export function cardReached(key: string, index: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowLeft':
      return (index - 1 + count) % count;
    case 'ArrowRight':
      return (index + 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

export type ReviewAction = Step | 'hands' | 'leave';

const REVIEW: Readonly<Record<string, ReviewAction>> = {
  ArrowLeft: 'back',
  ArrowRight: 'forward',
  Home: 'first',
  End: 'final',
  Escape: 'leave',
};

/** What a key asks for while a deal is reviewed; null if nothing. */
export function reviewActionOf(pressed: Pressed, letters = true): ReviewAction | null {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return null;
  if (letters && pressed.key.toLowerCase() === 'o') return 'hands';
  return REVIEW[pressed.key] ?? null;
}

/** The keys as the help lists them: what is pressed, and the text that says what it does. */
export const KEY_HELP = [
  ['← →', 'key.arrows'],
  ['Home End', 'key.ends'],
  ['Enter', 'key.enter'],
  ['1 … 9', 'key.numbers'],
  ['h', 'key.hint'],
  ['a', 'key.analysis'],
  ['u', 'key.undo'],
  ['n', 'key.next'],
  ['l', 'key.last'],
  ['d', 'key.history'],
  ['s', 'key.sheet'],
  ['g', 'key.panel'],
  ['p', 'key.pause'],
  ['m', 'key.mute'],
  ['?', 'key.help'],
  ['Esc', 'key.menu'],
] as const;

/** The keys of a review. */
export const REVIEW_KEY_HELP = [
  ['← →', 'key.review.step'],
  ['Home End', 'key.review.ends'],
  ['o', 'key.review.hands'],
  ['Esc', 'key.review.leave'],
] as const;
