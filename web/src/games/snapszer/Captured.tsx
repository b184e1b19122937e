import { useState } from 'react';
import { cardNames, seatName } from '../../cards';
import { t } from '../../texts';
import type { DrawingProps } from '../drawing';
import { factsOf } from '../facts';
import { CardRow, Section } from '../parts/pieces';
import { seatsFrom } from '../parts/telling';
import { marriageWords } from './announcing';
import './snapszer.css';

/** The cards of each player's tricks: backs until the toggle turns them up. */
export function Captured({ state, deck, showCaptured }: DrawingProps) {
  const [turned, setTurned] = useState<boolean | null>(null);
  const facts = factsOf('snapszer', state);
  const isShown = turned ?? showCaptured;
  const piles = seatsFrom(state).map((seat) => ({ seat, cards: facts.taken[seat] ?? [] }));
  return (
    <>
      <button
        type="button"
        className="g-choice g-calm sn-toggle"
        aria-pressed={isShown}
        onClick={() => setTurned(!isShown)}
      >
        {t(isShown ? 'snapszer.captured.hide' : 'snapszer.captured.show')}
      </button>
      {piles.map(({ seat, cards }) => (
        <Section
          key={seat}
          title={t('snapszer.captured.of', {
            name: seatName(seat, state),
            count: cards.length,
            points: facts.points[seat] ?? 0,
          })}
        >
          {cards.length === 0 ? (
            <p className="g-quiet">{t('snapszer.captured.none')}</p>
          ) : (
            <CardRow
              cards={isShown ? cards : cards.map(() => null)}
              game="snapszer"
              deck={deck}
              label={
                isShown
                  ? cardNames(cards, 'snapszer', deck)
                  : t('snapszer.captured.backs', { count: cards.length })
              }
              className={isShown ? 'sn-taken' : 'sn-taken sn-hidden'}
            />
          )}
          {marriageWords(seat, facts, deck).map((words) => (
            <p key={words} className="sn-married">
              {words}
            </p>
          ))}
        </Section>
      ))}
    </>
  );
}
