import { KEY_HELP, REVIEW_KEY_HELP } from '../state/keys';
import { type TextKey, t } from '../texts';

/** Every key of the table. */
export function KeyHelp() {
  return (
    <>
      <Keys list={KEY_HELP} />
      <h3>{t('key.review')}</h3>
      <Keys list={REVIEW_KEY_HELP} />
      <p className="quiet">{t('key.touch')}</p>
    </>
  );
}

interface KeysProps {
  readonly list: readonly (readonly [string, TextKey])[];
}

function Keys({ list }: KeysProps) {
  return (
    <dl className="key-help">
      {list.map(([keys, what]) => (
        <div key={what}>
          <dt>
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{t(what)}</dd>
        </div>
      ))}
    </dl>
  );
}
