/** Teams of two that sit across: seats 0 and 2, seats 1 and 3. */
import { seatName } from '../../cards';
import type { TableState } from '../../state/table';
import { t } from '../../texts';

/** The team of a seat. */
export function teamOf(seat: number): number {
  return seat % 2;
}

/** Both teams, the viewer's first. */
export function teamsInOrder(state: TableState): readonly [number, number] {
  return teamOf(state.info.viewer ?? 0) === 0 ? [0, 1] : [1, 0];
}

/** What a team is called: "We" and "They" for who plays, the names for who watches. */
export function teamName(team: number, state: TableState): string {
  const { viewer } = state.info;
  if (viewer === null)
    return t('game.pair', { one: seatName(team, state), other: seatName(team + 2, state) });
  return teamOf(viewer) === team ? t('game.we') : t('game.they');
}

/** Who is in a team, by name. */
export function teamMembers(team: number, state: TableState): string {
  return t('game.pair', { one: seatName(team, state), other: seatName(team + 2, state) });
}
