import { useHouse } from '../app/context';
import { cardNames } from '../cards';
import type { DrawingProps } from '../games/drawing';
import type { Playback } from '../state/queue';
import { Felt } from '../table/Felt';
import { StatusStrip } from '../table/StatusStrip';
import { t } from '../texts';
import type { GameInfo, Verdict } from '../wire';
import { ReviewHand } from './ReviewHand';
import type { Shown } from './words';

export interface ReviewTableProps extends Shown {
  readonly moment: number;
  readonly verdict: Verdict | null;
  readonly open: boolean;
  readonly game: GameInfo | undefined;
}

const nothing = () => undefined;

/** The table at a moment: looked at, not played at. */
export function ReviewTable(props: ReviewTableProps) {
  const { reviewed, state, drawing, deck, moment, verdict, open, game } = props;
  const { settings } = useHouse();
  const { hand } = state.frame;
  const playback: Playback = { shown: state, stage: 'still', waiting: [], paused: false, beat: 0 };
  const drawn: DrawingProps = { state, act: nothing, deck, showCaptured: settings.captured };
  const own = state.info.viewer !== null;
  const words = hand.length > 0 ? cardNames(hand, state.info.game, deck) : null;
  return (
    <section className="review-table" aria-label={t('reviewed.table')}>
      <StatusStrip drawing={drawing} assisted={state.frame.assisted ?? false} {...drawn} />
      <Felt
        playback={playback}
        game={game}
        drawing={drawing}
        drawn={drawn}
        connected={null}
        speed="instant"
        peeks={false}
        replayed
        hands={open ? (reviewed.hands[moment] ?? null) : null}
      />
      {own && (
        <>
          <p className="only-heard">
            {words ? t('reviewed.hand', { cards: words }) : t('reviewed.hand.empty')}
          </p>
          <ReviewHand
            cards={hand}
            game={state.info.game}
            deck={deck}
            best={verdict?.seat === state.info.viewer ? bestCard(verdict) : null}
          />
        </>
      )}
    </section>
  );
}

/** The card that would have been better, if one would. */
function bestCard(verdict: Verdict): string | null {
  if (verdict.best === verdict.choice) return null;
  return verdict.choices.find(({ choice }) => choice === verdict.best)?.card ?? null;
}
