import { useId, useState } from 'react';
import { useHouse } from '../app/context';
import { AMOUNTS, type AmountName, amount } from '../state/advice';
import { t, tell } from '../texts';

/** How much the analysis is to look at: a slider for the usual, a field for more. */
export function Amounts() {
  return (
    <div className="amounts">
      <Amount name="analysis_sims" />
      <Amount name="analysis_worlds" />
      <p className="quiet">{t('settings.analysis-meaning')}</p>
    </div>
  );
}

function Amount({ name }: { readonly name: AmountName }) {
  const { settings, change } = useHouse();
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const { least, slider, most } = AMOUNTS[name];
  const value = settings[name];
  const label = tell(`settings.${name}`);
  const set = (wanted: number) => change({ [name]: amount(name, wanted) });

  /** What is being typed takes effect once it is an amount. */
  function type(text: string): void {
    setTyped(text);
    if (text !== '' && amount(name, Number(text)) === Number(text)) set(Number(text));
  }

  return (
    <div className="amount">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={least}
        max={slider}
        value={Math.min(value, slider)}
        data-amount={name}
        onChange={(event) => set(event.target.valueAsNumber)}
      />
      <input
        type="number"
        min={least}
        max={most}
        value={typed ?? value}
        aria-label={t('settings.amount-field', { name: label })}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setTyped(null)}
      />
    </div>
  );
}
