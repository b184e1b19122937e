import { useCallback, useEffect, useState } from 'react';
import { type Filters, queryOf } from '../state/statistics';
import type { Statistics } from '../wire';
import { inOneLine, service } from '../wire/client';
import { keepSeat } from '../wire/keeping';

/** A person's statistics by these filters; the seats of its rows are kept so that they open. */
export function useStatistics(filters: Filters, first: number) {
  const [told, setTold] = useState<Statistics | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState(0);
  const query = queryOf(filters, first);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` asks again
  useEffect(() => {
    let current = true;
    service.statistics(query).then(
      (found) => {
        if (!current) return;
        for (const row of found.rows) keepSeat(row.table, row.token);
        setProblem(null);
        setTold(found);
      },
      (error) => current && setProblem(inOneLine(error)),
    );
    return () => {
      current = false;
    };
  }, [query, asked]);

  const again = useCallback(() => setAsked((count) => count + 1), []);
  return { told, problem, again };
}
