import { useHouse } from '../app/context';
import { CardFace } from '../cards';
import { hashOf } from '../state/router';
import { deckOf } from '../state/settings';
import { showpieces } from '../state/showpieces';
import { asSentence, t, tellOr } from '../texts';
import type { GameInfo } from '../wire';
import { ReadinessBar } from './ReadinessBar';

/** One game on offer, with a few of its cards. */
export function GameTile({ game }: { readonly game: GameInfo }) {
  const { settings } = useHouse();
  const deck = deckOf(settings, game.cards);
  const heading = `game-${game.name}`;
  return (
    <li className="tile" data-game={game.name}>
      <div className="tile-cards" aria-hidden="true">
        {showpieces(game.cards).map((card) => (
          <span key={card} className="tile-card">
            <CardFace card={card} game={game.name} deck={deck} />
          </span>
        ))}
      </div>
      <div className="tile-text">
        <h3 id={heading}>{game.title}</h3>
        <p>{tellOr(`${game.name}.summary`, asSentence(game.summary))}</p>
        <p className="quiet">{t('lobby.seats', { count: game.seats })}</p>
        {game.readiness.state !== 'loading' && <ReadinessBar readiness={game.readiness} />}
        <div className="tile-actions">
          <a
            className="button primary tile-play"
            href={hashOf({ at: 'new', game: game.name })}
            aria-label={t('lobby.play-game', { game: game.title })}
          >
            {t('lobby.play')}
          </a>
          <a
            className="button"
            href={hashOf({ at: 'rules', game: game.name })}
            aria-label={t('lobby.rules-game', { game: game.title })}
          >
            {t('lobby.rules')}
          </a>
        </div>
      </div>
    </li>
  );
}
