import { useGame } from '../app/context';
import { percent, points, withInterval } from '../state/figures';
import { elo } from '../state/statistics';
import { t } from '../texts';
import { Figure } from '../ui/Figure';
import { TableHead } from '../ui/TableHead';
import type { GameStatistics, Interval } from '../wire';

/** How one game went: figures with their intervals, and against whom. */
export function GameFigures({ figures }: { readonly figures: GameStatistics }) {
  const game = useGame(figures.game);
  const { deals, assisted, matches, matches_won, reviewed } = figures;
  return (
    <article className="game-figures" data-figures={figures.game} data-deals={deals}>
      <h3>{game?.title ?? figures.game}</h3>
      <dl className="figures">
        <Figure
          name={t('statistics.deals')}
          why={assisted > 0 ? t('statistics.deals.assisted', { count: assisted }) : ''}
        >
          <strong>{deals}</strong>
        </Figure>
        <Figure name={t('statistics.payoff')}>
          <Mean interval={figures.payoff} told={points} />
        </Figure>
        <Figure name={t('statistics.won')} why={t('statistics.won.why')}>
          <Mean interval={figures.won} told={percent} />
        </Figure>
        <Figure
          name={t('statistics.matches')}
          why={matches_won ? t('statistics.matches-won', { won: inWords(matches_won) }) : ''}
        >
          <strong>{matches}</strong>
        </Figure>
        <Figure name={t('statistics.rating')} why={t('statistics.rating.why')}>
          <Mean interval={figures.rating} told={elo} />
        </Figure>
        <Figure
          name={t('statistics.accuracy')}
          why={t('statistics.accuracy.why', { count: reviewed })}
        >
          <Mean interval={figures.accuracy} told={sharePercent} />
        </Figure>
      </dl>
      {figures.opponents.length > 0 && <Opponents figures={figures} />}
    </article>
  );
}

/** Bounds of an interval may lie beyond what a share can be. */
const sharePercent = (share: number) => percent(Math.max(0, Math.min(1, share)));

const inWords = (share: Interval) => withInterval(share, percent);

interface MeanProps {
  readonly interval: Interval | null;
  readonly told: (value: number) => string;
}

/** A mean with its interval; that there is none yet. */
function Mean({ interval, told }: MeanProps) {
  if (!interval) return <span className="quiet">{t('statistics.unknown')}</span>;
  const { mean, low, high } = interval;
  return (
    <>
      <strong>{told(mean)}</strong>{' '}
      <span className="interval">
        {told(low)} … {told(high)}
      </span>
    </>
  );
}

function Opponents({ figures }: { readonly figures: GameStatistics }) {
  const heads = [
    t('statistics.players'),
    t('statistics.elo'),
    t('statistics.deals'),
    t('statistics.payoff'),
    t('statistics.won'),
  ];
  return (
    <details>
      <summary>{t('statistics.opponents')}</summary>
      <div className="scroll-x">
        <table className="plain-table">
          <TableHead heads={heads} />
          <tbody>
            {figures.opponents.map((company) => (
              <tr key={company.players.join()}>
                <th scope="row">{company.titles.join(', ')}</th>
                <td>{company.elo === null ? t('reviewed.none') : elo(company.elo)}</td>
                <td>{company.deals}</td>
                <td>{withInterval(company.payoff, points)}</td>
                <td>{withInterval(company.won, percent)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
