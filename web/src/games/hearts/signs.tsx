import type { HeartsFacts } from '../facts';

const TURNS = { left: 0, across: 90, right: 180, hold: 0 } as const;

/** Where cards are passed, as an arrow; two bars when they are kept. */
export function Arrow({ direction }: { readonly direction: HeartsFacts['direction'] }) {
  return (
    <svg className="he-sign" viewBox="-12 -12 24 24" aria-hidden="true">
      {direction === 'hold' ? (
        <path d="M-6-7V7M6-7V7" />
      ) : (
        <path d="M10 0H-9M-2-7L-9 0L-2 7" transform={`rotate(${TURNS[direction]})`} />
      )}
    </svg>
  );
}

/** A heart, with a crack once hearts are broken. */
export function HeartSign({ broken }: { readonly broken: boolean }) {
  return (
    <svg className="he-heart" viewBox="0 0 100 100" aria-hidden="true">
      <path d="M50 94C42 74 8 56 8 32C8 8 40 4 50 28C60 4 92 8 92 32C92 56 58 74 50 94Z" />
      {broken && <path className="he-crack" d="M50 24L38 44L58 54L44 72L50 92" />}
    </svg>
  );
}
