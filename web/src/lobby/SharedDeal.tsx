import { useGame, useHouse } from '../app/context';
import { decodeDeal } from '../state/share';
import { t } from '../texts';
import { PageFrame } from './PageFrame';
import { TableForm } from './TableForm';

/** A deal that somebody shared: the same cards and rules, and whoever one likes to play with. */
export function SharedDeal({ letters }: { readonly letters: string }) {
  const { games } = useHouse();
  const shared = decodeDeal(letters);
  const game = useGame(shared?.game);
  if (game && shared)
    return (
      <PageFrame title={t('shared.title', { game: game.title })} lead={t('shared.lead')}>
        <TableForm game={game} deal={shared.deal} />
      </PageFrame>
    );
  return (
    <PageFrame title={t('shared.broken-title')}>
      <p role="status">{games ? t('shared.broken') : t('lobby.loading')}</p>
    </PageFrame>
  );
}
