import { useHouse } from '../app/context';
import { hashOf } from '../state/router';
import { byColumn, columnsOf, plainNumber, viewerFirst } from '../state/sheet';
import { t } from '../texts';
import { Icon } from '../ui/Icon';
import type { HistoryRow } from '../wire';

/** Tables as links, with how they stand. */
export function TableList({ rows }: { readonly rows: readonly HistoryRow[] }) {
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
              <span>{standing(row, game?.teams ?? null)}</span>
              <time className="quiet" dateTime={row.last}>
                {whenOf(row.last)}
              </time>
            </a>
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

function whenOf(iso: string): string {
  const when = new Date(iso);
  if (Number.isNaN(when.getTime())) return iso;
  return when.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
