/** What help there is for each choice of the moment: every part that draws a choice asks here. */
import { createContext, useContext } from 'react';
import { type Bars, NO_BARS } from '../state/advice';
import type { BarTold } from '../wire';

export interface Advice {
  /** By choice. */
  readonly bars: Bars;
  /** The choice that a hint prefers. */
  readonly hinted: number | null;
}

export const NO_ADVICE: Advice = { bars: NO_BARS, hinted: null };
export const AdviceContext = createContext<Advice>(NO_ADVICE);

export function useAdvice(): Advice {
  return useContext(AdviceContext);
}

export interface ChoiceAdvice {
  readonly bar: BarTold | undefined;
  readonly hinted: boolean;
}

/** What help there is for one choice; none for one that is not offered. */
export function useChoiceAdvice(choice: number | null | undefined): ChoiceAdvice {
  const { bars, hinted } = useAdvice();
  if (typeof choice !== 'number') return { bar: undefined, hinted: false };
  return { bar: bars.get(choice), hinted: hinted === choice };
}
