import type { ReactNode } from 'react';
import type { ReviewAction } from '../state/keys';
import type { Step } from '../state/review';
import { t, tell } from '../texts';
import { Icon } from '../ui/Icon';

export interface StepsProps {
  readonly moment: number;
  readonly last: number;
  readonly open: boolean;
  readonly onKey: (action: ReviewAction) => void;
  readonly children: ReactNode;
}

const STEPS: readonly (readonly [Step, string])[] = [
  ['first', 'Home'],
  ['back', 'ArrowLeft'],
  ['forward', 'ArrowRight'],
  ['final', 'End'],
];

/** The buttons under the table: steps, hands, and what else can be done at this moment. */
export function Steps({ moment, last, open, onKey, children }: StepsProps) {
  return (
    <div className="review-steps" role="toolbar" aria-label={t('reviewed.steps')}>
      <div className="step-buttons">
        {STEPS.map(([step, key]) => (
          <button
            key={step}
            type="button"
            className="icon-button"
            title={tell(`reviewed.step.${step}`)}
            aria-label={tell(`reviewed.step.${step}`)}
            aria-keyshortcuts={key}
            aria-disabled={isThere(step, moment, last) ? true : undefined}
            data-step={step}
            onClick={() => onKey(step)}
          >
            <Icon name={step} />
          </button>
        ))}
        <output>{t('reviewed.moment', { number: moment, of: last })}</output>
      </div>
      <button
        type="button"
        aria-pressed={open}
        aria-keyshortcuts="o"
        data-toggle-hands
        onClick={() => onKey('hands')}
      >
        <Icon name="eye" />
        {t('reviewed.hands')}
      </button>
      {children}
    </div>
  );
}

function isThere(step: Step, moment: number, last: number): boolean {
  return step === 'first' || step === 'back' ? moment === 0 : moment === last;
}
