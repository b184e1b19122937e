import { t } from '../texts';
import { TableList } from './TableList';
import { useHistory } from './useHistory';

const SHOWN = 4;

/** Tables whose match is not over. */
export function Continue() {
  const { rows } = useHistory();
  const open = rows?.filter((row) => row.winners.length === 0).slice(0, SHOWN) ?? [];
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="continue-heading">
      <h2 id="continue-heading">{t('lobby.continue')}</h2>
      <TableList rows={open} />
    </section>
  );
}
