import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { tableOf } from '../games/making';
import { StatusStrip } from './StatusStrip';

afterEach(cleanup);

function strip(replaced: number) {
  const state = tableOf('hearts', { frame: { replaced } });
  render(
    <StatusStrip
      drawing={undefined}
      assisted={false}
      state={state}
      act={() => {}}
      deck="two-colour"
      showCaptured={false}
    />,
  );
}

test('choices made in the place of a program that failed are marked', () => {
  strip(2);
  expect(screen.getByText('2 replaced').title).toContain('failed');
});

test('without any there is no mark', () => {
  strip(0);
  expect(screen.queryByText(/replaced/)).toBeNull();
});
