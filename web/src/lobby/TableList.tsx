import { useHouse } from '../app/context';
import { hashOf } from '../state/router';
import { byColumn, columnsOf, plainNumber, viewerFirst } from '../state/sheet';
import { whenOf } from '../state/statistics';
import { t } from '../texts';
import { Icon } from '../ui/Icon';
import type { HistoryRow } from '../wire';

export interface TableListProps {
  readonly rows: readonly HistoryRow[];
  /** Where tables can be deleted. */
  readonly onForget?: (table: string) => void;
}

/** Tables as links, with how they stand. */
export function TableList({ rows, onForget }: TableListProps) {
  const { games } = useHouse();
  return (
    <ul className="table-list">
      {rows.map((row) => {
        const game = games?.find((one) => one.name === row.game);
        return (
          <li key={row.table}>
            <a href={hashOf({ at: 'table', table: row.table, token: null })}>
              <Icon name="table" />
              <strong>{game?.title ?? row.game}</strong>
              {row.retry && <span className="remark">{t('statistics.retry')}</span>}
              <span>{standing(row, game?.teams ?? null)}</span>
              <time className="quiet" dateTime={row.last}>
                {whenOf(row.last)}
              </time>
            </a>
            {onForget && <Actions row={row} title={game?.title ?? row.game} onForget={onForget} />}
          </li>
        );
      })}
    </ul>
  );
}

function standing(row: HistoryRow, teams: readonly number[] | null): string {
  const columns = viewerFirst(columnsOf(row.totals.length, teams), row.place);
  const totals = byColumn(columns, row.totals).map(plainNumber).join(' : ');
  if (row.winners.length > 0) {
    const won = row.place !== null && row.winners.includes(row.place);
    return t(won ? 'history.won' : 'history.over', { totals });
  }
  return row.deals === 0
    ? t('history.first-deal')
    : t('history.under-way', { count: row.deals, totals });
}

interface ActionsProps {
  readonly row: HistoryRow;
  readonly title: string;
  readonly onForget: (table: string) => void;
}

/** What else can be done with a table: its last scored deal is reviewed, or it is deleted. */
function Actions({ row, title, onForget }: ActionsProps) {
  const { table, deals } = row;
  const deal = t('statistics.deal-of', { game: title, number: deals, when: whenOf(row.last) });
  return (
    <span className="row-actions">
      {deals > 0 && (
        <a
          className="button"
          href={hashOf({ at: 'review', table, deal: deals - 1, token: null })}
          aria-label={t('statistics.review-deal', { deal })}
          data-open-review
        >
          <Icon name="review" />
          {t('reviewed.open-deal', { number: deals })}
        </a>
      )}
      <button
        type="button"
        className="icon-button"
        title={t('statistics.forget')}
        aria-label={t('statistics.forget-deal', { deal })}
        data-forget={table}
        onClick={() => onForget(table)}
      >
        <Icon name="trash" />
      </button>
    </span>
  );
}
