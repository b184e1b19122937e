import { fillPhrases } from '../cards';
import { t } from '../texts';
import type { Shown } from './words';

export interface StoryProps extends Shown {
  readonly moment: number;
  readonly onMoment: (moment: number) => void;
}

/** The whole deal in words, trick by trick; each leads to its moment. */
export function Story({ reviewed, state, deck, moment, onMoment }: StoryProps) {
  const told = reviewed.review.tricks.filter(({ phrases }) => phrases.length > 0);
  if (told.length === 0) return null;
  return (
    <details className="review-card story">
      <summary>{t('reviewed.story')}</summary>
      <ol>
        {told.map(({ first, last, phrases }) => (
          <li key={first}>
            <button
              type="button"
              aria-current={first <= moment && moment <= last ? 'step' : undefined}
              onClick={() => onMoment(last)}
            >
              {fillPhrases(phrases, state, deck)}
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
