import { t } from '../texts';
import type { Readiness } from '../wire';

/** How far a game is from being playable; nothing once it is. */
export function ReadinessBar({ readiness }: { readonly readiness: Readiness }) {
  const { state, done, steps, what } = readiness;
  if (state === 'ready') return null;
  if (state === 'failed')
    return (
      <p className="problem" role="alert">
        {t('ready.failed', { what })}
      </p>
    );
  const text = state === 'compiling' ? t('ready.compiling', { done, steps }) : t('ready.loading');
  return (
    <div className="readiness">
      <progress
        aria-label={t('ready.label')}
        max={steps || undefined}
        value={steps ? done : undefined}
      />
      <p className="quiet">
        {text}
        {what && <span className="what"> {what}</span>}
      </p>
    </div>
  );
}
