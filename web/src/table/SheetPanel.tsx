import { fillPhrase } from '../cards';
import { hashOf } from '../state/router';
import {
  byColumn,
  type Column,
  columnsOf,
  plainNumber,
  sheetWith,
  signed,
  viewerFirst,
} from '../state/sheet';
import type { TableState } from '../state/table';
import { t } from '../texts';
import { Icon } from '../ui/Icon';
import type { GameInfo, SheetRow } from '../wire';

export interface SheetPanelProps {
  readonly state: TableState;
  readonly game: GameInfo | undefined;
}

/** The match so far, deal by deal. */
export function SheetPanel({ state, game }: SheetPanelProps) {
  const { info } = state;
  const columns = sheetColumns(state, game);
  const rows = sheetWith(info.sheet, finishedRow(state));
  const totals = rows.at(-1)?.totals ?? info.scores;
  return (
    <div className="sheet-scroll">
      <table className="sheet">
        <caption className="only-heard">{t('panel.sheet')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('sheet.deal')}</th>
            {columns.map((column) => (
              <th key={column.places.join()} scope="col">
                {columnName(column, state)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.deal} row={row} columns={columns} state={state} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('sheet.total')}</th>
            {byColumn(columns, totals).map((total, index) => (
              <td key={columns[index]?.places.join()}>{plainNumber(total)}</td>
            ))}
          </tr>
        </tfoot>
      </table>
      {rows.length === 0 && <p className="quiet">{t('sheet.none')}</p>}
    </div>
  );
}

interface RowProps {
  readonly row: SheetRow;
  readonly columns: readonly Column[];
  readonly state: TableState;
}

function Row({ row, columns, state }: RowProps) {
  const gained = byColumn(columns, row.gained);
  const totals = byColumn(columns, row.totals);
  const words = (row.phrases ?? []).map((phrase) => fillPhrase(phrase, state)).join(' ');
  return (
    <>
      <tr>
        <th scope="row">
          {row.deal + 1}
          <a
            className="sheet-review"
            href={hashOf({ at: 'review', table: state.info.id, deal: row.deal, token: null })}
            title={t('reviewed.open-deal', { number: row.deal + 1 })}
            aria-label={t('reviewed.open-deal', { number: row.deal + 1 })}
          >
            <Icon name="review" />
          </a>
          {row.assisted && <abbr title={t('table.assisted-why')}> {t('sheet.assisted')}</abbr>}
          {!!row.replaced && (
            <abbr title={t('table.replaced-why')}>
              {' '}
              {t('sheet.replaced', { count: row.replaced })}
            </abbr>
          )}
        </th>
        {gained.map((points, index) => (
          <td key={columns[index]?.places.join()}>
            <span className="gain">{signed(points)}</span>{' '}
            <strong>{plainNumber(totals[index] ?? 0)}</strong>
          </td>
        ))}
      </tr>
      {words && (
        <tr className="sheet-words">
          <td colSpan={columns.length + 1}>{words}</td>
        </tr>
      )}
    </>
  );
}

export function sheetColumns(state: TableState, game: GameInfo | undefined): readonly Column[] {
  const { info } = state;
  return viewerFirst(columnsOf(info.places.length, game?.teams ?? null), info.viewer_place);
}

export function columnName(column: Column, state: TableState): string {
  const { info } = state;
  return column.places
    .map((place) =>
      place === info.viewer_place ? t('seat.you') : (info.places[place]?.title ?? ''),
    )
    .join(' + ');
}

/** The deal on display as a line of the sheet, once it is scored. */
function finishedRow(state: TableState): SheetRow | null {
  const { result, assisted, replaced } = state.frame;
  if (!result) return null;
  const { gained, totals, phrases } = result;
  const flags = { assisted: assisted ?? false, replaced: replaced ?? 0 };
  return { deal: state.info.deal, gained, totals, phrases, ...flags };
}

/** How the match stands, with the deal on display once it is scored. */
export function standingOf(state: TableState, game: GameInfo | undefined) {
  const columns = sheetColumns(state, game);
  const totals = byColumn(columns, state.frame.result?.totals ?? state.info.scores);
  return columns.map((column, index) => ({
    name: columnName(column, state),
    total: plainNumber(totals[index] ?? 0),
  }));
}
