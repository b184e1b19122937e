/** Help at the table: hints and the live analysis. Only what belongs to the moment is kept. */
import { t } from '../texts';
import {
  type Analysis,
  type BarTold,
  type HintTold,
  PERSON,
  type ServerMessage,
  type Settings,
  type TableInfo,
} from '../wire';
import { percent, withError } from './figures';
import type { TableState } from './table';

export interface Help {
  readonly analysis: Analysis | null;
  readonly hint: HintTold | null;
  /** The number of the wish for a hint that is not answered yet. */
  readonly asked: number | null;
  /** The deal in which there was help. */
  readonly helped: number | null;
}

export const NO_HELP: Help = { analysis: null, hint: null, asked: null, helped: null };

export type HelpEvent =
  | ServerMessage
  | { readonly kind: 'asked'; readonly id: number }
  | { readonly kind: 'dismissed' };

/** The help there is after a message; what belongs to an earlier moment is gone. */
export function heardHelp(before: Help, event: HelpEvent): Help {
  switch (event.kind) {
    case 'analysis':
      return { ...before, analysis: event, helped: event.deal };
    case 'hint':
      return { ...before, hint: event, asked: null, helped: event.deal };
    case 'snapshot':
      return keptAt(before, event.table.deal, event.frame.number);
    case 'frames':
      return keptAt(before, event.deal, event.frames.at(-1)?.number ?? 0);
    case 'asked':
      return { ...before, asked: event.id };
    case 'dismissed':
      return { ...before, hint: null, asked: null };
    case 'refused':
      return event.re !== null && event.re === before.asked ? { ...before, asked: null } : before;
    default:
      return before;
  }
}

function keptAt(help: Help, deal: number, number: number): Help {
  const stays = (told: Moment | null) => told?.deal === deal && told.number === number;
  const analysis = stays(help.analysis) ? help.analysis : null;
  const hint = stays(help.hint) ? help.hint : null;
  return { ...help, analysis, hint, asked: null };
}

interface Moment {
  readonly deal: number;
  readonly number: number;
}

/** What is told of the moment on display; null if it is of another one. */
export function ofMoment<T extends Moment>(told: T | null, state: TableState): T | null {
  const { info, frame } = state;
  const mine = info.viewer !== null && frame.to_act === info.viewer;
  return told && mine && told.deal === info.deal && told.number === frame.number ? told : null;
}

/** Whether a person may be helped here: who plays, and all others are players of the house. */
export function mayBeHelped(info: TableInfo): boolean {
  const others = info.places.filter(({ place }) => place !== info.viewer_place);
  return info.viewer_place !== null && others.every(({ player }) => player !== PERSON);
}

/** Whether this deal counts as assisted, as far as the page knows. */
export function isAssisted(state: TableState, help: Help): boolean {
  return (state.frame.assisted ?? false) || help.helped === state.info.deal;
}

export type Bars = ReadonlyMap<number, BarTold>;
export const NO_BARS: Bars = new Map();

/** The bars of an analysis by their choices. */
export function barsOf(analysis: Analysis | null): Bars {
  return analysis ? new Map(analysis.bars.map((bar) => [bar.choice, bar])) : NO_BARS;
}

/** The bars from the best: by the expected result, untried choices last. */
export function fromBest(bars: readonly BarTold[]): readonly BarTold[] {
  const worth = ({ payoff }: BarTold) => payoff ?? Number.NEGATIVE_INFINITY;
  return bars.toSorted(
    (one, other) => Number(other.best) - Number(one.best) || worth(other) - worth(one),
  );
}

/** A bar in words, for those who listen. */
export function barWords(bar: BarTold): string {
  const share = percent(bar.probability);
  const told =
    typeof bar.payoff === 'number'
      ? t('advice.bar', { share, points: withError(bar.payoff, bar.error) })
      : share;
  return bar.best ? t('advice.bar.best', { told }) : told;
}

/** How deep the analysis is: "120/200 × 30 worlds". */
export function depthWords({ done, of, worlds }: Analysis): string {
  return t('advice.depth', { done, of, count: worlds });
}

/** How much may be asked of the analysis: the slider's reach, and the most there is. */
export const AMOUNTS = {
  analysis_sims: { least: 10, slider: 500, most: 2000 },
  analysis_worlds: { least: 1, slider: 30, most: 200 },
} as const;

export type AmountName = keyof typeof AMOUNTS;

/** An amount as it may be asked for. */
export function amount(name: AmountName, wanted: number): number {
  const { least, most } = AMOUNTS[name];
  return Number.isFinite(wanted) ? Math.max(least, Math.min(most, Math.round(wanted))) : least;
}

/** What is asked of the analysis by these settings. */
export function analyseWish(settings: Settings) {
  return {
    kind: 'analyse',
    on: settings.analysis,
    sims: amount('analysis_sims', settings.analysis_sims),
    worlds: amount('analysis_worlds', settings.analysis_worlds),
  } as const;
}
