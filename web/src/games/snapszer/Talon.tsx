import type { CSSProperties } from 'react';
import { CardFace, cardName } from '../../cards';
import { t } from '../../texts';
import type { DrawingProps } from '../drawing';
import { factsOf, type SnapszerFacts } from '../facts';
import './snapszer.css';

const PER_LAYER = 0.16; // rem of thickness for each card

/** The stack with its thickness, and the upcard across under it; face down on top once closed. */
export function Talon({ state, deck }: DrawingProps) {
  const facts = factsOf('snapszer', state);
  const { talon, upcard, is_open } = facts;
  if (talon === 0) return null;
  const isClosed = !is_open && facts.closer !== null;
  const stacked = upcard === null ? talon : talon - 1;
  const across = upcard !== null && (
    <span className={isClosed ? 'sn-across sn-over' : 'sn-across'}>
      <CardFace card={isClosed ? null : upcard} game="snapszer" deck={deck} />
    </span>
  );
  return (
    <div className="sn-talon" role="img" aria-label={talonName(facts, deck)}>
      {!isClosed && across}
      <span className="sn-stack">
        {Array.from({ length: stacked }, (_, layer) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: layers of a stack
          <span key={layer} className="sn-layer" style={raised(layer)}>
            <CardFace card={null} game="snapszer" deck={deck} />
          </span>
        ))}
      </span>
      {isClosed && across}
      <span className="sn-count">{talon}</span>
    </div>
  );
}

function raised(layer: number): CSSProperties {
  const up = layer * PER_LAYER;
  return { transform: `translate(${-up * 0.6}rem, ${-up}rem)` };
}

/** The talon in words: how many cards, and what is known of the lowest. */
export function talonName(facts: SnapszerFacts, deck: DrawingProps['deck']): string {
  const { talon, upcard } = facts;
  if (facts.closer !== null) return t('snapszer.talon.closed', { count: talon });
  if (upcard === null) return t('snapszer.talon.count', { count: talon });
  const card = cardName(upcard, 'snapszer', deck).toLowerCase();
  return t('snapszer.talon.open', { count: talon, card });
}
