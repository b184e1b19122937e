import { ChoiceMarks } from '../advice/Bar';
import { useAdvice } from '../advice/context';
import type { DrawingProps, GameDrawing } from '../games/drawing';
import { choiceWords } from '../state/live';
import { t } from '../texts';

export interface PlainChoicesProps extends DrawingProps {
  readonly drawing: GameDrawing | undefined;
}

/** Every choice that is no card of the hand, as a button. */
export function PlainChoices({ state, act, drawing }: PlainChoicesProps) {
  const { hinted } = useAdvice();
  const { frame } = state;
  const spoken = frame.choices.filter((told) => !told.card || !frame.hand.includes(told.card));
  if (spoken.length === 0) return null;
  return (
    <fieldset className="plain-choices">
      <legend className="only-heard">{t('choices.label')}</legend>
      {spoken.map((told, index) => (
        <button
          key={told.choice}
          type="button"
          className={hinted === told.choice ? 'hinted' : undefined}
          data-choice={told.choice}
          data-text={told.text}
          aria-keyshortcuts={index < 9 ? String(index + 1) : undefined}
          onClick={() => act(told.choice)}
        >
          {choiceWords(told.text, frame.phase, told.card ?? null, state, drawing)}
          <ChoiceMarks choice={told.choice} />
        </button>
      ))}
    </fieldset>
  );
}
