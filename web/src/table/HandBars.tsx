import { Bar } from '../advice/Bar';
import type { Fan } from '../state/fan';
import type { BarTold } from '../wire';

/** From this width of a strip on there is room for the expected result beside the share. */
const ROOMY = 52;
const GAP = 2;

export interface HandBarsProps {
  readonly fan: Fan;
  /** For each card of the hand its bar; none for a card that may not be chosen. */
  readonly bars: readonly (BarTold | undefined)[];
}

/** The bars of the analysis, each under the part of its card that is in sight. */
export function HandBars({ fan, bars }: HandBarsProps) {
  const lone = bars.length === 1;
  const width = lone ? fan.cardWidth : Math.min(fan.strip, fan.cardWidth);
  return (
    <div className={`hand-bars ${width >= ROOMY ? 'roomy' : 'narrow'}`} aria-hidden="true">
      {bars.map((bar, place) => {
        const left = (fan.cards[place]?.x ?? 0) + GAP / 2;
        return bar && <Bar key={bar.choice} bar={bar} style={{ left, width: width - GAP }} />;
      })}
    </div>
  );
}
