import { fillPhrases, seatName } from '../cards';
import { costWithError, percent, points } from '../state/figures';
import { ownReview } from '../state/review';
import { t, tell } from '../texts';
import { Figure } from '../ui/Figure';
import { TableHead } from '../ui/TableHead';
import type { SeatReview } from '../wire';
import type { Shown } from './words';

/** How the viewer played, and folded away the others. */
export function Summary({ reviewed, state, deck }: Shown) {
  const own = ownReview(reviewed);
  if (!own) return null;
  const others = reviewed.review.seats.filter(({ seat }) => seat !== own.seat);
  const watched = state.info.viewer === null;
  const name = seatName(own.seat, state);
  return (
    <section className="review-card review-summary" aria-labelledby="summary-heading" data-summary>
      <h2 id="summary-heading">
        {watched ? t('reviewed.summary.watched', { name }) : t('reviewed.summary')}
      </h2>
      <p className={`outcome outcome-${own.outcome}`} data-outcome={own.outcome}>
        {tell(`reviewed.outcome.${own.outcome}`)}
      </p>
      <p>{fillPhrases(own.phrases, state, deck)}</p>
      <Figures seat={own} />
      <details>
        <summary>{t('reviewed.others')}</summary>
        <Others seats={others} state={state} />
      </details>
    </section>
  );
}

function Figures({ seat }: { readonly seat: SeatReview }) {
  const known = (value: number | null) => (value === null ? t('reviewed.none') : points(value));
  return (
    <dl className="figures">
      <Figure name={t('reviewed.accuracy')} why={t('reviewed.accuracy.why')}>
        <strong>{accuracyOf(seat)}</strong>
      </Figure>
      <Figure name={t('reviewed.got')} why={t('reviewed.got.why')}>
        <strong>{points(seat.payoff)}</strong>
      </Figure>
      <Figure name={t('reviewed.expected')} why={t('reviewed.expected.why')}>
        <strong>{known(seat.expected)}</strong>
      </Figure>
      <Figure name={t('reviewed.cost')} why={t('reviewed.cost.why')}>
        <strong>{costWithError(seat.cost, seat.cost_error)}</strong>
      </Figure>
      <Figure name={t('reviewed.luck')} why={t('reviewed.luck.why')}>
        <strong>{known(seat.luck)}</strong>
      </Figure>
    </dl>
  );
}

function accuracyOf({ accuracy }: SeatReview): string {
  return accuracy === null ? t('reviewed.none') : percent(accuracy);
}

interface OthersProps extends Pick<Shown, 'state'> {
  readonly seats: readonly SeatReview[];
}

function Others({ seats, state }: OthersProps) {
  const heads = [
    t('reviewed.player'),
    t('reviewed.got'),
    t('reviewed.accuracy'),
    t('reviewed.cost'),
    t('reviewed.how'),
  ];
  return (
    <div className="scroll-x">
      <table className="plain-table">
        <TableHead heads={heads} />
        <tbody>
          {seats.map((one) => (
            <tr key={one.seat}>
              <th scope="row">{seatName(one.seat, state)}</th>
              <td>{points(one.payoff)}</td>
              <td>{accuracyOf(one)}</td>
              <td>{costWithError(one.cost, one.cost_error)}</td>
              <td className="words">{tell(`reviewed.outcome.${one.outcome}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
