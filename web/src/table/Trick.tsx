import { useLayoutEffect, useRef } from 'react';
import { CardFace, cardName, type DeckName, seatName } from '../cards';
import type { Stage } from '../state/queue';
import type { Spot } from '../state/seating';
import { paceOf, type Speed } from '../state/speed';
import type { TableState } from '../state/table';
import { t } from '../texts';
import type { Play } from '../wire';
import { arrive, leave, originOf, seatRect } from './motion';

export interface TrickProps {
  readonly state: TableState;
  readonly plays: readonly Play[];
  /** Who takes it, once it is complete. */
  readonly winner: number | null;
  readonly stage: Stage;
  readonly spots: readonly Spot[];
  readonly deck: DeckName;
  readonly speed: Speed;
  /** What the trick is, where it is not the one under way. */
  readonly note?: string | null;
}

/** The cards in the middle, each in front of who played it. */
export function Trick(props: TrickProps) {
  const { state, plays, winner, note } = props;
  return (
    <section className="trick" aria-label={note ?? t('table.trick')} data-trick={plays.length}>
      {note && <p className="trick-note">{note}</p>}
      <ol className="trick-cards">
        {plays.map((play, index) => (
          <TrickCard
            key={`${state.info.deal}.${play.seat}.${play.card ?? index}`}
            {...props}
            play={play}
            index={index}
            wins={winner === play.seat}
          />
        ))}
      </ol>
    </section>
  );
}

interface TrickCardProps extends TrickProps {
  readonly play: Play;
  readonly index: number;
  readonly wins: boolean;
}

function TrickCard({
  state,
  play,
  index,
  wins,
  winner,
  stage,
  spots,
  deck,
  speed,
  note,
}: TrickCardProps) {
  const element = useRef<HTMLLIElement>(null);
  const pace = paceOf(speed);
  const spot = spots[play.seat] ?? { x: 0, y: 0 };
  const { game } = state.info;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a card arrives once
  useLayoutEffect(() => {
    if (note || stage !== 'moving' || !element.current) return;
    const from = originOf(play.seat, play.card);
    if (from && state.frame.event?.seat === play.seat) arrive(element.current, from, pace.move);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a trick is swept once
  useLayoutEffect(() => {
    if (stage !== 'sweeping' || winner === null || !element.current) return;
    const to = seatRect(winner);
    if (to) leave(element.current, to, pace.sweep);
  }, [stage]);

  const card = play.card ? cardName(play.card, game, deck) : t('table.face-down');
  return (
    <li
      ref={element}
      className={`trick-card ${wins ? 'wins' : ''}`}
      style={
        {
          '--x': spot.x,
          '--y': spot.y,
          '--turn': `${((play.seat * 37 + index * 11) % 9) - 4}deg`,
          zIndex: index + 1,
        } as React.CSSProperties
      }
      data-played={play.card ?? ''}
    >
      <CardFace card={play.card} game={game} deck={deck} faceDown={play.card === null} />
      <span className="only-heard">
        {t('table.played-by', { card, who: seatName(play.seat, state) })}
        {wins ? ` ${t('table.wins')}` : ''}
      </span>
    </li>
  );
}
