import { useId, useState } from 'react';
import { Star } from '../../advice/Bar';
import { useAdvice } from '../../advice/context';
import { ownSuitWord, SuitSign } from '../../cards';
import { percent } from '../../state/figures';
import { t } from '../../texts';
import type { DrawingProps } from '../drawing';
import { ChoiceButton, offered, spokenChoices } from '../parts/choices';
import {
  bidGrid,
  bidName,
  callName,
  type GridRow,
  isOffered,
  rowAdvice,
  SUITS,
  valueName,
} from './bidding';
import './coinche.css';

/** The bidding box: a value, then one of four suits; pass and the doublings beside. */
export function BiddingBox({ state, act, deck }: DrawingProps) {
  const choices = spokenChoices(state);
  const rows = bidGrid(choices);
  const group = useId();
  const [wanted, setWanted] = useWantedValue(rows);
  if (choices.length === 0) return null;
  const chosen = rows.find((row) => row.value === wanted && isOffered(row)) ?? rows.find(isOffered);
  return (
    <section className="co-box" aria-label={t('coinche.box')}>
      {chosen && (
        <fieldset className="co-values">
          <legend>{t('coinche.value')}</legend>
          {rows.map((row) => (
            <label key={row.value} className="co-value">
              <input
                type="radio"
                name={group}
                value={row.value}
                checked={row === chosen}
                disabled={!isOffered(row)}
                onChange={() => setWanted(row.value)}
              />
              <span className="co-number">
                {valueName(row.value)}
                <RowShare row={row} />
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <div className="co-calls">
        {chosen &&
          SUITS.map((suit, place) => (
            <ChoiceButton
              key={suit}
              told={chosen.bids[place]}
              name={bidName({ value: chosen.value, suit })}
              act={act}
              className="co-suit"
            >
              <SuitSign suit={suit} game="coinche" deck={deck} bare />
              <span className="co-suit-words">
                <strong>{valueName(chosen.value)}</strong>
                <span lang="fr" className="co-own">
                  {ownSuitWord(suit, 'coinche')}
                </span>
              </span>
            </ChoiceButton>
          ))}
        <ChoiceButton
          told={offered(choices, 'P')}
          name={callName('P')}
          act={act}
          kind="calm"
          className="co-pass"
        >
          {t('coinche.pass')}
        </ChoiceButton>
        {(['X', 'XX'] as const).map((text) => {
          const told = offered(choices, text);
          return (
            told && (
              <ChoiceButton
                key={text}
                told={told}
                name={callName(text)}
                act={act}
                kind="bold"
                className="co-double"
              >
                {t(text === 'X' ? 'coinche.double' : 'coinche.redouble')}
              </ChoiceButton>
            )
          );
        })}
      </div>
    </section>
  );
}

/** The value whose suits are on offer: what was last asked for, by hand or by a hint. */
function useWantedValue(rows: readonly GridRow[]) {
  const { hinted } = useAdvice();
  const [wanted, setWanted] = useState(0);
  const [followed, setFollowed] = useState<number | null>(null);
  const row = rows.find(({ bids }) => bids.some((told) => told && told.choice === hinted));
  if (hinted !== followed) {
    setFollowed(hinted);
    if (row) setWanted(row.value);
  }
  return [wanted, setWanted] as const;
}

/** How much of the analysis goes to the bids of one value. */
function RowShare({ row }: { readonly row: GridRow }) {
  const { share, best, hinted } = rowAdvice(row, useAdvice());
  if (share === null && !hinted) return null;
  return (
    <span className={`co-share ${hinted ? 'hinted' : ''}`} data-row-share={share ?? undefined}>
      {(best || hinted) && <Star />}
      {share !== null && percent(share)}
      {best && <span className="g-heard"> {t('advice.best')}</span>}
      {hinted && <span className="g-heard"> {t('advice.hint.marked')}</span>}
    </span>
  );
}
