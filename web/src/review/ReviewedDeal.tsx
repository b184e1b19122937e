import { useEffect, useState } from 'react';
import { useGame, useHouse } from '../app/context';
import { goTo } from '../app/useRoute';
import { preloadCards } from '../cards';
import { drawingOf } from '../games';
import { PageFrame } from '../lobby/PageFrame';
import { type ReviewAction, reviewActionOf } from '../state/keys';
import { lastMoment, stateAt, stepped, trickAt, verdictAt } from '../state/review';
import { deckOf } from '../state/settings';
import { useKeys } from '../table/useKeys';
import { t } from '../texts';
import type { Reviewed } from '../wire';
import { Costliest } from './Costliest';
import { RetryButton } from './RetryButton';
import { ReviewTable } from './ReviewTable';
import { Steps } from './Steps';
import { Story } from './Story';
import { Summary } from './Summary';
import { Timeline } from './Timeline';
import { VerdictPanel } from './VerdictPanel';
import { choiceTold, labelName, type Shown } from './words';
import './review.css';

export interface ReviewedDealProps {
  readonly reviewed: Reviewed;
  readonly token: string;
}

/** A finished deal, to be stepped through, with what the analysis makes of each choice. */
export function ReviewedDeal({ reviewed, token }: ReviewedDealProps) {
  const { settings, local } = useHouse();
  const { table, deal } = reviewed;
  const game = useGame(table.game);
  const [moment, setMoment] = useState(() => firstLook(reviewed));
  const [open, setOpen] = useState(false);
  const last = lastMoment(reviewed);
  const drawing = drawingOf(table.game);
  const deck = deckOf(settings, game?.cards ?? reviewed.hands[0]?.flat() ?? []);
  const state = stateAt(reviewed, moment, open);
  const verdict = verdictAt(reviewed, moment);
  const shown: Shown = { reviewed, state, drawing, deck };

  useEffect(() => preloadCards(table.game, deck), [table.game, deck]);
  useKeys(reviewActionOf, onKey, local.letters);
  useVoiceOfReview(reviewed, moment);

  function onKey(action: ReviewAction): void {
    if (action === 'hands') setOpen((on) => !on);
    else if (action === 'leave') goTo({ at: 'table', table: table.id, token: null });
    else setMoment((now) => stepped(now, action, last));
  }

  return (
    <PageFrame
      title={t('reviewed.heading', { game: game?.title ?? table.game, number: deal + 1 })}
      wide
    >
      <div
        className="review"
        data-review={table.id}
        data-moment={moment}
        data-last={last}
        data-hands={open ? 'open' : 'hidden'}
        data-label={verdict?.label ?? ''}
      >
        <Summary {...shown} />
        <div className="review-columns">
          <div className="review-stage">
            <ReviewTable {...shown} moment={moment} verdict={verdict} open={open} game={game} />
            <Steps moment={moment} last={last} open={open} onKey={onKey}>
              <RetryButton reviewed={reviewed} moment={moment} token={token} />
            </Steps>
            <Timeline reviewed={reviewed} moment={moment} onMoment={setMoment} />
            <Costliest {...shown} moment={moment} onMoment={setMoment} />
          </div>
          <div className="review-side">
            <VerdictPanel {...shown} verdict={verdict} trick={trickAt(reviewed, moment)} />
            <Story {...shown} moment={moment} onMoment={setMoment} />
          </div>
        </div>
        <p className="quiet review-judge">
          {t('reviewed.judge', { judge: reviewed.review.judge })}
        </p>
      </div>
    </PageFrame>
  );
}

/** One begins where it cost most, or at the start. */
function firstLook(reviewed: Reviewed): number {
  const own = reviewed.review.costliest.find(
    (number) => verdictAt(reviewed, number)?.seat === reviewed.seat,
  );
  return own ?? 0;
}

/** Tells each moment that is stepped to. */
function useVoiceOfReview(reviewed: Reviewed, moment: number): void {
  const { announce } = useHouse();
  useEffect(() => {
    const verdict = verdictAt(reviewed, moment);
    const state = stateAt(reviewed, moment, false);
    const text = verdict
      ? t('reviewed.said', { ...choiceTold(verdict, state), label: labelName(verdict.label) })
      : t('reviewed.start');
    announce([{ text }]);
  }, [reviewed, moment, announce]);
}
