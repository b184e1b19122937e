import { useHouse } from '../app/context';
import { t } from '../texts';
import { Icon } from './Icon';

export interface CopyFieldProps {
  readonly label: string;
  readonly text: string;
}

/** A text that is there to be copied. */
export function CopyField({ label, text }: CopyFieldProps) {
  const { notify } = useHouse();
  return (
    <div className="copy-field">
      <label>
        <span>{label}</span>
        <input readOnly value={text} onFocus={(event) => event.target.select()} />
      </label>
      <button type="button" onClick={copy}>
        <Icon name="copy" />
        {t('page.copy')}
      </button>
    </div>
  );

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      notify(t('page.copied'));
    } catch {
      notify(t('page.copy-yourself'));
    }
  }
}
