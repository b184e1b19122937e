import type { CSSProperties } from 'react';
import { barWords } from '../state/advice';
import { errorOf, percent, points } from '../state/figures';
import { t } from '../texts';
import type { BarTold } from '../wire';
import { type ChoiceAdvice, useChoiceAdvice } from './context';
import './advice.css';

export interface BarProps {
  readonly bar: BarTold;
  readonly style?: CSSProperties;
}

/** What the analysis thinks of one choice; whoever listens hears it with the choice itself. */
export function Bar({ bar, style }: BarProps) {
  const { choice, probability, payoff, error, best, shade } = bar;
  return (
    <span
      className={`bar ${best ? 'best' : ''}`}
      style={{ ...style, ...barColours(probability, shade) }}
      data-bar={choice}
      data-share={probability.toFixed(3)}
      data-best={best ? true : undefined}
      aria-hidden="true"
    >
      <BarTrack />
      <span className="bar-share">
        {best && <Star />}
        {percent(probability)}
      </span>
      {typeof payoff === 'number' && (
        <span className="bar-points">
          {points(payoff)}
          {typeof error === 'number' && <small> ±{errorOf(error, payoff)}</small>}
        </span>
      )}
    </span>
  );
}

/** The line of a bar, as long and as green as the colours around it say. */
export function BarTrack() {
  return (
    <span className="bar-track">
      <span className="bar-fill" />
    </span>
  );
}

/** The best is marked by a sign, not by a colour alone. */
export function Star() {
  return (
    <svg className="bar-star" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M10 1l2.7 6 6.3.6-4.8 4.2 1.5 6.4L10 14.8l-5.7 3.4 1.5-6.4L1 7.6l6.3-.6z" />
    </svg>
  );
}

/** How long a bar is, and where between red and green. */
export function barColours(share: number, shade: number): CSSProperties {
  return { '--share': share, '--shade': shade } as CSSProperties;
}

/** The bar and the mark of a hint within the button of a choice. */
export function ChoiceMarks({ choice }: { readonly choice: number | null | undefined }) {
  const { bar, hinted } = useChoiceAdvice(choice);
  const words = adviceWords({ bar, hinted });
  return (
    <>
      {hinted && <HintFlag />}
      {bar && <Bar bar={bar} />}
      {words && <span className="only-heard">, {words}</span>}
    </>
  );
}

/** That this is what a hint prefers; silent, for its choice says it. */
export function HintFlag() {
  return (
    <span className="hint-flag" data-hinted aria-hidden="true">
      <Star />
      {t('advice.hint')}
    </span>
  );
}

/** The help for a choice, for those who listen. */
export function adviceWords({ bar, hinted }: ChoiceAdvice): string {
  return [hinted && t('advice.hint.marked'), bar && barWords(bar)].filter(Boolean).join(', ');
}
