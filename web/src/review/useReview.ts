import { useEffect, useState } from 'react';
import { withNames } from '../state/seating';
import type { Reviewed, Reviewing, ServerMessage } from '../wire';
import { Line, lineUrl } from '../wire/socket';

export interface ReviewUnderWay {
  readonly reviewed: Reviewed | null;
  readonly progress: Reviewing | null;
  readonly problem: string | null;
}

const NOTHING: ReviewUnderWay = { reviewed: null, progress: null, problem: null };

/** The review of a finished deal, asked for over the table's line, which tells how far it is. */
export function useReview(table: string, token: string, deal: number): ReviewUnderWay {
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    setFound(NOTHING);
    let asked = false;
    const line = new Line(lineUrl(table, window.location), token, {
      onMessage: hear,
      onState: (state) => {
        if (state === 'open' && !asked) line.send({ kind: 'review', deal });
        asked = state === 'open';
      },
    });
    line.open();
    return () => line.close();

    function hear(message: ServerMessage): void {
      if (message.kind === 'reviewing' && message.deal === deal)
        setFound((before) => ({ ...before, progress: message }));
      if (message.kind === 'refused') setFound({ ...NOTHING, problem: message.message });
      if (message.kind === 'reviewed' && message.deal === deal) {
        setFound({ ...NOTHING, reviewed: { ...message, table: withNames(message.table) } });
        line.close();
      }
    }
  }, [table, token, deal]);
  return found;
}
