import { depthWords } from '../state/advice';
import { withError } from '../state/figures';
import { t } from '../texts';
import type { Analysis } from '../wire';
import './advice.css';

export interface ValueBadgeProps {
  /** Null while there is nothing to weigh. */
  readonly analysis: Analysis | null;
  readonly onOpen: () => void;
}

/** What the position is worth to the viewer, and how deep that was looked. */
export function ValueBadge({ analysis, onOpen }: ValueBadgeProps) {
  const value = analysis?.value;
  const worth = typeof value === 'number' ? withError(value, analysis?.error) : t('advice.none');
  const words = analysis && typeof value === 'number';
  return (
    <button
      type="button"
      className="value-badge"
      title={t('advice.open')}
      data-analysis
      data-done={analysis?.done ?? ''}
      data-of={analysis?.of ?? ''}
      data-over={analysis?.over ?? false}
      data-worlds={analysis?.worlds ?? ''}
      data-value={value ?? ''}
      onClick={onOpen}
    >
      <span className="only-heard">
        {t('advice.analysis')}.{' '}
        {words
          ? t('advice.badge', { points: worth, depth: depthWords(analysis) })
          : t('advice.badge.waits')}{' '}
        {t('advice.open')}.
      </span>
      <span className="value-name" aria-hidden="true">
        {t('advice.position')}
      </span>
      <strong aria-hidden="true">{worth}</strong>
      <span className="value-depth" aria-hidden="true">
        {depthOf(analysis)}
      </span>
      <span
        className="value-progress"
        style={{ '--share': analysis ? shareDone(analysis) : 0 } as React.CSSProperties}
        aria-hidden="true"
      />
    </button>
  );
}

function depthOf(analysis: Analysis | null): string {
  if (!analysis) return '';
  const { preparing } = analysis;
  if (preparing) return t('advice.preparing', { done: preparing.done, steps: preparing.steps });
  return isForced(analysis) ? t('advice.forced') : depthWords(analysis);
}

/** Where there is only one choice, nothing is weighed. */
function isForced({ bars, over }: Analysis): boolean {
  return over && bars.length === 1;
}

function shareDone({ preparing, done, of }: Analysis): number {
  if (preparing) return preparing.steps > 0 ? preparing.done / preparing.steps : 0;
  return of > 0 ? done / of : 0;
}
