import { useRef } from 'react';
import { Star } from '../advice/Bar';
import { CardFace, type DeckName } from '../cards';
import { useFan } from '../table/useFan';
import { t } from '../texts';

export interface ReviewHandProps {
  readonly cards: readonly string[];
  readonly game: string;
  readonly deck: DeckName;
  /** The card that the analysis prefers. */
  readonly best: string | null;
}

/** The viewer's cards as a fan that is only looked at. */
export function ReviewHand({ cards, game, deck, best }: ReviewHandProps) {
  const element = useRef<HTMLDivElement>(null);
  const fan = useFan(element, cards.length);
  return (
    <div ref={element} className="hand review-hand" aria-hidden="true" data-held={cards.join(' ')}>
      {cards.map((card, place) => {
        const spot = fan.cards[place] ?? { x: 0, y: 0, angle: 0 };
        return (
          <span
            key={card}
            className={`hand-card ${card === best ? 'hinted' : ''}`}
            style={
              {
                '--x': `${spot.x}px`,
                '--y': `${spot.y}px`,
                '--angle': `${spot.angle}deg`,
                '--place': place,
                width: `${fan.cardWidth}px`,
                zIndex: place + 1,
              } as React.CSSProperties
            }
          >
            <CardFace card={card} game={game} deck={deck} />
            {card === best && (
              <span className="hint-flag">
                <Star />
                {t('advice.best')}
              </span>
            )}
          </span>
        );
      })}
    </div>
  );
}
