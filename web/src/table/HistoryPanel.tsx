import { CardFace, cardName, type DeckName, seatName } from '../cards';
import type { GameDrawing } from '../games/drawing';
import { playedToTrick, sentencesOf } from '../state/live';
import type { TableState } from '../state/table';
import { t } from '../texts';
import type { Taken } from '../wire';

export interface HistoryPanelProps {
  readonly state: TableState;
  readonly drawing: GameDrawing | undefined;
  readonly deck: DeckName;
}

/** Everything of this deal so far: what was chosen before the play, then trick by trick. */
export function HistoryPanel({ state, drawing, deck }: HistoryPanelProps) {
  const before = state.past.filter((made) => !made.card || !playedToTrick(made, state));
  return (
    <div className="history">
      {state.past.length === 0 && <p>{t('panel.nothing')}</p>}
      {before.length > 0 && (
        <ol className="told">
          {before.map((made) => (
            <li key={made.number}>{sentencesOf(made, state, drawing)[0]?.text}</li>
          ))}
        </ol>
      )}
      {state.tricks.length > 0 && (
        <ol className="tricks">
          {state.tricks.map((taken, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a trick is its number
            <TrickRow key={index} number={index + 1} taken={taken} state={state} deck={deck} />
          ))}
        </ol>
      )}
    </div>
  );
}

interface TrickRowProps {
  readonly number: number;
  readonly taken: Taken;
  readonly state: TableState;
  readonly deck: DeckName;
}

function TrickRow({ number, taken, state, deck }: TrickRowProps) {
  const { game } = state.info;
  return (
    <li className="trick-row">
      <p>
        <span className="quiet">{t('panel.trick', { number })}</span>{' '}
        <strong>{seatName(taken.winner, state)}</strong>
        {typeof taken.points === 'number' && (
          <span className="quiet"> {t('panel.points', { count: taken.points })}</span>
        )}
      </p>
      <ul>
        {taken.plays.map((play) => {
          const card = play.card ? cardName(play.card, game, deck) : t('table.face-down');
          return (
            <li key={play.seat} className={play.seat === taken.winner ? 'wins' : ''}>
              <CardFace card={play.card} game={game} deck={deck} faceDown={!play.card} />
              <span className="who">{seatName(play.seat, state)}</span>
              <span className="only-heard">{card}</span>
            </li>
          );
        })}
      </ul>
    </li>
  );
}
