import { useState } from 'react';
import { useHouse } from '../app/context';
import { goTo } from '../app/useRoute';
import { retryFrom } from '../state/review';
import { t } from '../texts';
import { Icon } from '../ui/Icon';
import type { Reviewed } from '../wire';
import { inOneLine, service } from '../wire/client';
import { keepSeat } from '../wire/keeping';

export interface RetryButtonProps {
  readonly reviewed: Reviewed;
  readonly moment: number;
  readonly token: string;
}

/** Lays the deal again as it was at this moment. */
export function RetryButton({ reviewed, moment, token }: RetryButtonProps) {
  const { notify } = useHouse();
  const [asked, setAsked] = useState(false);
  const number = retryFrom(reviewed, moment);
  if (number === null) return null;
  return (
    <button
      type="button"
      className="primary"
      title={t('reviewed.retry.why')}
      disabled={asked}
      data-retry={number}
      onClick={() => void retry(number)}
    >
      <Icon name="again" />
      {t('reviewed.retry')}
    </button>
  );

  async function retry(number: number): Promise<void> {
    setAsked(true);
    try {
      const laid = await service.retry(reviewed.table.id, reviewed.deal, number, token);
      const seat = laid.seats[0]?.token ?? laid.watch;
      keepSeat(laid.table, seat);
      goTo({ at: 'table', table: laid.table, token: null });
    } catch (error) {
      notify(inOneLine(error), 'error');
      setAsked(false);
    }
  }
}
