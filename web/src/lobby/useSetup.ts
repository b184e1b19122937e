import { useEffect, useMemo, useState } from 'react';
import { useHouse } from '../app/context';
import { goTo } from '../app/useRoute';
import {
  dialOf,
  fitted,
  recalled,
  remembered,
  type Setup,
  tableOf,
  type Variant,
  watchers,
  withStrength,
} from '../state/setup';
import type { GameInfo, TableCreated } from '../wire';
import { inOneLine, service } from '../wire/client';
import { keepInvitations, keepSeat } from '../wire/keeping';

/** What is being chosen for a new table, and the laying of it. */
export function useSetup(game: GameInfo, deal: string | null) {
  const { settings, change, refreshGames } = useHouse();
  const steps = useMemo(() => dialOf(game.players), [game.players]);
  const last = settings.last[game.name];
  const [strength, setStrength] = useState(() => lastStrength(last) ?? usual(steps));
  const [setup, setSetup] = useState(() => recalled(game, last, strength));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    if (!strength && steps.length > 0) {
      setStrength(usual(steps));
      setSetup((before) => withStrength(before, usual(steps)));
    }
  }, [strength, steps]);

  async function layTable(laid: Setup, onInvitations?: (created: TableCreated) => void) {
    setBusy(true);
    setProblem(null);
    try {
      const created = await service.layTable(tableOf(laid, settings.name, deal));
      const kept = { ...remembered(laid), strength };
      if (!deal) change({ last: { ...settings.last, [game.name]: kept } });
      const mine = laid.sitters.indexOf('me');
      const token = created.seats.find((seat) => seat.place === mine)?.token;
      keepSeat(created.table, token ?? created.watch);
      const others = created.seats.filter((seat) => seat.place !== mine);
      keepInvitations(created.table, others);
      if (others.length > 0 && onInvitations) onInvitations(created);
      else goTo({ at: 'table', table: created.table, token: null });
    } catch (error) {
      setProblem(inOneLine(error));
      refreshGames();
    } finally {
      setBusy(false);
    }
  }

  return {
    steps,
    strength,
    setup,
    busy,
    problem,
    setSetup,
    turn(player: string) {
      setStrength(player);
      setSetup((before) => withStrength(before, player));
    },
    setVariant: (variant: Variant) =>
      setSetup((before) => fitted({ ...before, variant }, game, strength)),
    setSeed: (seed: number | null) => setSetup((before) => ({ ...before, seed })),
    lay: (onInvitations: (created: TableCreated) => void) => layTable(setup, onInvitations),
    watch: () => layTable(watchers(setup, strength)),
  };
}

/** Who sits down if nobody was chosen: the best that plays by rules, which is ready first. */
function usual(steps: readonly { name: string }[]): string {
  const byRules = steps.filter((step) => step.name.startsWith('rulebook'));
  return (byRules.at(-1) ?? steps[Math.floor(steps.length / 2)])?.name ?? '';
}

function lastStrength(kept: unknown): string | null {
  if (typeof kept !== 'object' || kept === null || !('strength' in kept)) return null;
  return typeof kept.strength === 'string' ? kept.strength : null;
}
