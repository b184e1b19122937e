import './cards.css';
import { type DeckName, deckFor, drawnSuit } from './deck';
import { suitName } from './words';

/** The four French signs in a square of 100 by 100. */
const OUTLINES: Readonly<Record<string, string>> = {
  S: 'M50 6C60 26 92 40 92 64C92 86 66 92 55 72C56 84 60 90 66 94H34C40 90 44 84 45 72C34 92 8 86 8 64C8 40 40 26 50 6Z',
  H: 'M50 94C42 74 8 56 8 32C8 8 40 4 50 28C60 4 92 8 92 32C92 56 58 74 50 94Z',
  D: 'M50 4C60 24 72 38 86 50C72 62 60 76 50 96C40 76 28 62 14 50C28 38 40 24 50 4Z',
  C: 'M50 6C66 6 76 22 66 40C62 46 64 47 68 43C82 34 96 44 95 60C94 80 66 86 55 68C55 82 60 90 66 94H34C40 90 45 82 45 68C34 86 6 80 5 60C4 44 18 34 32 43C36 47 38 46 34 40C24 22 34 6 50 6Z',
};

export interface SuitSignProps {
  readonly suit: string;
  readonly game: string;
  readonly deck: DeckName;
  /** Without a name of its own, where the word stands beside it. */
  readonly bare?: boolean;
  readonly className?: string;
}

/** A suit as a sign on a light ground, as it is on the cards in use. */
export function SuitSign({ suit, game, deck, bare = false, className = '' }: SuitSignProps) {
  const name = bare ? '' : suitName(suit, game, deck);
  const classes = `suit-sign ${className}`.trim();
  if (deckFor(game, deck) === 'hungarian')
    return <img className={classes} src={`/cards/hungarian/suit-${suit}.svg`} alt={name} />;
  const drawn = drawnSuit(suit, game, deck);
  return (
    <svg
      role="img"
      aria-label={name}
      aria-hidden={bare}
      className={`${classes} suit-${drawn} ${deck}`}
      viewBox="-10 -10 120 120"
    >
      <path d={OUTLINES[drawn]} />
    </svg>
  );
}
