import { useState } from 'react';
import { PageFrame } from '../lobby/PageFrame';
import { ALL, type Filters as Wanted } from '../state/statistics';
import { t } from '../texts';
import { DealTable } from './DealTable';
import { Filters } from './Filters';
import { ForgetQuestion } from './ForgetQuestion';
import { GameFigures } from './GameFigures';
import { KeepOrDelete } from './KeepOrDelete';
import { useForgetting } from './useForgetting';
import { useStatistics } from './useStatistics';
import './statistics.css';

/** What a person has played, and how well; all of it is on this machine. */
export function StatisticsPage() {
  const [filters, setFilters] = useState<Wanted>(ALL);
  const [first, setFirst] = useState(0);
  const { told, problem, again } = useStatistics(filters, first);
  const forgetting = useForgetting(again);

  function filter(wanted: Wanted): void {
    setFilters(wanted);
    setFirst(0);
  }

  return (
    <PageFrame title={t('statistics.title')} lead={t('statistics.lead')}>
      <div className="statistics" data-statistics={told?.deals ?? ''}>
        {problem && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <Filters filters={filters} onChange={filter} />
        {!told && !problem && <p role="status">{t('statistics.loading')}</p>}
        {told?.deals === 0 && <p>{t('statistics.none')}</p>}
        {told && told.games.length > 0 && (
          <section aria-labelledby="games-heading">
            <h2 id="games-heading">{t('statistics.games')}</h2>
            {told.games.map((game) => (
              <GameFigures key={game.game} figures={game} />
            ))}
            <p className="quiet">{t('statistics.fair')}</p>
          </section>
        )}
        {told && told.rows.length > 0 && (
          <DealTable
            rows={told.rows}
            count={told.deals}
            first={first}
            onFirst={setFirst}
            onForget={(table) => forgetting.ask({ table })}
          />
        )}
        <KeepOrDelete filters={filters} onForgetAll={() => forgetting.ask('everything')} />
        <ForgetQuestion forgetting={forgetting} />
      </div>
    </PageFrame>
  );
}
