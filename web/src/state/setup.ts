/** What is chosen in the lobby before a table is laid: house rules and who sits where. */
import { type CreateTable, type GameInfo, type OptionInfo, PERSON, type PlayerInfo } from '../wire';

export type OptionValue = OptionInfo['default'];
export type Variant = Readonly<Record<string, OptionValue>>;

/** Who is to sit at a place: the one at this browser, another person, or a player by name. */
export type Sitter = 'me' | 'other' | { readonly player: string };

export interface Setup {
  readonly game: string;
  /** Only what differs from the usual rules. */
  readonly variant: Variant;
  readonly sitters: readonly Sitter[];
  readonly seed: number | null;
}

/** How an option is asked for. */
export function controlOf(option: OptionInfo): 'switch' | 'choice' | 'number' | 'text' {
  if (typeof option.default === 'boolean') return 'switch';
  if (option.values) return 'choice';
  return typeof option.default === 'number' ? 'number' : 'text';
}

/** The house rules with one changed; what is usual again is left out. */
export function withOption(variant: Variant, option: OptionInfo, value: OptionValue): Variant {
  const { [option.name]: _, ...rest } = variant;
  return value === option.default ? rest : { ...rest, [option.name]: value };
}

/** An option as it stands. */
export function optionValue(variant: Variant, option: OptionInfo): OptionValue {
  return variant[option.name] ?? option.default;
}

/** Options of which there is a choice: one value alone is no question. */
export function askable(options: readonly OptionInfo[]): readonly OptionInfo[] {
  return options.filter((option) => !option.values || option.values.length > 1);
}

/** How many places the table has: an option may ask for more people than there are seats. */
export function placesOf(game: GameInfo, variant: Variant): number {
  const people = game.options.find((option) => option.name === 'people');
  const asked = people ? optionValue(variant, people) : game.seats;
  return typeof asked === 'number' && asked >= game.seats && asked <= 8 ? asked : game.seats;
}

/** The steps of the strength dial, weak to strong; every player where none is marked. */
export function dialOf(players: readonly PlayerInfo[]): readonly PlayerInfo[] {
  const steps = players.filter((player) => player.on_dial);
  return steps.length > 0 ? steps : players;
}

/** A fresh setup: me at the bottom, the others by the dial. */
export function freshSetup(game: GameInfo, strength: string): Setup {
  const sitters = Array.from({ length: game.seats }, (_, place) =>
    place === 0 ? ('me' as const) : { player: strength },
  );
  return { game: game.name, variant: {}, sitters, seed: null };
}

/** The setup with as many places as the house rules ask for. */
export function fitted(setup: Setup, game: GameInfo, strength: string): Setup {
  const places = placesOf(game, setup.variant);
  if (setup.sitters.length === places) return setup;
  const sitters = Array.from(
    { length: places },
    (_, place) => setup.sitters[place] ?? { player: strength },
  );
  return { ...setup, sitters };
}

/** All players at the table exchanged for one of another strength; people stay. */
export function withStrength(setup: Setup, strength: string): Setup {
  const sitters = setup.sitters.map((sitter) =>
    typeof sitter === 'string' ? sitter : { player: strength },
  );
  return { ...setup, sitters };
}

/** The setup with somebody else at a place; there is only one of me. */
export function withSitter(setup: Setup, place: number, sitter: Sitter, strength: string): Setup {
  const sitters = setup.sitters.map((before, other) => {
    if (other === place) return sitter;
    return sitter === 'me' && before === 'me' ? { player: strength } : before;
  });
  return { ...setup, sitters };
}

/** Nobody at this browser plays: the table is watched. */
export function watchers(setup: Setup, strength: string): Setup {
  return {
    ...setup,
    sitters: setup.sitters.map((sitter) => (sitter === 'me' ? { player: strength } : sitter)),
  };
}

/** What is asked of the service. */
export function tableOf(setup: Setup, myName: string, deal: string | null = null): CreateTable {
  const people = setup.sitters.map((sitter) =>
    typeof sitter === 'string' ? PERSON : sitter.player.trim(),
  );
  return {
    game: setup.game,
    variant: deal ? {} : setup.variant,
    players: people,
    names: setup.sitters.map((sitter) => (sitter === 'me' ? myName : '')),
    seed: deal ? null : setup.seed,
    deal,
  };
}

/** What is remembered of a setup until the next time. */
export function remembered(setup: Setup): Record<string, unknown> {
  return { variant: setup.variant, players: setup.sitters.map(told) };
}

const told = (sitter: Sitter) => (typeof sitter === 'string' ? sitter : `=${sitter.player}`);

/** The setup of the last time, as far as it still fits the game. */
export function recalled(game: GameInfo, kept: unknown, strength: string): Setup {
  const fresh = freshSetup(game, strength);
  if (typeof kept !== 'object' || kept === null) return fresh;
  const { variant, players } = kept as { variant?: unknown; players?: unknown };
  const known = new Set(game.options.map((option) => option.name));
  const rules = Object.entries(typeof variant === 'object' && variant ? variant : {}).filter(
    ([name, value]) => known.has(name) && ['boolean', 'number', 'string'].includes(typeof value),
  );
  const sitters = Array.isArray(players) ? players.map(sitterFrom) : [];
  const whole = sitters.length >= game.seats && sitters.every((sitter) => sitter !== null);
  const setup: Setup = {
    ...fresh,
    variant: Object.fromEntries(rules) as Variant,
    sitters: whole ? (sitters as Sitter[]) : fresh.sitters,
  };
  return fitted(setup, game, strength);
}

function sitterFrom(text: unknown): Sitter | null {
  if (text === 'me' || text === 'other') return text;
  return typeof text === 'string' && text.startsWith('=') ? { player: text.slice(1) } : null;
}
