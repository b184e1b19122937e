import { useEffect, useState } from 'react';
import { replaceWith } from '../app/useRoute';
import { hashOf, type Route } from '../state/router';
import { keepSeat, seatToken } from '../wire/keeping';

/** The seat held at a table; that of a link is kept, and the address bar forgets it. */
export function useSeat(table: string, token: string | null, without: Route): string | null {
  const [kept] = useState(() => token ?? seatToken(table));
  const hash = hashOf(without);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash is the route
  useEffect(() => {
    if (!token) return;
    keepSeat(table, token);
    replaceWith(without);
  }, [table, token, hash]);
  return kept;
}
