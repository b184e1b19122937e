import { t } from '../texts';
import type { Settings } from '../wire';

interface NameFieldProps {
  readonly settings: Settings;
  readonly change: (changed: Partial<Settings>) => void;
}

/** What a person is called. */
export function NameField({ settings, change }: NameFieldProps) {
  return (
    <label className="line">
      <span>{t('form.name')}</span>
      <input
        type="text"
        maxLength={24}
        autoComplete="nickname"
        value={settings.name}
        onChange={(event) => change({ name: event.target.value })}
      />
    </label>
  );
}
