import { hashOf } from '../state/router';
import { ForgetQuestion } from '../statistics/ForgetQuestion';
import { useForgetting } from '../statistics/useForgetting';
import { t } from '../texts';
import { Icon } from '../ui/Icon';
import { PageFrame } from './PageFrame';
import { TableList } from './TableList';
import { useHistory } from './useHistory';

/** Every table this person sat at. */
export function HistoryPage() {
  const { rows, problem, again } = useHistory();
  const forgetting = useForgetting(again);
  return (
    <PageFrame title={t('history.title')}>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {rows?.length === 0 && <p>{t('history.none')}</p>}
      {rows && rows.length > 0 && (
        <TableList rows={rows} onForget={(table) => forgetting.ask({ table })} />
      )}
      <p className="more-links">
        <a className="button" href={hashOf({ at: 'statistics' })}>
          <Icon name="chart" />
          {t('statistics.title')}
        </a>
      </p>
      <ForgetQuestion forgetting={forgetting} />
    </PageFrame>
  );
}
