import { useEffect, useRef, useState } from 'react';
import { type DeckName, fillPhrase } from '../cards';
import type { GameDrawing } from '../games/drawing';
import { choiceWords } from '../state/live';
import { paceOf, type Speed } from '../state/speed';
import type { TableState } from '../state/table';
import { languageOf } from '../texts';
import type { ChoiceMade } from '../wire';
import type { Speech } from './Bubble';

type BySeat = Readonly<Record<number, Speech>>;

/** What each seat has just said, for as long as a bubble stays. */
export function useSpeech(
  state: TableState,
  drawing: GameDrawing | undefined,
  deck: DeckName,
  speed: Speed,
  on: boolean,
): BySeat {
  const [spoken, setSpoken] = useState<BySeat>({});
  const heard = useRef({ deal: state.info.deal, number: state.frame.number });
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());

  useEffect(() => {
    const { deal, number } = heard.current;
    heard.current = { deal: state.info.deal, number: state.frame.number };
    if (deal !== state.info.deal || state.frame.number < number) setSpoken({});
    if (!on || deal !== state.info.deal) return;
    for (const made of state.past.filter((one) => one.number > number)) {
      const lines = linesOf(made, state, drawing, deck);
      if (lines.length > 0) say(made.seat, { id: made.number, lines });
    }

    function say(seat: number, speech: Speech): void {
      setSpoken((before) => ({ ...before, [seat]: speech }));
      const timer = setTimeout(() => {
        timers.current.delete(timer);
        setSpoken((before) => {
          if (before[seat]?.id !== speech.id) return before;
          const { [seat]: _, ...rest } = before;
          return rest;
        });
      }, paceOf(speed).bubble);
      timers.current.add(timer);
    }
  }, [state, drawing, deck, speed, on]);

  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running) clearTimeout(timer);
    };
  }, []);

  return spoken;
}

/** What was said aloud; a choice that is no card is a word at the table too. */
function linesOf(
  made: ChoiceMade,
  state: TableState,
  drawing: GameDrawing | undefined,
  deck: DeckName,
): Speech['lines'] {
  if (made.said.length > 0)
    return made.said.map((phrase) => ({
      text: fillPhrase(phrase, state, deck),
      lang: languageOf(phrase.key),
    }));
  if (made.card || made.text === '?') return [];
  return [{ text: choiceWords(made.text, made.phase, null, state, drawing), lang: null }];
}
