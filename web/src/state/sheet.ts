/** The score sheet: one column for each who has a score of his own, teams as one. */
import type { SheetRow } from '../wire';

export interface Column {
  /** The places whose score it is. */
  readonly places: readonly number[];
}

/** The columns of a sheet: places of one fixed team share one. */
export function columnsOf(places: number, teams: readonly number[] | null): readonly Column[] {
  const alone = Array.from({ length: places }, (_, place) => ({ places: [place] }));
  if (!teams || teams.length !== places) return alone;
  const sides = [...new Set(teams)];
  return sides.map((side) => ({
    places: alone.flatMap(({ places }) => places).filter((place) => teams[place] === side),
  }));
}

/** The column of the viewer first, the others in order. */
export function viewerFirst(columns: readonly Column[], viewer: number | null): readonly Column[] {
  if (viewer === null) return columns;
  const mine = columns.filter((column) => column.places.includes(viewer));
  return [...mine, ...columns.filter((column) => !mine.includes(column))];
}

/** One figure for each column, out of one for each place. */
export function byColumn(
  columns: readonly Column[],
  byPlace: readonly number[],
): readonly number[] {
  return columns.map((column) => byPlace[column.places[0] ?? 0] ?? 0);
}

/** The sheet with the deal on display, once it is scored. */
export function sheetWith(sheet: readonly SheetRow[], row: SheetRow | null): readonly SheetRow[] {
  if (!row || sheet.some((other) => other.deal === row.deal)) return sheet;
  return [...sheet, row];
}

/** A number with a proper minus. */
export function plainNumber(points: number): string {
  return points < 0 ? `−${-points}` : String(points);
}

/** A gain as it is written: +5, 0, −3. */
export function signed(points: number): string {
  if (points === 0) return '0';
  return points > 0 ? `+${points}` : `−${-points}`;
}
