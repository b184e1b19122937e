/** Hand-made tables, for tests. */
import type { TableState } from '../state/table';
import type { ChoiceMade, ChoiceTold, Frame, Taken } from '../wire';

const SEATS: Readonly<Record<string, number>> = { sheephead: 5, snapszer: 2 };

interface Made {
  readonly viewer?: number | null;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly frame?: Partial<Frame>;
  readonly past?: readonly ChoiceMade[];
  readonly tricks?: readonly Taken[];
}

/** A table where seat 0 is looked from and the others are called by letters: B, C, D, … */
export function tableOf(game: string, made: Made = {}): TableState {
  const seats = Array.from({ length: SEATS[game] ?? 4 }, (_, seat) => seat);
  const viewer = made.viewer === undefined ? 0 : made.viewer;
  return {
    info: {
      id: 'table',
      game,
      variant: {},
      places: seats.map((place) => ({
        place,
        player: 'random',
        title: 'ABCDE'.charAt(place),
        connected: true,
      })),
      seats,
      viewer_place: viewer,
      viewer,
      deal: 0,
      scores: seats.map(() => 0),
      sheet: [],
      shared: false,
      retry: false,
    },
    past: made.past ?? [],
    tricks: made.tricks ?? [],
    frame: {
      number: 0,
      event: null,
      phase: 'play',
      to_act: 0,
      hand: [],
      counts: [],
      trick: [],
      tricks: seats.map(() => 0),
      facts: { ...made.facts },
      choices: [],
      refused: [],
      can_undo: false,
      assisted: false,
      replaced: 0,
      result: null,
      ...made.frame,
    },
  };
}

/** Choices by their notation, numbered from 0; those that are cards of a hand are marked so. */
export function choicesOf(texts: string, cards = ''): ChoiceTold[] {
  const held = cards.split(' ');
  return texts
    .split(' ')
    .map((text, choice) => ({ choice, text, card: held.includes(text) ? text : null }));
}

/** Made choices from `seat:text`, all in one phase. */
export function pastOf(phase: string, texts: string): ChoiceMade[] {
  return texts.split(' ').map((one, index) => {
    const [seat = '', text = ''] = one.split(/:(.*)/);
    return {
      number: index + 1,
      seat: Number(seat),
      phase,
      text,
      card: null,
      said: [],
      taken: null,
    };
  });
}
