import { t } from '../texts';
import { PageFrame } from './PageFrame';
import { TableList } from './TableList';
import { useHistory } from './useHistory';

/** Every table this person sat at. */
export function HistoryPage() {
  const { rows, problem } = useHistory();
  return (
    <PageFrame title={t('history.title')}>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {rows?.length === 0 && <p>{t('history.none')}</p>}
      {rows && rows.length > 0 && <TableList rows={rows} />}
    </PageFrame>
  );
}
