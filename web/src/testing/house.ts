import { vi } from 'vitest';
import type { House } from '../app/context';
import { DEFAULT_LOCAL, DEFAULT_SETTINGS } from '../state/settings';
import { gameInfo } from './tables';

/** A house whose voice can be listened to. */
export function testHouse(told: Partial<House> = {}): House {
  return {
    settings: DEFAULT_SETTINGS,
    change: vi.fn(),
    local: DEFAULT_LOCAL,
    changeLocal: vi.fn(),
    games: [gameInfo()],
    refreshGames: vi.fn(),
    setGame: vi.fn(),
    announce: vi.fn(),
    notify: vi.fn(),
    ...told,
  };
}
