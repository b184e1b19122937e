import type { ReactNode } from 'react';
import { useHouse } from '../app/context';
import { ALL, playersOffered, type Filters as Wanted } from '../state/statistics';
import { t } from '../texts';

export interface FiltersProps {
  readonly filters: Wanted;
  readonly onChange: (filters: Wanted) => void;
}

/** Which deals are looked at. */
export function Filters({ filters, onChange }: FiltersProps) {
  const { games } = useHouse();
  const change = (patch: Partial<Wanted>) => onChange({ ...filters, ...patch });
  const changed = filters !== ALL;
  return (
    <fieldset className="filters">
      <legend className="only-heard">{t('statistics.filters')}</legend>
      <Select
        label={t('statistics.filter.game')}
        value={filters.game}
        onChange={(game) => change({ game, player: '' })}
      >
        <option value="">{t('statistics.filter.game.all')}</option>
        {games?.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </Select>
      <Select
        label={t('statistics.filter.player')}
        value={filters.player}
        onChange={(player) => change({ player })}
      >
        <option value="">{t('statistics.filter.player.all')}</option>
        {playersOffered(games ?? [], filters.game).map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </Select>
      <Day name="since" filters={filters} change={change} />
      <Day name="until" filters={filters} change={change} />
      <Select
        label={t('statistics.filter.assisted')}
        value={filters.assisted}
        onChange={(assisted) => change({ assisted: assisted as Wanted['assisted'] })}
      >
        <option value="">{t('statistics.filter.assisted.all')}</option>
        <option value="false">{t('statistics.filter.assisted.false')}</option>
        <option value="true">{t('statistics.filter.assisted.true')}</option>
      </Select>
      {changed && (
        <button type="button" onClick={() => onChange(ALL)}>
          {t('statistics.filter.reset')}
        </button>
      )}
    </fieldset>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

function Select({ label, value, onChange, children }: SelectProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
      </select>
    </label>
  );
}

interface DayProps {
  readonly name: 'since' | 'until';
  readonly filters: Wanted;
  readonly change: (patch: Partial<Wanted>) => void;
}

function Day({ name, filters, change }: DayProps) {
  return (
    <label>
      <span>{t(name === 'since' ? 'statistics.filter.since' : 'statistics.filter.until')}</span>
      <input
        type="date"
        value={filters[name]}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </label>
  );
}
