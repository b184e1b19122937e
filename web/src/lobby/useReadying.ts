import { useEffect } from 'react';
import { useHouse } from '../app/context';
import type { GameInfo } from '../wire';
import { service } from '../wire/client';

const OFTEN = 500;

/** Has a game made ready, and follows how far it is. */
export function useReadying(game: GameInfo): void {
  const { setGame } = useHouse();
  const { name, readiness } = game;
  const waits = readiness.state !== 'ready';
  useEffect(() => {
    if (!waits) return;
    const ask = () => service.game(name).then(setGame, () => undefined);
    void ask();
    const timer = setInterval(ask, OFTEN);
    return () => clearInterval(timer);
  }, [name, waits, setGame]);
}
