import { fireEvent, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { expect, it, vi } from 'vitest';
import { renderFor } from '#tests/support/web/render.tsx';
import { Toaster } from '#web/app/toaster.tsx';
import { type MenuTarget, menuButton } from './menu-button.tsx';

/** Code that cannot be loaded by the first focus and the first press, as offline. */
function unreliable<Props>(Component: ComponentType<Props>) {
  const failure = new TypeError('Failed to fetch');
  return vi
    .fn(async () => Component)
    .mockRejectedValueOnce(failure)
    .mockRejectedValueOnce(failure);
}

it('a menu button keeps the focus while its menu loads, also when that fails', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const Menu = menuButton<MenuTarget>(unreliable(() => <p>Open</p>));
  renderFor(
    null,
    <>
      <Menu target={<button type="button">Press</button>} />
      <Toaster />
    </>,
  );
  const button = screen.getByRole('button', { name: 'Press' });
  button.focus();
  fireEvent.click(button);
  expect(await screen.findByText('This could not be opened')).toBeTruthy();
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(button);
  expect(document.activeElement).toBe(button);
  expect(await screen.findByText('Open')).toBeTruthy();
});
