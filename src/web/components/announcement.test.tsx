import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Announcement } from './announcement.tsx';

it('an announcement is made when there are more than before, and at no other time', () => {
  const at = (count: number | undefined) => (
    <MantineProvider env="test">
      <Announcement count={count} text={(now) => `${now} now`} />
    </MantineProvider>
  );
  const { rerender } = render(at(undefined));
  const said = () => screen.getByRole('status').textContent;
  expect(said()).toBe('');
  rerender(at(3));
  expect(said()).toBe('');
  rerender(at(4));
  expect(said()).toBe('4 now');
  rerender(at(2));
  expect(said()).toBe('');
});
