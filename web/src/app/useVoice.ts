import { useCallback, useRef, useState } from 'react';
import type { Sentence } from '../state/live';

export interface Told extends Sentence {
  readonly id: number;
}

export interface NoticeShown {
  readonly id: number;
  readonly text: string;
  readonly kind: 'hint' | 'error';
}

const KEPT = 12;
const NOTICE_STAYS = 4500;

/** The live region's sentences and the notice in sight. */
export function useVoice() {
  const [told, setTold] = useState<readonly Told[]>([]);
  const [notice, setNotice] = useState<NoticeShown | null>(null);
  const lastId = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const announce = useCallback((sentences: readonly Sentence[]) => {
    if (sentences.length === 0) return;
    const fresh = sentences.map((sentence) => ({ ...sentence, id: ++lastId.current }));
    setTold((before) => [...before, ...fresh].slice(-KEPT));
  }, []);

  const notify = useCallback(
    (text: string, kind: 'hint' | 'error' = 'hint') => {
      clearTimeout(timer.current);
      setNotice({ id: ++lastId.current, text, kind });
      announce([{ text }]);
      timer.current = setTimeout(() => setNotice(null), NOTICE_STAYS);
    },
    [announce],
  );

  return { told, notice, announce, notify };
}
