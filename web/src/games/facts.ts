/** The facts of each game as its `showing.py` tells them. */
import type { TableState } from '../state/table';
import type { components } from '../wire/generated';

type Schemas = components['schemas'];
export type CoincheFacts = Schemas['CoincheFacts'];
export type HeartsFacts = Schemas['HeartsFacts'];
export type HokmFacts = Schemas['HokmFacts'];
export type SheepheadFacts = Schemas['SheepheadFacts'];
export type SnapszerFacts = Schemas['SnapszerFacts'];

interface FactsByGame {
  readonly coinche: CoincheFacts;
  readonly hearts: HeartsFacts;
  readonly hokm: HokmFacts;
  readonly sheephead: SheepheadFacts;
  readonly snapszer: SnapszerFacts;
}

/** The facts of a table where this game is played. */
export function factsOf<G extends keyof FactsByGame>(_game: G, state: TableState): FactsByGame[G] {
  return state.frame.facts as unknown as FactsByGame[G];
}
