import { costWithError } from '../state/figures';
import { costliest } from '../state/review';
import { t } from '../texts';
import type { Verdict } from '../wire';
import { LabelBadge } from './LabelBadge';
import { bestTold, choiceTold, type Shown } from './words';

export interface CostliestProps extends Shown {
  readonly moment: number;
  readonly onMoment: (moment: number) => void;
}

/** The choices that cost something, the costliest first; one is a click away. */
export function Costliest({ moment, onMoment, ...shown }: CostliestProps) {
  const [own, others] = costliest(shown.reviewed);
  const watched = shown.state.info.viewer === null;
  return (
    <section
      className="review-card review-costliest"
      aria-labelledby="costliest-heading"
      data-costliest
    >
      <h2 id="costliest-heading">
        {t(watched ? 'reviewed.costliest.watched' : 'reviewed.costliest')}
      </h2>
      {own.length === 0 ? (
        <p className="quiet">{t('reviewed.costliest.none')}</p>
      ) : (
        <List verdicts={own} moment={moment} onMoment={onMoment} {...shown} />
      )}
      {others.length > 0 && (
        <details>
          <summary>{t('reviewed.costliest.others')}</summary>
          <List verdicts={others} moment={moment} onMoment={onMoment} {...shown} />
        </details>
      )}
    </section>
  );
}

interface ListProps extends CostliestProps {
  readonly verdicts: readonly Verdict[];
}

function List({ verdicts, moment, onMoment, reviewed, state }: ListProps) {
  return (
    <ol className="costly-list">
      {verdicts.map((verdict) => {
        const { who, choice } = choiceTold(verdict, state);
        const best = bestTold(verdict, state);
        return (
          <li key={verdict.number}>
            <button
              type="button"
              aria-current={verdict.number === moment ? 'step' : undefined}
              data-jump={verdict.number}
              onClick={() => onMoment(verdict.number)}
            >
              <LabelBadge label={verdict.label} />
              <span>
                {verdict.seat !== reviewed.seat && <strong>{who}: </strong>}
                {t('reviewed.costliest.row', { choice, best: best.toLowerCase() })}
              </span>
              <span className="costly-cost">−{costWithError(verdict.cost, verdict.error)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
