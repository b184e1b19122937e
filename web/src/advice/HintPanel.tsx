import { CardFace, type DeckName, fillPhrases } from '../cards';
import type { GameDrawing } from '../games/drawing';
import { withError } from '../state/figures';
import { choiceWords } from '../state/live';
import type { TableState } from '../state/table';
import { t } from '../texts';
import { Icon } from '../ui/Icon';
import type { Hint } from '../wire';
import './advice.css';

export interface HintPanelProps {
  /** Null while it is worked out. */
  readonly hint: Hint | null;
  readonly state: TableState;
  readonly drawing: GameDrawing | undefined;
  readonly deck: DeckName;
  readonly onClose: () => void;
}

/** What to do, and why. */
export function HintPanel({ hint, state, drawing, deck, onClose }: HintPanelProps) {
  return (
    <section className="hint-panel" aria-label={t('advice.hint')} data-hint={hint?.choice ?? ''}>
      {hint ? (
        <Reason hint={hint} state={state} drawing={drawing} deck={deck} />
      ) : (
        <p>{t('advice.hint.waits')}</p>
      )}
      <button type="button" className="icon-button" onClick={onClose}>
        <Icon name="close" />
        <span className="only-heard">{t('page.close')}</span>
      </button>
    </section>
  );
}

type ReasonProps = Omit<HintPanelProps, 'hint' | 'onClose'> & { readonly hint: Hint };

function Reason({ hint, state, drawing, deck }: ReasonProps) {
  const { text, card, phrases, exact, worlds: count } = hint;
  return (
    <>
      {card && (
        <span className="hint-card">
          <CardFace card={card} game={state.info.game} deck={deck} />
        </span>
      )}
      <div className="hint-words">
        <h2>
          {choiceWords(text, state.frame.phase, card ?? null, state, drawing)}{' '}
          <span className="hint-worth">{withError(hint.payoff, hint.error)}</span>
        </h2>
        <p>{fillPhrases(phrases, state, deck)}</p>
        <p className="quiet">
          {exact ? t('advice.hint.exact') : t('advice.hint.worlds', { count })}{' '}
          {t('advice.hint.assisted')}
        </p>
      </div>
    </>
  );
}
