import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { HouseContext } from '../app/context';
import { drawingOf } from '../games';
import { choicesOf, tableOf } from '../games/making';
import { barsOf } from '../state/advice';
import { DEFAULT_SETTINGS } from '../state/settings';
import { seated } from '../state/table';
import { Hand } from '../table/Hand';
import { analysis, bar, hintTold } from '../testing/advice';
import { testHouse } from '../testing/house';
import { frame, snapshot } from '../testing/tables';
import { AnalysisPanel } from './AnalysisPanel';
import { type Advice, AdviceContext } from './context';
import { HintPanel } from './HintPanel';
import { ValueBadge } from './ValueBadge';

afterEach(cleanup);

const TWO_BARS = [
  bar(7, { card: 'KS', probability: 0.75, payoff: 2, best: true, shade: 1 }),
  bar(8, { card: '2C', probability: 0.25, payoff: -1, shade: 0 }),
];
const STATE = seated(
  snapshot(
    frame(3, {
      to_act: 0,
      hand: ['2C', 'QH', 'KS'],
      choices: [
        { choice: 7, text: 'KS', card: 'KS' },
        { choice: 8, text: '2C', card: '2C' },
      ],
    }),
  ),
);

function advised(advice: Partial<Advice>, active = true) {
  const told = { bars: barsOf(analysis({ bars: TWO_BARS })), hinted: null, ...advice };
  return render(
    <HouseContext value={testHouse()}>
      <AdviceContext value={told}>
        <Hand
          state={STATE}
          deck="two-colour"
          active={active}
          tray={null}
          marks={{}}
          onCard={vi.fn()}
          onConfirm={vi.fn()}
        />
      </AdviceContext>
    </HouseContext>,
  );
}

test('each card that may be played has a bar, the best also a word', () => {
  const { container } = advised({});
  const bars = [...container.querySelectorAll<HTMLElement>('[data-bar]')];
  expect(bars.map((one) => one.dataset.bar)).toEqual(['8', '7']);
  expect(bars.map((one) => one.style.getPropertyValue('--shade'))).toEqual(['0', '1']);
  screen.getByRole('button', { name: 'King of spades, best, 75%, expected +2.00 ± 0.40' });
  screen.getByRole('button', { name: 'Two of clubs, 25%, expected −1.00 ± 0.40' });
  screen.getByRole('button', { name: 'Queen of hearts' });
});

test('once somebody has acted there are no bars', () => {
  const { container } = advised({}, false);
  expect(container.querySelectorAll('[data-bar]')).toHaveLength(0);
});

test('a hint lifts its card and is told with its name', () => {
  const { container } = advised({ bars: new Map(), hinted: 7 });
  expect(container.querySelector('.hinted')?.getAttribute('data-card')).toBe('KS');
  screen.getByRole('button', { name: 'King of spades, hint' });
});

test('bids have bars too, and their value how much goes to it', () => {
  const BiddingBox = drawingOf('coinche')?.Controls;
  if (!BiddingBox) throw new Error('no box');
  const facts = { dealer: 3, value: null, suit: null, bidder: null, trump: null };
  const state = tableOf('coinche', {
    facts,
    frame: { phase: 'bid', choices: choicesOf('P 80S 80H 90S') },
  });
  const bars = barsOf(
    analysis({
      bars: [
        bar(0, { probability: 0.1 }),
        bar(1, { probability: 0.2 }),
        bar(2, { probability: 0.3 }),
        bar(3, { probability: 0.4, best: true }),
      ],
    }),
  );
  const box = (hinted: number | null) => (
    <AdviceContext value={{ bars, hinted }}>
      <BiddingBox state={state} act={vi.fn()} deck="two-colour" showCaptured={false} />
    </AdviceContext>
  );
  const { rerender, container } = render(box(null));
  const shares = [...container.querySelectorAll<HTMLElement>('[data-row-share]')];
  expect(shares.map((one) => Number(one.dataset.rowShare))).toEqual([0.5, 0.4]);
  screen.getByRole('button', { name: /80 spades.*20%/ });
  rerender(box(3));
  screen.getByRole('button', { name: /90 spades.*hint, best, 40%/ });
});

test('a hint says what it expects', () => {
  const { hint } = hintTold();
  render(
    <HintPanel hint={hint} state={STATE} drawing={undefined} deck="two-colour" onClose={vi.fn()} />,
  );
  const panel = screen.getByRole('region', { name: 'Hint' });
  expect(panel.dataset.hint).toBe('7');
  expect(panel.textContent).toContain('King of spades +2.00 ± 0.40');
  expect(panel.textContent).toContain('assisted');
});

test('the badge tells the value and how deep it was looked', () => {
  const onOpen = vi.fn();
  render(<ValueBadge analysis={analysis({ done: 120 })} onOpen={onOpen} />);
  const badge = screen.getByRole('button', {
    name: /The position is worth \+1.50 ± 0.50. 120\/200 × 30 worlds/,
  });
  expect(badge.dataset).toMatchObject({ done: '120', of: '200', worlds: '30' });
  fireEvent.click(badge);
  expect(onOpen).toHaveBeenCalled();
});

test('while the search is compiled the badge says so', () => {
  const preparing = { state: 'compiling', done: 2, steps: 9, what: 'search' } as const;
  render(<ValueBadge analysis={analysis({ preparing })} onOpen={vi.fn()} />);
  expect(screen.getByRole('button').textContent).toContain('compiling 2/9');
});

test('the panel lists all choices from the best, and its amounts are kept', () => {
  const change = vi.fn();
  const settings = { ...DEFAULT_SETTINGS, analysis: true };
  render(
    <HouseContext value={testHouse({ settings, change })}>
      <AnalysisPanel
        state={STATE}
        drawing={undefined}
        analysis={analysis({ bars: TWO_BARS.toReversed() })}
      />
    </HouseContext>,
  );
  const rows = screen.getAllByRole('row').slice(1);
  expect(rows.map((row) => row.querySelector('th')?.textContent)).toEqual([
    'King of spades, best',
    'Two of clubs',
  ]);
  fireEvent.change(screen.getByLabelText('Worlds'), { target: { value: '12' } });
  expect(change).toHaveBeenLastCalledWith({ analysis_worlds: 12 });
  const field = screen.getByLabelText('Simulations in each world, as a number');
  fireEvent.change(field, { target: { value: '5' } });
  fireEvent.change(field, { target: { value: '1500' } });
  expect(change).toHaveBeenCalledTimes(2);
  expect(change).toHaveBeenLastCalledWith({ analysis_sims: 1500 });
});
