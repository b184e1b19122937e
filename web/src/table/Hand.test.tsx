import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { HouseContext } from '../app/context';
import { seated } from '../state/table';
import { testHouse } from '../testing/house';
import { frame, snapshot } from '../testing/tables';
import { Hand } from './Hand';

afterEach(cleanup);

const FRAME = frame(3, {
  to_act: 0,
  hand: ['2C', 'QH', 'KS'],
  choices: [{ choice: 7, text: 'QH', card: 'QH' }],
  refused: ['2C', 'KS'].map((card) => ({ card, reason: { key: 'why.not-now', args: {} } })),
});

function laid(tray: readonly string[] | null = null) {
  const onCard = vi.fn();
  const onConfirm = vi.fn(() => true);
  const house = testHouse();
  render(
    <HouseContext value={house}>
      <Hand
        state={seated(snapshot(FRAME))}
        deck="two-colour"
        active
        tray={tray}
        marks={{ '2C': 'choice.pass' }}
        onCard={onCard}
        onConfirm={onConfirm}
      />
    </HouseContext>,
  );
  return { onCard, onConfirm, house };
}

test('a legal card has its full name and its choice, and is played by a click', () => {
  const { onCard } = laid();
  const queen = screen.getByRole('button', { name: 'Queen of hearts' });
  expect(queen.dataset).toMatchObject({ card: 'QH', choice: '7' });
  expect(queen.getAttribute('aria-disabled')).toBeNull();
  fireEvent.click(queen);
  expect(onCard).toHaveBeenCalledWith('QH', 7);
});

test('a card that may not be played says why, and is not played', () => {
  const { onCard, house } = laid();
  const king = screen.getByRole('button', {
    name: 'King of spades, this card cannot be chosen now',
  });
  expect(king.getAttribute('aria-disabled')).toBe('true');
  expect(king.dataset.choice).toBeUndefined();
  fireEvent.click(king);
  expect(onCard).not.toHaveBeenCalled();
  expect(house.notify).toHaveBeenCalledWith('this card cannot be chosen now');
});

test('a mark on a card is told with its name', () => {
  laid();
  expect(screen.getByRole('button', { name: /^Two of clubs, Pass/ }).dataset.card).toBe('2C');
});

test('one card can be reached by Tab, the others by arrows', () => {
  laid();
  const cards = screen.getAllByRole('button');
  expect(cards.map((card) => card.tabIndex)).toEqual([0, -1, -1]);
  cards[0]?.focus();
  fireEvent.keyDown(cards[0] as Element, { key: 'ArrowLeft' });
  expect(document.activeElement).toBe(cards[2]);
  expect(cards.map((card) => card.tabIndex)).toEqual([-1, -1, 0]);
});

test('Enter on a card of a full tray gives the cards', () => {
  const { onConfirm, onCard } = laid(['QH']);
  const queen = screen.getByRole('button', { name: 'Queen of hearts' });
  expect(queen.getAttribute('aria-pressed')).toBe('true');
  queen.focus();
  fireEvent.keyDown(queen, { key: 'Enter' });
  expect(onConfirm).toHaveBeenCalled();
  expect(onCard).not.toHaveBeenCalled();
});
