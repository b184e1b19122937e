import { useHouse } from '../app/context';
import { percent } from '../state/figures';
import { hashOf } from '../state/router';
import { signed } from '../state/sheet';
import { companyOf, pageOf, remarksOf, whenOf } from '../state/statistics';
import { t, tell } from '../texts';
import { Icon } from '../ui/Icon';
import { TableHead } from '../ui/TableHead';
import type { DealRow } from '../wire';

export interface DealTableProps {
  readonly rows: readonly DealRow[];
  /** How many there are on all pages. */
  readonly count: number;
  readonly first: number;
  readonly onFirst: (first: number) => void;
  readonly onForget: (table: string) => void;
}

/** The deals one by one, the latest first. */
export function DealTable({ rows, count, first, onFirst, onForget }: DealTableProps) {
  const { from, to, newer, older } = pageOf(first, rows.length, count);
  const heads = [
    t('statistics.finished'),
    t('statistics.game'),
    t('statistics.filter.player'),
    t('statistics.result'),
    t('statistics.accuracy'),
  ];
  return (
    <section aria-labelledby="deals-heading">
      <h2 id="deals-heading">{t('statistics.history')}</h2>
      <div className="scroll-x">
        <table className="plain-table deal-table">
          <TableHead heads={heads} more />
          <tbody>
            {rows.map((row) => (
              <Row key={`${row.table}.${row.deal}`} row={row} onForget={onForget} />
            ))}
          </tbody>
        </table>
      </div>
      <div className="pages">
        <PageButton first={newer} text={t('statistics.newer')} onFirst={onFirst} />
        <span>{t('statistics.page', { from, to, count })}</span>
        <PageButton first={older} text={t('statistics.older')} onFirst={onFirst} />
      </div>
    </section>
  );
}

interface RowProps extends Pick<DealTableProps, 'onForget'> {
  readonly row: DealRow;
}

function Row({ row, onForget }: RowProps) {
  const { games } = useHouse();
  const game = games?.find(({ name }) => name === row.game);
  const title = game?.title ?? row.game;
  const when = whenOf(row.finished);
  const deal = t('statistics.deal-of', { game: title, number: row.deal + 1, when });
  return (
    <tr data-deal-row={`${row.table}.${row.deal}`}>
      <td className="words">
        <time dateTime={row.finished}>{when}</time>
      </td>
      <th scope="row">
        {title}{' '}
        {remarksOf(row).map((remark) => (
          <span key={remark} className="remark">
            {remark}
          </span>
        ))}
      </th>
      <td className="words">{companyOf(row, game)}</td>
      <td>{signed(row.gained)}</td>
      <td className="words">{accuracyOf(row)}</td>
      <td>
        <span className="row-actions">
          <a
            className="button"
            href={hashOf({ at: 'review', table: row.table, deal: row.deal, token: null })}
            aria-label={t('statistics.review-deal', { deal })}
            data-open-review
          >
            <Icon name="review" />
            {t('statistics.review')}
          </a>
          <button
            type="button"
            className="icon-button"
            aria-label={t('statistics.forget-deal', { deal })}
            title={t('statistics.forget')}
            data-forget={row.table}
            onClick={() => onForget(row.table)}
          >
            <Icon name="trash" />
          </button>
        </span>
      </td>
    </tr>
  );
}

function accuracyOf({ accuracy, outcome }: DealRow): string {
  const told = [
    accuracy !== null && percent(accuracy),
    outcome !== null && tell(`statistics.outcome.${outcome}`),
  ].filter(Boolean);
  return told.length > 0 ? told.join(', ') : t('statistics.not-reviewed');
}

interface PageButtonProps {
  readonly first: number | null;
  readonly text: string;
  readonly onFirst: (first: number) => void;
}

function PageButton({ first, text, onFirst }: PageButtonProps) {
  return (
    <button
      type="button"
      disabled={first === null}
      onClick={() => first !== null && onFirst(first)}
    >
      {text}
    </button>
  );
}
