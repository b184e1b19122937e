import { linkTo } from '../state/router';
import { t } from '../texts';
import { CopyField } from '../ui/CopyField';
import type { SeatToken } from '../wire';

export interface JoinLinksProps {
  readonly table: string;
  readonly seats: readonly SeatToken[];
}

/** One link for each person who is to come. */
export function JoinLinks({ table, seats }: JoinLinksProps) {
  return (
    <>
      <p>{t('invite.text')}</p>
      {seats.map(({ place, token }) => (
        <CopyField
          key={place}
          label={t('invite.link', { place: place + 1 })}
          text={linkTo({ at: 'table', table, token }, window.location)}
        />
      ))}
    </>
  );
}
