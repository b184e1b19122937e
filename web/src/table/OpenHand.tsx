import { cardNames, type DeckName, SuitSign, shortRank } from '../cards';
import { bySuit } from '../state/hands';

export interface OpenHandProps {
  readonly cards: readonly string[];
  readonly game: string;
  readonly deck: DeckName;
}

/** A hand that may be seen, suit by suit as in a newspaper. */
export function OpenHand({ cards, game, deck }: OpenHandProps) {
  return (
    <div className="open-hand" data-from data-hand={cards.join(' ')}>
      <span className="only-heard">{cardNames(cards, game, deck)}</span>
      {bySuit(cards).map(([suit, held]) => (
        <p key={suit} aria-hidden="true">
          {suit && <SuitSign suit={suit} game={game} deck={deck} bare />}
          {held.map((card) => shortRank(card, game, deck)).join(' ')}
        </p>
      ))}
    </div>
  );
}
