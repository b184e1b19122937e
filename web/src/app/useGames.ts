import { useCallback, useEffect, useState } from 'react';
import type { GameInfo } from '../wire';
import { service } from '../wire/client';

const WHILE_COMPILING = 1500;
const WHILE_AWAY = 2000;

/** The games of the house; asked for again while one is compiled or the service is away. */
export function useGames() {
  const [games, setGames] = useState<readonly GameInfo[] | null>(null);
  const [away, setAway] = useState(false);
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` asks again
  useEffect(() => {
    let current = true;
    service.games().then(
      (told) => {
        if (!current) return;
        setGames(told);
        setAway(false);
      },
      () => current && setAway(true),
    );
    return () => {
      current = false;
    };
  }, [asked]);

  const refreshGames = useCallback(() => setAsked((count) => count + 1), []);
  const unready = games?.some((game) => game.readiness.state === 'compiling');

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer sets the next timer
  useEffect(() => {
    if (!unready && !away) return;
    const timer = setTimeout(refreshGames, away ? WHILE_AWAY : WHILE_COMPILING);
    return () => clearTimeout(timer);
  }, [unready, away, games, asked, refreshGames]);

  const setGame = useCallback((told: GameInfo) => {
    setGames((before) => before?.map((game) => (game.name === told.name ? told : game)) ?? [told]);
  }, []);

  return { games, refreshGames, setGame, away };
}
