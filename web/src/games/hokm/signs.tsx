/** The hakem's crown. */
export function Crown() {
  return (
    <svg className="ho-crown" viewBox="0 0 24 20" aria-hidden="true">
      <path d="M3 17L1 5L7 9.500L12 1.500L17 9.500L23 5L21 17Z" />
      <path className="ho-crown-band" d="M3 17H21" />
    </svg>
  );
}

const NEEDED = 7;

/** Tricks on the way to seven, as a row of small cards and a number. */
export function TrickPips({ tricks, label }: { readonly tricks: number; readonly label: string }) {
  return (
    <span className="ho-tricks" role="img" aria-label={label}>
      <strong>{tricks}</strong>
      {Array.from({ length: NEEDED }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places in a row
        <span key={place} className={place < tricks ? 'ho-pip ho-pip-won' : 'ho-pip'} />
      ))}
    </span>
  );
}
