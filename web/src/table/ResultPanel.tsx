import { useEffect, useRef, useState } from 'react';
import { CardFace, cardNames, type DeckName, fillPhrase, seatName } from '../cards';
import { hashOf } from '../state/router';
import { byColumn, plainNumber, signed } from '../state/sheet';
import type { TableState } from '../state/table';
import { t, tellOr } from '../texts';
import { Icon } from '../ui/Icon';
import { type GameInfo, PERSON, type Result, type TableInfo } from '../wire';
import { ShareTools } from './ShareTools';
import { columnName, sheetColumns } from './SheetPanel';

export interface ResultPanelProps {
  readonly state: TableState;
  readonly result: Result;
  readonly game: GameInfo | undefined;
  readonly deck: DeckName;
  readonly token: string;
  readonly onNext: () => void;
  readonly onUndo: () => void;
}

/** How the deal came out, and what can be done now. */
export function ResultPanel(props: ResultPanelProps) {
  const { state, result, game, onNext, onUndo } = props;
  const panel = useRef<HTMLElement>(null);
  const [folded, setFolded] = useState(false);
  const over = result.winners.length > 0;
  const deals = mayDeal(state.info);
  useEffect(() => {
    const focused = document.activeElement;
    if (focused === document.body || focused?.closest('.hand, .controls'))
      panel.current?.focus({ preventScroll: true });
  }, []);
  if (folded)
    return (
      <div className="result-folded">
        <button type="button" onClick={() => setFolded(false)}>
          {t('result.unfold')}
        </button>
        {deals && <NextButton over={over} onNext={onNext} />}
      </div>
    );
  return (
    <section
      ref={panel}
      className={`result-panel ${over ? 'match-over' : ''}`}
      tabIndex={-1}
      aria-labelledby="result-heading"
      data-result
    >
      <header>
        <h2 id="result-heading">{headingOf(state, result)}</h2>
        <button type="button" className="icon-button" onClick={() => setFolded(true)}>
          <Icon name="close" />
          <span className="only-heard">{t('result.fold')}</span>
        </button>
      </header>
      <p>{result.phrases.map((phrase) => fillPhrase(phrase, state, props.deck)).join(' ')}</p>
      <Gains state={state} result={result} game={game} />
      {state.frame.assisted && <p className="quiet">{t('table.assisted-why')}</p>}
      <div className="result-actions">
        {deals && <NextButton over={over} onNext={onNext} />}
        {state.frame.can_undo && (
          <button type="button" onClick={onUndo}>
            <Icon name="undo" />
            {t('tool.undo')}
          </button>
        )}
        <a
          className="button"
          href={hashOf({ at: 'review', table: state.info.id, deal: state.info.deal, token: null })}
          data-open-review
        >
          <Icon name="review" />
          {t('reviewed.open-long')}
        </a>
        <ShareTools state={state} token={props.token} />
      </div>
      <Dealt {...props} />
    </section>
  );
}

/** Whoever plays deals on; those who watch only where nobody plays. */
function mayDeal(info: TableInfo): boolean {
  return info.viewer_place !== null || info.places.every((place) => place.player !== PERSON);
}

function headingOf(state: TableState, result: Result): string {
  const { viewer_place: mine, places } = state.info;
  if (result.winners.length === 0) return t('result.title', { number: state.info.deal + 1 });
  if (mine !== null && result.winners.includes(mine)) return t('result.you-win');
  const names = result.winners.map((place) => places[place]?.title ?? '').join(' + ');
  return t('result.match-over', { names });
}

interface NextButtonProps {
  readonly over: boolean;
  readonly onNext: () => void;
}

function NextButton({ over, onNext }: NextButtonProps) {
  return (
    <button type="button" className="primary" data-next aria-keyshortcuts="n" onClick={onNext}>
      {t(over ? 'result.new-match' : 'result.next')}
    </button>
  );
}

interface GainsProps {
  readonly state: TableState;
  readonly result: Result;
  readonly game: GameInfo | undefined;
}

function Gains({ state, result, game }: GainsProps) {
  const columns = sheetColumns(state, game);
  const gained = byColumn(columns, result.gained);
  const totals = byColumn(columns, result.totals);
  return (
    <dl className="gains">
      {columns.map((column, index) => (
        <div key={column.places.join()}>
          <dt>{columnName(column, state)}</dt>
          <dd>
            <span className="gain">{signed(gained[index] ?? 0)}</span>
            <span className="total">
              {t('result.total', { total: plainNumber(totals[index] ?? 0) })}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** All hands as they were dealt, now that they may be seen. */
function Dealt({ state, result, deck }: ResultPanelProps) {
  const { game } = state.info;
  return (
    <details className="dealt" open>
      <summary>{t('result.dealt')}</summary>
      {Object.entries(result.dealt)
        .filter(([, cards]) => cards.length > 0)
        .map(([where, cards]) => (
          <div key={where} className="dealt-hand">
            <h3>{/^\d+$/.test(where) ? seatName(Number(where), state) : placeName(where, game)}</h3>
            <p className="only-heard">{cardNames(cards, game, deck)}</p>
            <div className="dealt-cards" aria-hidden="true">
              {cards.map((card) => (
                <span key={card}>
                  <CardFace card={card} game={game} deck={deck} />
                </span>
              ))}
            </div>
          </div>
        ))}
    </details>
  );
}

function placeName(where: string, game: string): string {
  return tellOr(`${game}.dealt.${where}`, tellOr(`dealt.${where}`, where));
}
