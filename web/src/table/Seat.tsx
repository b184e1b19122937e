import { CardFace, type DeckName, seatName } from '../cards';
import type { DrawingProps, GameDrawing } from '../games/drawing';
import type { Spot } from '../state/seating';
import type { TableState } from '../state/table';
import { t } from '../texts';
import { Bubble, type Speech } from './Bubble';
import { OpenHand } from './OpenHand';

export interface SeatProps {
  readonly seat: number;
  readonly spot: Spot;
  readonly state: TableState;
  readonly drawing: GameDrawing | undefined;
  readonly drawingProps: DrawingProps;
  readonly deck: DeckName;
  /** What the one who sits there is: a player's title. */
  readonly kind: string;
  readonly connected: boolean;
  readonly isToAct: boolean;
  readonly thinks: boolean;
  readonly speech: Speech | null;
  /** Its cards, where they may be seen. */
  readonly open?: readonly string[] | null;
}

const MOST_BACKS = 13;

/** Somebody at the table: name, cards left, tricks taken, and whether it is his turn. */
export function Seat(props: SeatProps) {
  const { seat, spot, state, drawing, drawingProps, deck, isToAct, speech } = props;
  const { info, frame } = state;
  const mine = seat === info.viewer;
  const Badges = drawing?.Badges;
  const side = sideOf(spot);
  return (
    <section
      className={`seat ${side} ${spot.x === 0 ? 'alone' : ''} ${isToAct ? 'to-act' : ''} ${mine ? 'mine' : ''}`}
      style={{ '--x': spot.x, '--y': spot.y } as React.CSSProperties}
      data-seat={seat}
      aria-label={seatName(seat, state)}
    >
      {speech && <Bubble speech={speech} side={side} />}
      <div className="seat-plate">
        <div className="seat-head">
          <span className="seat-name">{seatName(seat, state)}</span>
          {isToAct && <TurnSign mine={mine} thinks={props.thinks} />}
        </div>
        <p className="seat-kind">
          {props.connected ? props.kind : t('seat.away', { kind: props.kind })}
        </p>
        <p className="seat-facts">
          <Tricks count={frame.tricks[seat] ?? 0} />
          {Badges && <Badges {...drawingProps} seat={seat} />}
        </p>
      </div>
      {mine ? (
        <span data-from className="seat-from" />
      ) : props.open ? (
        <OpenHand cards={props.open} game={info.game} deck={deck} />
      ) : (
        <Backs count={frame.counts[seat] ?? 0} game={info.game} deck={deck} />
      )}
    </section>
  );
}

function sideOf({ x, y }: Spot): 'left' | 'right' | 'top' | 'bottom' {
  if (y > 0.9) return 'bottom';
  if (x < -0.9) return 'left';
  return x > 0.9 ? 'right' : 'top';
}

function TurnSign({ mine, thinks }: { readonly mine: boolean; readonly thinks: boolean }) {
  const text = t(mine ? 'seat.your-turn' : thinks ? 'seat.thinks' : 'seat.turn');
  return (
    <span className={`turn-sign ${thinks ? 'thinks' : ''}`}>
      <span className="turn-arrow" aria-hidden="true" />
      {text}
    </span>
  );
}

function Tricks({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span className="tricks-taken" title={t('seat.tricks', { count })}>
      <span aria-hidden="true" className="tricks-stack" />
      <span aria-hidden="true">{count}</span>
      <span className="only-heard">{t('seat.tricks', { count })}</span>
    </span>
  );
}

interface BacksProps {
  readonly count: number;
  readonly game: string;
  readonly deck: DeckName;
}

/** The cards of another hand from behind. */
function Backs({ count, game, deck }: BacksProps) {
  const shown = Math.min(count, MOST_BACKS);
  return (
    <div className="backs" data-from>
      <span className="only-heard">{t('seat.cards', { count })}</span>
      {Array.from({ length: shown }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: backs are all alike
        <span key={index} className="back" aria-hidden="true">
          <CardFace card={null} game={game} deck={deck} faceDown />
        </span>
      ))}
    </div>
  );
}
