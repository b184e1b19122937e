/** Small things that several games draw. */
import type { ReactNode } from 'react';
import { CardFace, cardNames, type DeckName } from '../../cards';
import './games.css';

/** A row of facts that stays in sight. */
export function Pieces({ children }: { readonly children: ReactNode }) {
  return <dl className="g-pieces">{children}</dl>;
}

interface PieceProps {
  readonly name: string;
  readonly children: ReactNode;
  /** Draws the eye. */
  readonly strong?: boolean;
  readonly className?: string;
}

/** One fact with its name. */
export function Piece({ name, children, strong = false, className = '' }: PieceProps) {
  return (
    <div className={`g-piece ${strong ? 'g-strong' : ''} ${className}`.trim()}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface BadgeProps {
  readonly kind: string;
  /** What it means, for those who listen and on hover. */
  readonly title: string;
  readonly children: ReactNode;
}

/** A little sign at a seat. */
export function Badge({ kind, title, children }: BadgeProps) {
  return (
    <span className={`g-badge g-badge-${kind}`} role="img" aria-label={title} title={title}>
      {children}
    </span>
  );
}

interface CardRowProps {
  readonly cards: readonly (string | null)[];
  readonly game: string;
  readonly deck: DeckName;
  /** In place of the names of the cards; empty if something beside them says what they are. */
  readonly label?: string;
  readonly className?: string;
}

/** Small cards side by side, read out as one. */
export function CardRow({ cards, game, deck, label, className = '' }: CardRowProps) {
  const seen = cards.filter((card) => card !== null);
  const name = label ?? cardNames(seen, game, deck);
  return (
    <span
      className={`g-cards ${className}`.trim()}
      role="img"
      aria-label={name}
      aria-hidden={name === ''}
    >
      {cards.map((card, place) => (
        <CardFace
          // biome-ignore lint/suspicious/noArrayIndexKey: a row never changes its order
          key={`${place}${card}`}
          card={card}
          game={game}
          deck={deck}
        />
      ))}
    </span>
  );
}

/** A heading with what belongs under it, in a panel beside the table. */
export function Section(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="g-section">
      <h3>{props.title}</h3>
      {props.children}
    </section>
  );
}
