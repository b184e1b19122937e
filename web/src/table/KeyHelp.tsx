import { KEY_HELP } from '../state/keys';
import { t } from '../texts';

/** Every key of the table. */
export function KeyHelp() {
  return (
    <>
      <dl className="key-help">
        {KEY_HELP.map(([keys, what]) => (
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
      <p className="quiet">{t('key.touch')}</p>
    </>
  );
}
