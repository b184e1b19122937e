import { directionOf } from '../texts';

export interface Speech {
  readonly id: number;
  readonly lines: readonly { readonly text: string; readonly lang: string | null }[];
}

export interface BubbleProps {
  readonly speech: Speech;
  readonly side: string;
}

/** What somebody has just said; the live region tells it, so it is silent itself. */
export function Bubble({ speech, side }: BubbleProps) {
  return (
    <div key={speech.id} className={`bubble ${side}`} aria-hidden="true">
      {speech.lines.map(({ text, lang }) => (
        <span key={text} lang={lang ?? undefined} dir={directionOf(lang)}>
          {text}
        </span>
      ))}
    </div>
  );
}
