import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { gameInfo } from '../testing/tables';
import { Dial } from './Dial';
import { HouseRules } from './HouseRules';
import { ReadinessBar } from './ReadinessBar';

afterEach(cleanup);

test('the dial tells the player and his measured strength', () => {
  const onTurn = vi.fn();
  render(<Dial steps={gameInfo().players} strength="pimc:worlds=20" onTurn={onTurn} />);
  const dial = screen.getByRole('slider');
  expect(dial.getAttribute('aria-valuetext')).toBe('pimc:worlds=20, Elo 500 ± 20');
  fireEvent.change(dial, { target: { value: '0' } });
  expect(onTurn).toHaveBeenCalledWith('random');
});

test('house rules are controls with their meaning', () => {
  const onChange = vi.fn();
  const option = { meaning: 'who deals', values: null, at_least: null, at_most: null };
  const options = [
    { ...option, name: 'must_break', default: true, values: [true, false] },
    { ...option, name: 'moon', default: 'add', values: ['add', 'subtract'] },
    { ...option, name: 'target', default: 100, at_least: 1 },
  ];
  render(<HouseRules game="other" options={options} variant={{}} onChange={onChange} />);
  fireEvent.click(screen.getByLabelText('Must break'));
  expect(onChange).toHaveBeenLastCalledWith({ must_break: false });
  fireEvent.change(screen.getByLabelText('Moon'), { target: { value: '1' } });
  expect(onChange).toHaveBeenLastCalledWith({ moon: 'subtract' });
  fireEvent.change(screen.getByLabelText('Target'), { target: { value: '50' } });
  expect(onChange).toHaveBeenLastCalledWith({ target: 50 });
});

test('compilation shows how far it is', () => {
  render(<ReadinessBar readiness={{ state: 'compiling', done: 3, steps: 8, what: 'views' }} />);
  const bar = screen.getByRole<HTMLProgressElement>('progressbar');
  expect([bar.value, bar.max]).toEqual([3, 8]);
});
