import './cards.css';
import { type DeckName, faceUrl } from './deck';

export interface CardFaceProps {
  /** Null for a card that is not seen. */
  readonly card: string | null;
  readonly game: string;
  readonly deck: DeckName;
  readonly faceDown?: boolean;
  readonly className?: string;
}

/** A card as a picture without a name: the button or figure around it says what it is. */
export function CardFace({ card, game, deck, faceDown = false, className = '' }: CardFaceProps) {
  const shown = faceDown ? null : card;
  return (
    <img
      className={`card-face ${className}`.trim()}
      src={faceUrl(shown, game, deck)}
      alt=""
      draggable={false}
      width={240}
      height={336}
    />
  );
}
