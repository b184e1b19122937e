import { SuitSign, seatName } from '../../cards';
import { t } from '../../texts';
import type { ChoiceMade } from '../../wire';
import type { DrawingProps } from '../drawing';
import { Section } from '../parts/pieces';
import { auctionRows, bidOf, callers, callName, valueName } from './bidding';
import './coinche.css';

/** The auction so far: a column for each seat, a row for each round. */
export function Auction({ state, deck }: DrawingProps) {
  const rows = auctionRows(state);
  const order = callers(state);
  return (
    <Section title={t('coinche.auction')}>
      {rows.length === 0 ? (
        <p className="g-quiet">{t('coinche.auction.none')}</p>
      ) : (
        <table className="co-auction">
          <thead>
            <tr>
              {order.map((seat) => (
                <th key={seat} scope="col">
                  {seatName(seat, state)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, round) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rounds only grow in number
              <tr key={round}>
                {row.map((made, column) => (
                  <td key={order[column]}>{made && <Call made={made} deck={deck} />}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Call({ made, deck }: { readonly made: ChoiceMade; readonly deck: DrawingProps['deck'] }) {
  const bid = bidOf(made.text);
  if (bid)
    return (
      <span className="co-call-bid">
        {valueName(bid.value)} <SuitSign suit={bid.suit} game="coinche" deck={deck} />
      </span>
    );
  const kind = made.text === 'P' ? 'co-call-pass' : 'co-call-double';
  const short = { P: 'coinche.pass', X: 'coinche.double', XX: 'coinche.redouble' } as const;
  const key = short[made.text as keyof typeof short];
  return <span className={kind}>{key ? t(key) : callName(made.text)}</span>;
}
