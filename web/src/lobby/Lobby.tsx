import { useHouse } from '../app/context';
import { t } from '../texts';
import { Continue } from './Continue';
import { GameTile } from './GameTile';
import { PageFrame } from './PageFrame';

/** The games of the house, and the tables one has left unfinished. */
export function Lobby() {
  const { games } = useHouse();
  return (
    <PageFrame title={t('lobby.title')} lead={t('lobby.lead')} home>
      <Continue />
      <section aria-labelledby="games-heading">
        <h2 id="games-heading">{t('lobby.games')}</h2>
        {games === null ? (
          <p role="status">{t('lobby.loading')}</p>
        ) : (
          <ul className="tiles">
            {games.map((game) => (
              <GameTile key={game.name} game={game} />
            ))}
          </ul>
        )}
      </section>
    </PageFrame>
  );
}
