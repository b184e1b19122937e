import { t } from '../texts';
import { BarTrack, barColours, Star } from './Bar';
import './advice.css';
import { TableHead } from '../ui/TableHead';

export interface WeighedRow {
  readonly choice: number;
  readonly name: string;
  /** How long the bar is, from 0 to 1. */
  readonly share: number;
  /** From 0, the worst, to 1. */
  readonly shade: number;
  readonly best: boolean;
  /** What else is to be said of it, such as that it was played. */
  readonly note?: string | undefined;
  /** One for each heading. */
  readonly figures: readonly string[];
}

export interface WeighedTableProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly WeighedRow[];
}

/** Weighed choices from the best, each with its bar. */
export function WeighedTable({ caption, heads, rows }: WeighedTableProps) {
  return (
    <table className="weighed">
      <caption className="only-heard">{caption}</caption>
      <TableHead heads={[t('advice.column.choice'), ...heads]} />
      <tbody>
        {rows.map((row) => (
          <Row key={row.choice} row={row} heads={heads} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, heads }: { readonly row: WeighedRow; readonly heads: readonly string[] }) {
  const classes = [row.best && 'best', row.note && 'noted'].filter(Boolean).join(' ');
  return (
    <tr className={classes} style={barColours(row.share, row.shade)} data-weighed={row.choice}>
      <th scope="row">
        <span className="weighed-name">
          {row.best && <Star />}
          {row.name}
          {row.best && <span className="only-heard">, {t('advice.best')}</span>}
          {row.note && <span className="weighed-note">{row.note}</span>}
        </span>
        <BarTrack />
      </th>
      {row.figures.map((figure, index) => (
        <td key={heads[index]}>{figure}</td>
      ))}
    </tr>
  );
}
