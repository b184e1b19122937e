/** Cards gathered in a tray, to be given together. */
import type { ChoiceTold } from '../wire';

/** Card names in the order they were laid into the tray. */
export type Tray = readonly string[];

/** The tray after a card was touched: it goes in, or out again; a full tray takes no more. */
export function toggled(tray: Tray, card: string, count: number): Tray {
  if (tray.includes(card)) return tray.filter((other) => other !== card);
  return tray.length < count ? [...tray, card] : tray;
}

/** What is left of a tray among the cards that may be chosen. */
export function stillLegal(tray: Tray, choices: readonly ChoiceTold[]): Tray {
  const legal = new Set(choices.map((told) => told.card));
  return tray.every((card) => legal.has(card)) ? tray : tray.filter((card) => legal.has(card));
}

/** The choices to send once the tray is full; null before. */
export function gathered(
  tray: Tray,
  choices: readonly ChoiceTold[],
  count: number,
): number[] | null {
  if (tray.length !== count) return null;
  const found = tray.map((card) => choices.find((told) => told.card === card)?.choice);
  return found.every((choice) => choice !== undefined) ? found : null;
}
