import { useEffect } from 'react';
import type { TableState } from '../state/table';

const SOON = 250;

/** Plays the only legal card, if the person likes it so. */
export function useForced(
  state: TableState,
  on: boolean,
  act: (...choices: number[]) => void,
): void {
  const { choices } = state.frame;
  const only = choices.length === 1 && choices[0]?.card ? choices[0].choice : null;
  useEffect(() => {
    if (!on || only === null) return;
    const timer = setTimeout(() => act(only), SOON);
    return () => clearTimeout(timer);
  }, [on, only, act]);
}
