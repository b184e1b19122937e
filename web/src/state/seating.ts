/** Where seats are around the table, and what those who sit there are called. */
import { t, tell } from '../texts';
import { PERSON, type PlaceInfo, type TableInfo } from '../wire';

/** A spot on the table: -1 is the left or upper rim, 1 the right or lower one. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

const AROUND: Readonly<Record<number, readonly Spot[]>> = {
  1: [{ x: 0, y: 1 }],
  2: [
    { x: 0, y: 1 },
    { x: 0, y: -1 },
  ],
  3: [
    { x: 0, y: 1 },
    { x: -1, y: -0.35 },
    { x: 1, y: -0.35 },
  ],
  4: [
    { x: 0, y: 1 },
    { x: -1, y: -0.05 },
    { x: 0, y: -1 },
    { x: 1, y: -0.05 },
  ],
  5: [
    { x: 0, y: 1 },
    { x: -1, y: 0.12 },
    { x: -0.5, y: -1 },
    { x: 0.5, y: -1 },
    { x: 1, y: 0.12 },
  ],
};

/** How many steps clockwise from the bottom a seat is; the viewer's own is 0. */
export function stepsFrom(bottom: number, seat: number, seats: number): number {
  return (((seat - bottom) % seats) + seats) % seats;
}

/** The spots of all seats in order of seat, the `bottom` one at the lower rim. */
export function spotsAround(seats: number, bottom: number): readonly Spot[] {
  const around = AROUND[seats] ?? onEllipse(seats);
  return Array.from({ length: seats }, (_, seat) => around[stepsFrom(bottom, seat, seats)] as Spot);
}

/** The seat drawn at the bottom: the viewer's, or the first for somebody who watches. */
export function bottomSeat(info: TableInfo): number {
  return info.viewer ?? 0;
}

/** The same table with names by which people and players can be told apart. */
export function withNames(info: TableInfo): TableInfo {
  const bottom = info.viewer_place ?? info.seats[0] ?? 0;
  return { ...info, places: info.places.map((place) => ({ ...place, title: nameOf(place) })) };

  function nameOf(place: PlaceInfo): string {
    const steps = stepsFrom(bottom, place.place, info.places.length);
    if (place.player === PERSON && place.title) return place.title;
    return nameAround(steps, info.places.length, info.viewer_place === null);
  }
}

/** What a player is called by where he sits. */
export function nameAround(steps: number, places: number, watched: boolean): string {
  if (places === 2 && !watched) return t('seat.opponent');
  const compass = COMPASS[places];
  return compass ? tell(`seat.${compass[steps]}`) : tell(`seat.name.${steps}`);
}

const COMPASS: Readonly<Record<number, readonly string[]>> = {
  2: ['south', 'north'],
  3: ['south', 'west', 'east'],
  4: ['south', 'west', 'north', 'east'],
};

function onEllipse(seats: number): readonly Spot[] {
  return Array.from({ length: seats }, (_, step) => {
    const angle = Math.PI / 2 + (2 * Math.PI * step) / seats;
    return { x: Math.cos(angle), y: Math.sin(angle) };
  });
}
