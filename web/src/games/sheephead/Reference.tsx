import { cardName, rankOf, SuitSign, suitOf } from '../../cards';
import { t } from '../../texts';
import type { DrawingProps } from '../drawing';
import { factsOf } from '../facts';
import { CardRow, Section } from '../parts/pieces';
import './sheephead.css';

/** Trumps from the highest, where the table does not say otherwise. */
export const TRUMPS = [
  ...['QC', 'JO', 'QS', 'QH', 'QD'],
  ...['JC', 'JS', 'JH', 'JD'],
  ...['AD', 'TD', 'KD', '9D', '8D'],
];
const FAIL = ['AC', 'TC', 'KC', '9C', '8C', '7C'];
const NOLA = ['AD', 'KD', 'QD', 'JD', 'TD', '9D', '8D', 'JO'];

/** Which card beats which, what they count, and what the picker has put away. */
export function Reference({ state, deck }: DrawingProps) {
  const { nola, trumps, mine } = factsOf('sheephead', state);
  const row = (cards: readonly string[]) => <Order cards={cards} deck={deck} />;
  return (
    <>
      {mine && mine.buried.length > 0 && (
        <Section title={t('sheephead.buried')}>
          <CardRow cards={mine.buried} game="sheephead" deck={deck} />
        </Section>
      )}
      {nola ? (
        <Section title={t('sheephead.order.nola')}>
          {row(NOLA)}
          <p className="g-quiet">{t('sheephead.order.nola-means')}</p>
        </Section>
      ) : (
        <>
          <Section title={t('sheephead.order.trump')}>
            {row(trumps.length > 0 ? trumps : TRUMPS)}
          </Section>
          <Section title={t('sheephead.order.fail')}>{row(FAIL)}</Section>
          <Section title={t('sheephead.worth')}>
            <p className="g-quiet">{t('sheephead.worth.list')}</p>
          </Section>
        </>
      )}
    </>
  );
}

interface OrderProps {
  readonly cards: readonly string[];
  readonly deck: DrawingProps['deck'];
}

/** Cards from the highest, in short. */
function Order({ cards, deck }: OrderProps) {
  return (
    <ol className="sh-order">
      {cards.map((card) => (
        <li key={card} title={cardName(card, 'sheephead')}>
          {suitOf(card) === '' ? (
            cardName(card, 'sheephead')
          ) : (
            <>
              {rankOf(card).replace('T', '10')}
              <SuitSign suit={suitOf(card)} game="sheephead" deck={deck} />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
