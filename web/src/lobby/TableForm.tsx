import { useId, useState } from 'react';
import { useHouse } from '../app/context';
import { t } from '../texts';
import type { GameInfo, TableCreated } from '../wire';
import { Dial } from './Dial';
import { HouseRules } from './HouseRules';
import { Invitations } from './Invitations';
import { NameField } from './NameField';
import { ReadinessBar } from './ReadinessBar';
import { SeatPicker } from './SeatPicker';
import { useReadying } from './useReadying';
import { useSetup } from './useSetup';

export interface TableFormProps {
  readonly game: GameInfo;
  /** A shared deal, which brings its own house rules. */
  readonly deal: string | null;
}

/** Strength, seats and house rules, then the table. */
export function TableForm({ game, deal }: TableFormProps) {
  const { settings, change } = useHouse();
  useReadying(game);
  const form = useSetup(game, deal);
  const [created, setCreated] = useState<TableCreated | null>(null);
  const ready = game.readiness.state === 'ready';
  const mine = form.setup.sitters.includes('me');
  return (
    <form
      className="table-form"
      onSubmit={(event) => {
        event.preventDefault();
        form.lay(setCreated);
      }}
    >
      <Dial steps={form.steps} strength={form.strength} onTurn={form.turn} />
      <NameField settings={settings} change={change} />
      <SeatPicker
        game={game}
        setup={form.setup}
        strength={form.strength}
        onChange={form.setSetup}
      />
      {!deal && (
        <HouseRules
          game={game.name}
          options={game.options}
          variant={form.setup.variant}
          onChange={form.setVariant}
        />
      )}
      {!deal && <Seed seed={form.setup.seed} onChange={form.setSeed} />}
      <ReadinessBar readiness={game.readiness} />
      {form.problem && (
        <p className="problem" role="alert">
          {form.problem}
        </p>
      )}
      <div className="form-actions">
        <button type="submit" className="primary" disabled={!ready || form.busy} data-start>
          {t(mine ? 'form.play' : 'form.watch')}
        </button>
        {mine && (
          <button type="button" disabled={!ready || form.busy} onClick={form.watch}>
            {t('form.watch')}
          </button>
        )}
      </div>
      {created && <Invitations created={created} setup={form.setup} />}
    </form>
  );
}

interface SeedProps {
  readonly seed: number | null;
  readonly onChange: (seed: number | null) => void;
}

function Seed({ seed, onChange }: SeedProps) {
  const id = useId();
  return (
    <details className="seed">
      <summary>{t('form.more')}</summary>
      <label htmlFor={id}>{t('form.seed')}</label>
      <input
        id={id}
        type="number"
        min={0}
        step={1}
        inputMode="numeric"
        value={seed ?? ''}
        aria-describedby={`${id}-meaning`}
        onChange={(event) => {
          const value = event.target.valueAsNumber;
          onChange(Number.isSafeInteger(value) && value >= 0 ? value : null);
        }}
      />
      <p id={`${id}-meaning`} className="quiet">
        {t('form.seed-meaning')}
      </p>
    </details>
  );
}
