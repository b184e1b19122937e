/** How a hand is held: where each card lies when so many share so much room. */

export interface FanCard {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

export interface Fan {
  readonly cardWidth: number;
  /** How much of each card but the last is in sight. */
  readonly strip: number;
  readonly cards: readonly FanCard[];
}

/** The narrowest strip that a finger meets surely. */
export const TOUCHABLE = 24;
const NARROWEST_CARD = 48;
const WIDEST_STRIP = 0.52;

/** A fan of `count` cards within `room` pixels, each `wanted` wide if that leaves strips to touch. */
export function fanOf(count: number, room: number, wanted: number, arc = 1): Fan {
  const gaps = Math.max(count - 1, 1);
  const narrowed = Math.max(NARROWEST_CARD, room - TOUCHABLE * gaps);
  const cardWidth = Math.min(wanted, narrowed, Math.max(room, NARROWEST_CARD));
  const strip = Math.min(cardWidth * WIDEST_STRIP, Math.max(0, room - cardWidth) / gaps);
  const left = (room - cardWidth - strip * (count - 1)) / 2;
  const middle = (count - 1) / 2;
  const turn = arc * Math.min(2.2, 14 / Math.max(count, 1));
  const drop = (off: number) => (strip * off * off * turn * Math.PI) / 360;
  const cards = Array.from({ length: count }, (_, index) => {
    const off = index - middle;
    return { x: left + index * strip, y: drop(off) - drop(middle), angle: off * turn };
  });
  return { cardWidth, strip, cards };
}
