import { t } from '../texts';
import { Icon } from '../ui/Icon';
import './advice.css';

export interface AssistToolsProps {
  readonly hints: boolean;
  /** Whether a hint may be asked for now. */
  readonly mayHint: boolean;
  readonly hinting: boolean;
  readonly analysing: boolean;
  readonly onHint: () => void;
  readonly onAnalysis: () => void;
}

/** The two helps of the table, beside the hand. */
export function AssistTools(props: AssistToolsProps) {
  return (
    <div className="assist-tools">
      {props.hints && (
        <button
          type="button"
          title={`${t('advice.hint.ask')} (h)`}
          aria-label={t('advice.hint.ask')}
          aria-keyshortcuts="h"
          aria-pressed={props.hinting}
          aria-disabled={props.mayHint ? undefined : true}
          data-ask-hint
          onClick={props.onHint}
        >
          <Icon name="bulb" />
          <span>{t('advice.hint')}</span>
        </button>
      )}
      <button
        type="button"
        title={`${t('settings.analysis')} (a)`}
        aria-label={t('settings.analysis')}
        aria-keyshortcuts="a"
        aria-pressed={props.analysing}
        data-toggle-analysis
        onClick={props.onAnalysis}
      >
        <Icon name="bars" />
        <span>{t('advice.analysis')}</span>
      </button>
    </div>
  );
}
