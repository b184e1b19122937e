import { PageFrame } from '../lobby/PageFrame';
import { hashOf } from '../state/router';
import { NoTable } from '../table/TablePage';
import { useSeat } from '../table/useSeat';
import { t } from '../texts';
import type { Reviewing } from '../wire';
import { ReviewedDeal } from './ReviewedDeal';
import { useReview } from './useReview';

export interface ReviewPageProps {
  readonly table: string;
  readonly deal: number;
  /** The token of a link; it is kept and taken out of the address bar. */
  readonly token: string | null;
}

/** The review of a finished deal. */
export function ReviewPage({ table, deal, token }: ReviewPageProps) {
  const kept = useSeat(table, token, { at: 'review', table, deal, token: null });
  if (!kept) return <NoTable text={t('table.no-seat')} />;
  return <Asked table={table} deal={deal} token={kept} />;
}

interface AskedProps {
  readonly table: string;
  readonly deal: number;
  readonly token: string;
}

function Asked({ table, deal, token }: AskedProps) {
  const { reviewed, progress, problem } = useReview(table, token, deal);
  if (reviewed) return <ReviewedDeal reviewed={reviewed} token={token} />;
  return (
    <PageFrame title={t('reviewed.title', { number: deal + 1 })}>
      {problem ? <p role="alert">{problem}</p> : <Progress progress={progress} />}
      <a className="button" href={hashOf({ at: 'table', table, token: null })}>
        {t('reviewed.to-table')}
      </a>
    </PageFrame>
  );
}

function Progress({ progress }: { readonly progress: Reviewing | null }) {
  if (!progress) return <p role="status">{t('reviewed.starting')}</p>;
  const { done, of, preparing } = progress;
  return (
    <div className="review-progress" data-reviewing={done}>
      <p>
        {preparing
          ? t('reviewed.preparing', { done: preparing.done, steps: preparing.steps })
          : t('reviewed.making', { done, of })}
      </p>
      <progress
        aria-label={t('reviewed.progress')}
        value={preparing ? preparing.done : done}
        max={Math.max(1, preparing ? preparing.steps : of)}
      />
    </div>
  );
}
