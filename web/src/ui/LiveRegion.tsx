import type { Told } from '../app/useVoice';
import { directionOf } from '../texts';

/** Tells what happens to those who listen. */
export function LiveRegion({ told }: { readonly told: readonly Told[] }) {
  return (
    <div className="only-heard" role="log" aria-live="polite" data-live>
      {told.map(({ id, text, lang }) => (
        <p key={id} lang={lang} dir={lang ? directionOf(lang) : undefined}>
          {text}
        </p>
      ))}
    </div>
  );
}
