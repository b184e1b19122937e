/** Buttons for choices that are no cards. */
import type { ReactNode } from 'react';
import { ChoiceMarks } from '../../advice/Bar';
import { useChoiceAdvice } from '../../advice/context';
import type { TableState } from '../../state/table';
import type { ChoiceTold } from '../../wire';

/** The choices of the viewer that no card of the hand stands for. */
export function spokenChoices(state: TableState): readonly ChoiceTold[] {
  return state.frame.choices.filter((told) => told.card === null || told.card === undefined);
}

/** The choice of this notation, if it is offered. */
export function offered(choices: readonly ChoiceTold[], text: string): ChoiceTold | undefined {
  return choices.find((told) => told.text === text);
}

export interface ChoiceButtonProps {
  /** Undefined for a choice that is not offered now: the button is there but does nothing. */
  readonly told: ChoiceTold | undefined;
  /** In full words. */
  readonly name: string;
  readonly act: (...choices: number[]) => void;
  readonly kind?: 'main' | 'calm' | 'bold';
  readonly className?: string;
  /** What is seen in place of the name; the name is then heard after it. */
  readonly children?: ReactNode;
}

/** One choice as a button. */
export function ChoiceButton(props: ChoiceButtonProps) {
  const { told, name, act, kind = 'main', className = '', children } = props;
  const { hinted } = useChoiceAdvice(told?.choice);
  return (
    <button
      type="button"
      className={`g-choice g-${kind} ${hinted ? 'hinted' : ''} ${className}`.trim()}
      disabled={!told}
      data-choice={told?.choice}
      data-text={told?.text}
      onClick={() => told && act(told.choice)}
    >
      {children ?? name}
      {children && <span className="g-heard">, {name}</span>}
      <ChoiceMarks choice={told?.choice} />
    </button>
  );
}
