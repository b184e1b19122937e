import { useHouse } from '../app/context';
import type { DrawingProps, GameDrawing } from '../games/drawing';
import { isBusy, type Playback, trickHeld, trickShown } from '../state/queue';
import { bottomSeat, spotsAround } from '../state/seating';
import type { Speed } from '../state/speed';
import type { TableState } from '../state/table';
import { t } from '../texts';
import { type GameInfo, PERSON, type Play } from '../wire';
import { Seat } from './Seat';
import { Trick } from './Trick';
import { useSpeech } from './useSpeech';

export interface FeltProps {
  readonly playback: Playback;
  readonly game: GameInfo | undefined;
  readonly drawing: GameDrawing | undefined;
  readonly drawn: DrawingProps;
  readonly connected: readonly boolean[] | null;
  readonly speed: Speed;
  /** Whether the last trick is looked at. */
  readonly peeks: boolean;
  /** The deal is over and looked at again: nobody thinks or speaks. */
  readonly replayed?: boolean;
  /** The cards of each seat, where they may be seen. */
  readonly hands?: readonly (readonly string[])[] | null;
}

/** The cloth: those around it, and the trick in the middle. */
export function Felt(props: FeltProps) {
  const { playback, game, drawing, drawn, connected, speed, peeks, replayed = false } = props;
  const { settings } = useHouse();
  const state = playback.shown;
  const { info, frame } = state;
  const seats = info.seats.length;
  const spots = spotsAround(seats, bottomSeat(info));
  const spoken = useSpeech(state, drawing, drawn.deck, speed, settings.bubbles && !replayed);
  const trick = trickOf(playback, speed, peeks);
  const toAct = frame.to_act;
  const Center = drawing?.Center;
  return (
    <div className={`felt seats-${seats}`}>
      <div className="cloth" aria-hidden="true" />
      <div className="middle">
        {Center && (
          <div className="center-things">
            <Center {...drawn} />
          </div>
        )}
        <Trick
          state={state}
          plays={trick.plays}
          winner={trick.winner}
          stage={trick.note ? 'still' : playback.stage}
          spots={spots}
          deck={drawn.deck}
          speed={speed}
          note={trick.note}
        />
      </div>
      {spots.map((spot, seat) => {
        const place = info.seats[seat] ?? seat;
        return (
          <Seat
            // biome-ignore lint/suspicious/noArrayIndexKey: a seat is its number
            key={seat}
            seat={seat}
            spot={spot}
            state={state}
            drawing={drawing}
            drawingProps={drawn}
            deck={drawn.deck}
            kind={kindOf(state, place, game)}
            connected={connected?.[place] ?? true}
            isToAct={toAct === seat}
            thinks={toAct === seat && seat !== info.viewer && !isBusy(playback) && !replayed}
            speech={spoken[seat] ?? null}
            open={props.hands?.[seat] ?? null}
          />
        );
      })}
    </div>
  );
}

interface TrickOnTable {
  readonly plays: readonly Play[];
  readonly winner: number | null;
  readonly note: string | null;
}

/** The trick to draw. Where nothing waits, a complete one lies until the next card is led. */
function trickOf(playback: Playback, speed: Speed, peeks: boolean): TrickOnTable {
  const { frame, tricks } = playback.shown;
  const last = tricks.at(-1);
  if (peeks && last) return { plays: last.plays, winner: last.winner, note: t('table.last-trick') };
  const held = trickHeld(playback);
  if (held) return { plays: held.plays, winner: held.winner, note: null };
  const rests = speed === 'instant' && frame.trick.length === 0 && frame.event?.taken;
  if (rests) return { plays: rests.plays, winner: rests.winner, note: null };
  return { plays: trickShown(playback), winner: null, note: null };
}

/** What sits there: a player by its title, or a person. */
function kindOf(state: TableState, place: number, game: GameInfo | undefined): string {
  const player = state.info.places[place]?.player ?? '';
  if (place === state.info.viewer_place) return '';
  if (player === PERSON) return t('seat.person');
  return game?.players.find((one) => one.name === player)?.title ?? player;
}
