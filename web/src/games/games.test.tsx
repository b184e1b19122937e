import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { TableState } from '../state/table';
import { drawingOf } from '.';
import { giver, receiver } from './hearts';
import { lengths } from './hokm';
import { choicesOf, pastOf, tableOf } from './making';
import { partnerText } from './sheephead';
import { explained } from './sheephead/Calls';
import { announcements } from './snapszer/announcing';
import { talonName } from './snapszer/Talon';

afterEach(cleanup);

const GAMES = ['coinche', 'hearts', 'hokm', 'sheephead', 'snapszer'] as const;
const BIDS = [80, 90, 100, 110, 120, 130, 140, 150, 160, 250]
  .flatMap((value) => [...'SHDC'].map((suit) => `${value}${suit}`))
  .join(' ');
const SPOKEN = [
  ['coinche', 'bid', `P ${BIDS} X XX`],
  ['hokm', 'trump', 'S H D C'],
  ['sheephead', 'bid', 'pass pick'],
  ['sheephead', 'declare', 'alone AC AS AH TC TS TH'],
  ['snapszer', 'lead', 'close marry:h marry:b marry:l marry:a exchange'],
] as const;

const FACTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  coinche: {
    ...{ dealer: 3, bid: '90S', value: 90, suit: 'S', bidder: 0, doubled: 1, trump: 'S' },
    ...{ points: [20, 30], tricks: [1, 2], belote: 2 },
  },
  hearts: {
    ...{ dealer: 3, direction: 'left', broken: true, points: [0, 13, 0, 1] },
    mine: { passed: ['2C', '3C', '4C'], received: ['AS', 'KS', 'QS'] },
  },
  hokm: {
    ...{ hakem: 0, trump: null, tricks: [0, 0], winner: null, kot: false },
    mine: { first_cards: ['AS', 'KS', '2H', '3D', '4D'] },
  },
  sheephead: {
    ...{ dealer: 4, multiplier: 2, picker: 1, nola: false, redealt: false, blind: 0 },
    ...{ declared: true, alone: false, called: 'AC', unknown: 'lies', unknown_card: null },
    ...{ partner: null, points: [0, 0, 0, 0, 0], trumps: ['QC', 'JO', '8D'] },
    mine: { blind: [], buried: [], unknown: null, is_partner: true },
  },
  snapszer: {
    ...{ trump: 'a', upcard: 'Qa', talon: 8, is_open: true, closer: null, points: [13, 0] },
    ...{ taken: [['Tl', 'Ql'], []], married: [['b'], []], exchanged: null, must_lead: [] },
  },
};

function shown(game: string, frame: Partial<TableState['frame']> = {}): TableState {
  return tableOf(game, { facts: FACTS[game] ?? {}, frame });
}

function drawn(state: TableState, act = () => {}) {
  return { state, act, deck: 'hungarian', showCaptured: false } as const;
}

/** A key of the catalogue that stands where its text should. */
const BARE_KEY = /\b(card|game|coinche|hearts|hokm|sheephead|snapszer)\.[a-z]/;

describe.each(SPOKEN)('%s, %s', (game, phase, texts) => {
  const drawing = drawingOf(game);
  const state = shown(game, { phase, choices: choicesOf(texts) });

  test('every choice that is no card has a full name of its own', () => {
    const names = texts.split(' ').map((text) => drawing?.choiceName?.(text, phase, state));
    for (const [place, text] of texts.split(' ').entries()) {
      expect(names[place]).not.toBe(text);
      expect(names[place]).not.toMatch(BARE_KEY);
    }
    expect(new Set(names).size).toBe(names.length);
  });

  test('every choice that is no card is told aloud', () => {
    for (const text of texts.split(' '))
      for (const seat of [0, 1]) {
        const [made] = pastOf(phase, `${seat}:${text}`);
        const told = made && drawing?.tell?.(made, state);
        expect(told).toMatch(seat === 0 ? /^You / : /^B /);
        expect(told).not.toMatch(/[{}]/);
      }
  });

  test('every choice that is no card can be reached with a button', () => {
    const act = vi.fn();
    const Controls = drawing?.Controls;
    if (!Controls) throw new Error(`${game} draws no controls`);
    const { container } = render(<Controls {...drawn(state, act)} />);
    const reached = new Set<string>();
    const look = () => {
      for (const button of container.querySelectorAll<HTMLElement>('button[data-choice]')) {
        const name = drawing?.choiceName?.(button.dataset.text ?? '', phase, state);
        expect(button.textContent).toContain(name);
        reached.add(button.dataset.text ?? '');
      }
    };
    look();
    for (const value of screen.queryAllByRole('radio')) {
      value.click();
      look();
    }
    container.querySelector<HTMLElement>('button[data-choice]')?.click();
    expect([...reached].toSorted()).toEqual(texts.split(' ').toSorted());
    expect(act).toHaveBeenCalledTimes(1);
  });
});

describe.each(GAMES)('%s', (game) => {
  test('draws its table and its rules with texts, not with keys', () => {
    const drawing = drawingOf(game);
    const { Status, Center, Panel, Badges, Rules } = drawing ?? {};
    const props = drawn(shown(game));
    const { container } = render(
      <>
        {Status && <Status {...props} />}
        {Center && <Center {...props} />}
        {Panel && <Panel {...props} />}
        {Badges && [0, 1].map((seat) => <Badges key={seat} {...props} seat={seat} />)}
        {Rules && <Rules />}
      </>,
    );
    const labels = [...container.querySelectorAll('[aria-label]')].map((one) =>
      one.getAttribute('aria-label'),
    );
    for (const text of [container.textContent, ...labels]) {
      expect(text).not.toMatch(BARE_KEY);
      expect(text).not.toMatch(/[{}]/);
    }
  });

  test('can be watched by somebody without a seat', () => {
    const { Status, Panel } = drawingOf(game) ?? {};
    const { mine: _, ...facts } = FACTS[game] ?? {};
    const props = drawn(tableOf(game, { viewer: null, facts }));
    const { container } = render(
      <>
        {Status && <Status {...props} />}
        {Panel && <Panel {...props} />}
      </>,
    );
    expect(container.textContent).not.toMatch(/\bYou\b/);
  });
});

describe('gathering', () => {
  test('three cards are passed in Hearts, fewer once some are chosen', () => {
    const facts = { ...FACTS.hearts, mine: { passed: [], received: [] } };
    const frame = { phase: 'pass', to_act: 0 };
    const gathering = drawingOf('hearts')?.gathering;
    expect(gathering?.(tableOf('hearts', { facts, frame }))?.count).toBe(3);
    const begun = { ...facts, mine: { passed: ['2C'], received: [] } };
    expect(gathering?.(tableOf('hearts', { facts: begun, frame }))?.count).toBe(2);
    const others = tableOf('hearts', { facts, frame: { phase: 'pass', to_act: 1 } });
    expect(gathering?.(others)).toBeNull();
  });

  test('two cards are buried in Sheephead, and one is laid as the unknown card', () => {
    const gathering = drawingOf('sheephead')?.gathering;
    expect(gathering?.(shown('sheephead', { phase: 'bury' }))?.count).toBe(2);
    expect(gathering?.(shown('sheephead', { phase: 'unknown' }))?.count).toBe(1);
    expect(gathering?.(shown('sheephead', { phase: 'play' }))).toBeNull();
  });
});

describe('Hearts', () => {
  test('cards go left to the next seat, and come from the right', () => {
    expect(receiver(3, 'left')).toBe(0);
    expect(receiver(0, 'right')).toBe(3);
    expect(receiver(1, 'across')).toBe(3);
    expect(giver(0, 'left')).toBe(3);
    expect(receiver(0, 'hold')).toBeNull();
  });

  test('received cards are marked until the first trick is taken', () => {
    const marked = drawingOf('hearts')?.marked;
    expect(Object.keys(marked?.(shown('hearts')) ?? {})).toEqual(['AS', 'KS', 'QS']);
    const tricks = [{ winner: 0, plays: [], points: 0 }];
    expect(marked?.(tableOf('hearts', { facts: FACTS.hearts ?? {}, tricks }))).toEqual({});
  });
});

test('the hakem sees how many cards of each suit he holds', () => {
  expect(lengths(['AS', 'KS', '2H', '3D', '4D'])).toEqual([2, 1, 2, 0]);
});

describe('Sheephead', () => {
  const facts = FACTS.sheephead as unknown as Parameters<typeof partnerText>[0];

  test('the partner knows, the others do not', () => {
    const state = shown('sheephead');
    expect(partnerText(facts, state)).toBe('You, and only you know');
    const mine = { blind: [], buried: [], unknown: null, is_partner: false };
    expect(partnerText({ ...facts, mine }, state)).toBe('Not shown yet');
    expect(partnerText({ ...facts, partner: 3 }, state)).toBe('D');
  });

  test('a call without a card of its suit says that an unknown card is laid', () => {
    const [clubs, spades] = choicesOf('AC AS');
    const state = shown('sheephead', { hand: ['9C', 'QC', '8D'] });
    expect(clubs && explained(clubs, state)).toContain('partner');
    expect(spades && explained(spades, state)).toContain('unknown');
  });
});

describe('Snapszer', () => {
  test('the dearest announcement comes first, closing last', () => {
    const choices = choicesOf('Kb Qb close marry:b marry:a exchange', 'Kb Qb');
    expect(announcements(choices, 'a').map((told) => told.text)).toEqual([
      'marry:a',
      'marry:b',
      'exchange',
      'close',
    ]);
  });

  test('the talon is told with its upcard while it is open', () => {
    const facts = FACTS.snapszer as unknown as Parameters<typeof talonName>[0];
    expect(talonName(facts, 'hungarian')).toContain('felső of acorns');
    const closed = { ...facts, closer: 1, is_open: false };
    expect(talonName(closed, 'hungarian')).not.toContain('acorns');
  });

  test('captured cards lie face down until they are turned up', () => {
    const Panel = drawingOf('snapszer')?.Panel;
    if (!Panel) throw new Error('no panel');
    render(<Panel {...drawn(shown('snapszer'))} />);
    expect(screen.queryByLabelText('Ten of leaves, Felső of leaves')).toBeNull();
    screen.getByRole('button', { pressed: false }).click();
    return screen.findByLabelText('Ten of leaves, Felső of leaves');
  });
});
