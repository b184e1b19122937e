import { goTo } from '../app/useRoute';
import type { Setup } from '../state/setup';
import { t } from '../texts';
import { Dialog } from '../ui/Dialog';
import type { TableCreated } from '../wire';
import { JoinLinks } from './JoinLinks';

export interface InvitationsProps {
  readonly created: TableCreated;
  readonly setup: Setup;
}

/** The links for the other people, before one goes to the table. */
export function Invitations({ created, setup }: InvitationsProps) {
  const mine = setup.sitters.indexOf('me');
  const others = created.seats.filter((seat) => seat.place !== mine);
  const go = () => goTo({ at: 'table', table: created.table, token: null });
  return (
    <Dialog title={t('invite.title')} onClose={go}>
      <JoinLinks table={created.table} seats={others} />
      <button type="button" className="primary" onClick={go}>
        {t('invite.go')}
      </button>
    </Dialog>
  );
}
