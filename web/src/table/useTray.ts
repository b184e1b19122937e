import { useState } from 'react';
import type { GameDrawing, Gathering } from '../games/drawing';
import { gathered, stillLegal, type Tray, toggled } from '../state/gather';
import type { TableState } from '../state/table';

/** The gathering tray, while the game asks for several cards at once. */
export function useTray(
  state: TableState,
  drawing: GameDrawing | undefined,
  active: boolean,
  act: (...choices: number[]) => void,
) {
  const [kept, setKept] = useState<{ readonly key: string; readonly tray: Tray }>({
    key: '',
    tray: [],
  });
  const gathering: Gathering | null = (active && drawing?.gathering?.(state)) || null;
  const key = `${state.info.deal}.${state.frame.number}`;
  const tray = kept.key === key ? stillLegal(kept.tray, state.frame.choices) : [];
  return {
    gathering,
    tray,
    toggle(card: string) {
      if (gathering) setKept({ key, tray: toggled(tray, card, gathering.count) });
    },
    /** Gives the cards away, if they are enough. */
    confirm(): boolean {
      const choices = gathering && gathered(tray, state.frame.choices, gathering.count);
      if (choices) act(...choices);
      return choices !== null;
    },
  };
}

export type GatheringTray = ReturnType<typeof useTray>;
