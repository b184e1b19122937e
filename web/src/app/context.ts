/** What every part of the page can reach: settings, games, the voice and the notice line. */
import { createContext, useContext } from 'react';
import type { Sentence } from '../state/live';
import type { LocalSettings } from '../state/settings';
import type { GameInfo, Settings } from '../wire';

export interface House {
  readonly settings: Settings;
  readonly change: (patch: Partial<Settings>) => void;
  readonly local: LocalSettings;
  readonly changeLocal: (patch: Partial<LocalSettings>) => void;
  /** Null until the service has told them. */
  readonly games: readonly GameInfo[] | null;
  readonly refreshGames: () => void;
  /** One game as it is told now. */
  readonly setGame: (game: GameInfo) => void;
  /** Tells sentences to those who listen. */
  readonly announce: (sentences: readonly Sentence[]) => void;
  /** A short notice in sight, told aloud as well. */
  readonly notify: (text: string, kind?: 'hint' | 'error') => void;
}

export const HouseContext = createContext<House | null>(null);

export function useHouse(): House {
  const house = useContext(HouseContext);
  if (!house) throw new Error('useHouse wants a HouseContext around it');
  return house;
}

/** What the lobby knows of a game; undefined while unknown. */
export function useGame(name: string | undefined): GameInfo | undefined {
  return useHouse().games?.find((game) => game.name === name);
}
