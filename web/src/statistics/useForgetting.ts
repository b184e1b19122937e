import { useState } from 'react';
import { useHouse } from '../app/context';
import { t } from '../texts';
import { inOneLine, service } from '../wire/client';

/** What is asked about before it is deleted: one table by its name, or everything. */
export type Forgotten = { readonly table: string } | 'everything';

/** Deleting with a question before it; `done` hears when something is gone. */
export function useForgetting(done: () => void) {
  const { notify } = useHouse();
  const [asked, setAsked] = useState<Forgotten | null>(null);

  async function forget(what: Forgotten): Promise<void> {
    setAsked(null);
    try {
      if (what === 'everything') await service.forgetEverything();
      else await service.forgetTable(what.table);
      const all = what === 'everything';
      notify(t(all ? 'statistics.forget-all.done' : 'statistics.forget.done'));
    } catch (error) {
      notify(inOneLine(error), 'error');
    }
    done();
  }

  return { asked, ask: setAsked, forget };
}

export type Forgetting = ReturnType<typeof useForgetting>;
