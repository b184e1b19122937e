/** A shared deal as a link: the game and the service's line for it, in letters a link may hold. */

export interface Shared {
  readonly game: string;
  /** The line that lays these cards again, house rules included. */
  readonly deal: string;
}

/** A shared deal as base64url. */
export function encodeDeal({ game, deal }: Shared): string {
  const bytes = new TextEncoder().encode(JSON.stringify([game, deal]));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The shared deal again; null if the link is damaged. */
export function decodeDeal(letters: string): Shared | null {
  try {
    const binary = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const told: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (!Array.isArray(told) || told.length !== 2) return null;
    const [game, deal] = told;
    return typeof game === 'string' && typeof deal === 'string' ? { game, deal } : null;
  } catch {
    return null;
  }
}
