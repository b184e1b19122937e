import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useHouse } from '../app/context';
import { fillPhrases } from '../cards';
import type { GameDrawing } from '../games/drawing';
import {
  analyseWish,
  barsOf,
  barWords,
  fromBest,
  isAssisted,
  mayBeHelped,
  ofMoment,
} from '../state/advice';
import { choiceWords } from '../state/live';
import type { Playback } from '../state/queue';
import type { TableState } from '../state/table';
import type { TableLine } from '../table/useTable';
import { t } from '../texts';
import type { Analysis, Hint } from '../wire';
import type { Advice } from './context';

const WHILE_SLIDING = 250;

/** Hints and the live analysis of one table: what there is now, and what can be asked for. */
export function useHelp(
  line: TableLine,
  playback: Playback,
  drawing: GameDrawing | undefined,
  active: boolean,
) {
  const { settings, change, notify, announce } = useHouse();
  const { help, ask, hearHelp } = line;
  const state = playback.shown;
  const allowed = mayBeHelped(state.info);
  const analysing = allowed && settings.analysis;
  const analysis = active && analysing ? ofMoment(help.analysis, state) : null;
  const hint = active ? (ofMoment(help.hint, state)?.hint ?? null) : null;
  const waiting = active && help.asked !== null;

  useAnalyse(line, allowed);
  useVoiceOfHelp(hint, analysis, state, drawing);

  const advice = useMemo<Advice>(
    () => ({ bars: barsOf(analysis), hinted: hint?.choice ?? null }),
    [analysis, hint],
  );

  const dismiss = useCallback(() => hearHelp({ kind: 'dismissed' }), [hearHelp]);

  function askHint(): void {
    const why = whyNoHint(allowed, settings.hints, active);
    if (hint || waiting) dismiss();
    else if (why) notify(why);
    else {
      const { deal } = state.info;
      const id = ask({ kind: 'hint', deal, number: state.frame.number });
      if (id !== null) hearHelp({ kind: 'asked', id });
    }
  }

  function toggleAnalysis(): void {
    if (!allowed) notify(t('advice.only-alone'));
    else {
      announce([{ text: t(settings.analysis ? 'advice.analysis.off' : 'advice.analysis.on') }]);
      change({ analysis: !settings.analysis });
    }
  }

  return {
    allowed,
    analysing,
    analysis,
    hint,
    waiting,
    advice,
    assisted: isAssisted(state, help),
    askHint,
    toggleAnalysis,
    dismiss,
  };
}

/** Why no hint can be asked for now; null if one can. */
function whyNoHint(allowed: boolean, hints: boolean, active: boolean): string | null {
  if (!allowed) return t('advice.only-alone');
  if (!hints) return t('advice.hint.off');
  return active ? null : t('advice.hint.no-turn');
}

/** Has the service analyse as the settings say, again after each break of the line. */
function useAnalyse({ lineState, ask }: TableLine, allowed: boolean): void {
  const { settings } = useHouse();
  const { on, sims, worlds } = analyseWish(settings);
  const runs = useRef(false);
  const open = lineState === 'open' && allowed;
  useEffect(() => {
    if (!open) {
      runs.current = false;
      return;
    }
    if (!on && !runs.current) return;
    const wait = on && runs.current ? WHILE_SLIDING : 0;
    const timer = setTimeout(() => {
      runs.current = on;
      ask({ kind: 'analyse', on, sims, worlds });
    }, wait);
    return () => clearTimeout(timer);
  }, [open, on, sims, worlds, ask]);
}

/** Tells a hint when it comes, and an analysis once it is done. */
function useVoiceOfHelp(
  hint: Hint | null,
  analysis: Analysis | null,
  state: TableState,
  drawing: GameDrawing | undefined,
): void {
  const { announce } = useHouse();
  const now = useRef({ state, drawing });
  now.current = { state, drawing };

  useEffect(() => {
    if (!hint) return;
    const why = fillPhrases(hint.phrases, now.current.state);
    announce([{ text: t('advice.hint.told', { why }) }]);
  }, [hint, announce]);

  const best = analysis?.over ? fromBest(analysis.bars)[0] : undefined;
  const told = best && barWords({ ...best, best: false });
  useEffect(() => {
    if (!best || !told) return;
    const { state, drawing } = now.current;
    const { phase } = state.frame;
    const choice = choiceWords(best.text, phase, best.card ?? null, state, drawing);
    announce([{ text: t('advice.analysis.told', { choice, told }) }]);
  }, [best, told, announce]);
}

export type TableHelp = ReturnType<typeof useHelp>;
