import { useCallback, useEffect, useState } from 'react';
import type { HistoryRow } from '../wire';
import { inOneLine, service } from '../wire/client';
import { keepSeat } from '../wire/keeping';

/** The tables this person sat at, newest first; their seats are kept so that they open. */
export function useHistory() {
  const [rows, setRows] = useState<readonly HistoryRow[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` asks again
  useEffect(() => {
    let current = true;
    service.history().then(
      (told) => {
        if (!current) return;
        for (const row of told) keepSeat(row.table, row.token);
        setRows([...told].sort((one, other) => other.last.localeCompare(one.last)));
      },
      (error) => current && setProblem(inOneLine(error)),
    );
    return () => {
      current = false;
    };
  }, [asked]);
  const again = useCallback(() => setAsked((count) => count + 1), []);
  return { rows, problem, again };
}
