import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { HouseContext } from '../app/context';
import { testHouse } from '../testing/house';
import { reviewedDeal } from '../testing/review';
import { service } from '../wire/client';
import { ReviewedDeal } from './ReviewedDeal';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function opened() {
  const house = testHouse();
  const { container } = render(
    <HouseContext value={house}>
      <ReviewedDeal reviewed={reviewedDeal()} token="s3cret" />
    </HouseContext>,
  );
  const root = container.querySelector<HTMLElement>('[data-review]');
  if (!root) throw new Error('no review');
  return { root, house };
}

const press = (key: string) => fireEvent.keyDown(window, { key });

test('a review begins with the costliest own choice', () => {
  const { root } = opened();
  expect(root.dataset).toMatchObject({ moment: '1', label: 'mistake' });
  const verdict = within(screen.getByRole('region', { name: 'The choice' }));
  verdict.getByText('Mistake');
  verdict.getByText('cost 2.00 ± 0.60');
  verdict.getByRole('rowheader', { name: /Two of clubs, best/ });
  verdict.getByRole('rowheader', { name: /King of spades.*chosen/ });
});

test('keys step through it, and each step is told', () => {
  const { root, house } = opened();
  press('ArrowRight');
  expect(root.dataset.moment).toBe('2');
  expect(house.announce).toHaveBeenLastCalledWith([{ text: expect.stringContaining('Best.') }]);
  press('End');
  expect(root.dataset.moment).toBe('8');
  press('Home');
  press('ArrowLeft');
  expect(root.dataset.moment).toBe('0');
  screen.getByText('The cards are dealt.', { selector: 'section p' });
});

test('hands are hidden until they are opened', () => {
  const { root } = opened();
  expect(root.querySelectorAll('[data-hand]')).toHaveLength(0);
  press('o');
  const hands = [...root.querySelectorAll<HTMLElement>('[data-hand]')];
  expect(hands.map((hand) => hand.dataset.hand)).toEqual(['AS 2C', '2S KC', '3S QC']);
});

test('the open hands are a second opinion, set apart', () => {
  opened();
  const opinion = screen.getByRole('complementary', { name: /second opinion/ });
  expect(opinion.textContent).toContain('no verdict');
  expect(opinion.textContent).toContain('Two of clubs (+2.00)');
});

test('a costly choice is one click away, the others’ are folded', () => {
  const { root } = opened();
  const jumps = [...root.querySelectorAll<HTMLElement>('[data-jump]')];
  expect(jumps.map((jump) => jump.dataset.jump)).toEqual(['1', '5']);
  fireEvent.click(jumps[1] as Element);
  expect(root.dataset.moment).toBe('5');
});

test('the timeline is a slider with words', () => {
  opened();
  const slider = screen.getByRole('slider', { name: 'Expected result after each choice' });
  expect(slider.getAttribute('aria-valuetext')).toBe('After 1 of 8 choices: expected 0 ± 1.00.');
  expect(slider.getAttribute('aria-valuemax')).toBe('8');
});

test('a retry asks for the moment before the own choice', () => {
  const retry = vi.spyOn(service, 'retry').mockReturnValue(new Promise(() => undefined));
  opened();
  fireEvent.click(screen.getByRole('button', { name: 'Retry from here' }));
  expect(retry).toHaveBeenCalledWith('t1', 0, 0, 's3cret');
});
