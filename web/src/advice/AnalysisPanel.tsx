import { useHouse } from '../app/context';
import type { GameDrawing } from '../games/drawing';
import { depthWords, fromBest } from '../state/advice';
import { percent, withError } from '../state/figures';
import { choiceWords } from '../state/live';
import type { TableState } from '../state/table';
import { t } from '../texts';
import { Switch } from '../ui/Switch';
import type { Analysis } from '../wire';
import { Amounts } from './Amounts';
import { WeighedTable } from './WeighedTable';

export interface AnalysisPanelProps {
  readonly state: TableState;
  readonly drawing: GameDrawing | undefined;
  readonly analysis: Analysis | null;
}

/** The analysis in full: its settings, and every choice from the best. */
export function AnalysisPanel({ state, drawing, analysis }: AnalysisPanelProps) {
  const { settings, change } = useHouse();
  return (
    <div className="analysis-panel">
      <Switch
        label={t('settings.analysis')}
        on={settings.analysis}
        onChange={(on) => change({ analysis: on })}
      />
      <Amounts />
      {settings.analysis && <Told state={state} drawing={drawing} analysis={analysis} />}
    </div>
  );
}

function Told({ state, drawing, analysis }: AnalysisPanelProps) {
  if (!analysis) return <p className="quiet">{t('advice.waits')}</p>;
  const { preparing } = analysis;
  if (preparing)
    return (
      <p className="quiet">
        {t('advice.preparing.long', { done: preparing.done, steps: preparing.steps })}
      </p>
    );
  const rows = fromBest(analysis.bars).map((bar) => ({
    ...bar,
    name: choiceWords(bar.text, state.frame.phase, bar.card ?? null, state, drawing),
    share: bar.probability,
    figures: [
      percent(bar.probability),
      typeof bar.payoff === 'number' ? withError(bar.payoff, bar.error) : t('advice.none'),
    ],
  }));
  const heads = [t('advice.column.share'), t('advice.expected')];
  return (
    <>
      <p className="quiet">{depthWords(analysis)}</p>
      <WeighedTable caption={t('advice.analysis')} heads={heads} rows={rows} />
    </>
  );
}
