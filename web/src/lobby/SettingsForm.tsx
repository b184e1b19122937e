import { useId } from 'react';
import { Amounts } from '../advice/Amounts';
import { useHouse } from '../app/context';
import { t, tell } from '../texts';
import { Switch } from '../ui/Switch';
import type { Settings } from '../wire';
import { NameField } from './NameField';

type Switches = 'sound' | 'forced' | 'captured' | 'bubbles' | 'hints' | 'analysis';
const SWITCHES: readonly Switches[] = [
  'sound',
  'bubbles',
  'forced',
  'captured',
  'hints',
  'analysis',
];

/** Everything a person may like otherwise. It takes effect at once. */
export function SettingsForm() {
  const { settings, change, local, changeLocal } = useHouse();
  return (
    <div className="settings-form">
      <Radios
        name="speed"
        values={['slow', 'normal', 'fast', 'instant']}
        value={settings.speed}
        onChange={(speed) => change({ speed })}
      />
      <Radios
        name="deck"
        values={['two-colour', 'four-colour']}
        value={settings.deck}
        onChange={(deck) => change({ deck })}
      />
      <Radios
        name="snapszer_deck"
        values={['hungarian', 'french']}
        value={settings.snapszer_deck}
        onChange={(snapszer_deck) => change({ snapszer_deck })}
      />
      <Radios
        name="scheme"
        values={['auto', 'light', 'dark']}
        value={local.scheme}
        onChange={(scheme) => changeLocal({ scheme })}
      />
      {SWITCHES.map((name) => (
        <Switch
          key={name}
          label={tell(`settings.${name}`)}
          on={settings[name]}
          onChange={(on) => change({ [name]: on } as Pick<Settings, Switches>)}
        />
      ))}
      <Amounts />
      <Switch
        label={t('settings.letters')}
        on={local.letters}
        onChange={(letters) => changeLocal({ letters })}
      />
      <NameField settings={settings} change={change} />
    </div>
  );
}

interface RadiosProps<T extends string> {
  readonly name: string;
  readonly values: readonly T[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

function Radios<T extends string>({ name, values, value, onChange }: RadiosProps<T>) {
  const group = useId();
  return (
    <fieldset className="radios">
      <legend>{tell(`settings.${name}`)}</legend>
      {values.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name={group}
            value={one}
            checked={one === value}
            onChange={() => onChange(one)}
          />
          <span>{tell(`settings.${name}.${one}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
