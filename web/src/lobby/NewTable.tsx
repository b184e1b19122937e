import { useGame, useHouse } from '../app/context';
import { hashOf } from '../state/router';
import { asSentence, t } from '../texts';
import type { GameInfo } from '../wire';
import { PageFrame } from './PageFrame';
import { TableForm } from './TableForm';

/** Where a table is laid. */
export function NewTable({ name }: { readonly name: string }) {
  const { games } = useHouse();
  const game = useGame(name);
  if (game) return <NewTableOf game={game} />;
  return (
    <PageFrame title={name}>
      <p role="status">{games ? t('lobby.unknown', { game: name }) : t('lobby.loading')}</p>
    </PageFrame>
  );
}

function NewTableOf({ game }: { readonly game: GameInfo }) {
  return (
    <PageFrame title={game.title} lead={asSentence(game.summary)}>
      <p>
        <a href={hashOf({ at: 'rules', game: game.name })}>
          {t('lobby.rules-game', { game: game.title })}
        </a>
      </p>
      <TableForm game={game} deal={null} />
    </PageFrame>
  );
}
