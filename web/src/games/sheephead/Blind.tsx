import { CardFace, cardName, seatName, shortCard } from '../../cards';
import { t } from '../../texts';
import type { DrawingProps } from '../drawing';
import { factsOf } from '../facts';
import { CardRow } from '../parts/pieces';
import './sheephead.css';

/** The blind before it is taken, then the called card and the unknown card that lies face down. */
export function Blind({ state, deck }: DrawingProps) {
  const facts = factsOf('sheephead', state);
  const { blind, called, unknown, unknown_card, picker, partner } = facts;
  if (blind > 0)
    return (
      <div className="sh-center">
        <CardRow
          cards={Array.from({ length: blind }, () => null)}
          game="sheephead"
          deck={deck}
          label={t('sheephead.blind.lies', { count: blind })}
          className="sh-blind"
        />
        <span className="g-label">{t('sheephead.blind')}</span>
      </div>
    );
  if (picker === null || !facts.declared || state.frame.result) return null;
  const who = seatName(picker, state);
  return (
    <div className="sh-center sh-called">
      {called !== null && partner === null && (
        <figure className="sh-card">
          <span
            role="img"
            aria-label={t('sheephead.called.is', { card: cardName(called, 'sheephead') })}
          >
            <CardFace card={called} game="sheephead" deck={deck} className="sh-ghost" />
          </span>
          <figcaption className="g-label">{t('sheephead.called')}</figcaption>
        </figure>
      )}
      {unknown === 'lies' && (
        <figure className="sh-card">
          <span role="img" aria-label={t('sheephead.unknown.lies', { name: who })}>
            <CardFace card={null} game="sheephead" deck={deck} />
          </span>
          <figcaption className="g-label">
            {unknown_card === null
              ? t('sheephead.unknown')
              : t('sheephead.unknown.mine', { card: shortCard(unknown_card, 'sheephead') })}
          </figcaption>
        </figure>
      )}
    </div>
  );
}
