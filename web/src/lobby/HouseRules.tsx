import { useId } from 'react';
import {
  askable,
  controlOf,
  type OptionValue,
  optionValue,
  type Variant,
  withOption,
} from '../state/setup';
import { t, tellOr } from '../texts';
import type { OptionInfo } from '../wire';

export interface HouseRulesProps {
  readonly game: string;
  readonly options: readonly OptionInfo[];
  readonly variant: Variant;
  readonly onChange: (variant: Variant) => void;
}

/** The options of a game as a form. */
export function HouseRules({ game, options, variant, onChange }: HouseRulesProps) {
  const changed = Object.keys(variant).length;
  return (
    <details className="house-rules">
      <summary>
        {t('options.title')}{' '}
        <span className="quiet">
          {changed === 0 ? t('options.usual') : t('options.changed', { count: changed })}
        </span>
      </summary>
      {askable(options).map((option) => (
        <Option
          key={option.name}
          game={game}
          option={option}
          value={optionValue(variant, option)}
          onChange={(value) => onChange(withOption(variant, option, value))}
        />
      ))}
      <button type="button" disabled={changed === 0} onClick={() => onChange({})}>
        {t('options.reset')}
      </button>
    </details>
  );
}

interface OptionProps {
  readonly game: string;
  readonly option: OptionInfo;
  readonly value: OptionValue;
  readonly onChange: (value: OptionValue) => void;
}

function Option({ game, option, value, onChange }: OptionProps) {
  const id = useId();
  const label = tellOr(`${game}.option.${option.name}`, inWords(option.name));
  return (
    <div className={`option ${value === option.default ? '' : 'changed'}`}>
      <label htmlFor={id}>{label}</label>
      <Control id={id} game={game} option={option} value={value} onChange={onChange} />
      <p id={`${id}-meaning`} className="quiet">
        {tellOr(`${game}.option.${option.name}.meaning`, option.meaning)}
      </p>
    </div>
  );
}

function Control({ id, game, option, value, onChange }: OptionProps & { readonly id: string }) {
  const common = { id, 'aria-describedby': `${id}-meaning` };
  switch (controlOf(option)) {
    case 'switch':
      return (
        <input
          {...common}
          type="checkbox"
          role="switch"
          aria-checked={value === true}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case 'choice': {
      const values = option.values ?? [];
      return (
        <select
          {...common}
          value={values.indexOf(value)}
          onChange={(event) => onChange(values[Number(event.target.value)] ?? option.default)}
        >
          {values.map((one, index) => (
            <option key={String(one)} value={index}>
              {tellOr(`${game}.option.${option.name}.${one}`, inWords(String(one)))}
            </option>
          ))}
        </select>
      );
    }
    case 'number':
      return (
        <input
          {...common}
          type="number"
          inputMode="numeric"
          value={String(value)}
          min={option.at_least ?? undefined}
          max={option.at_most ?? undefined}
          step={1}
          onChange={(event) => onChange(Math.trunc(event.target.valueAsNumber || 0))}
        />
      );
    case 'text':
      return (
        <input
          {...common}
          type="text"
          value={String(value)}
          maxLength={40}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}

function inWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
