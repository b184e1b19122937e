import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HouseContext } from '../app/context';
import { testHouse } from '../testing/house';
import { dealRow, gameStatistics, statistics } from '../testing/statistics';
import { service } from '../wire/client';
import { StatisticsPage } from './StatisticsPage';

const asked = vi.fn();

beforeEach(() => {
  vi.spyOn(service, 'statistics').mockImplementation(async (query) => {
    asked(query);
    return statistics({ deals: 120 });
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function opened() {
  const house = testHouse();
  const { container } = render(
    <HouseContext value={house}>
      <StatisticsPage />
    </HouseContext>,
  );
  return { container, house };
}

test('figures carry their intervals', async () => {
  const { container } = opened();
  await screen.findByRole('heading', { name: 'Hearts' });
  const told = container.querySelector('[data-figures]')?.textContent;
  expect(told).toContain('312 201 … 420');
  expect(told).toContain('84% 80% … 88%');
  expect(told).toContain('and 3 assisted');
});

test('what cannot be told yet is said to be too little', async () => {
  const games = [gameStatistics({ deals: 1, rating: null, accuracy: null, opponents: [] })];
  vi.spyOn(service, 'statistics').mockResolvedValue(statistics({ games }));
  opened();
  expect(await screen.findAllByText('too few yet')).toHaveLength(2);
});

test('a deal leads to its review', async () => {
  opened();
  const link = await screen.findByRole('link', { name: /^Review: Hearts, deal 3/ });
  expect(link.getAttribute('href')).toBe('#/review/t1/2');
});

test('a filter asks anew, from the first page', async () => {
  opened();
  fireEvent.click(await screen.findByRole('button', { name: 'Older' }));
  await waitFor(() => expect(asked).toHaveBeenLastCalledWith('first=1'));
  fireEvent.change(screen.getByLabelText('Help'), { target: { value: 'true' } });
  await waitFor(() => expect(asked).toHaveBeenLastCalledWith('assisted=true'));
});

test('a table is deleted only after a question', async () => {
  const forget = vi.spyOn(service, 'forgetTable').mockResolvedValue(new Response());
  const { container, house } = opened();
  fireEvent.click(await screen.findByRole('button', { name: /^Delete the table/ }));
  expect(forget).not.toHaveBeenCalled();
  fireEvent.click(container.querySelector('[data-yes]') as Element);
  await waitFor(() => expect(house.notify).toHaveBeenCalledWith('The table is deleted.'));
  expect(forget).toHaveBeenCalledWith(dealRow().table);
});
