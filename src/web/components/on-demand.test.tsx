import { fireEvent, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { expect, it, vi } from 'vitest';
import { renderFor } from '#tests/support/web/render.tsx';
import { Toaster } from '#web/app/toaster.tsx';
import { type MenuTarget, menuButton } from './menu-button.tsx';

/** Code that cannot be loaded at first, as offline. */
function unreliable<Props>(Component: ComponentType<Props>) {
  return vi.fn(async () => Component).mockRejectedValueOnce(new TypeError('Failed to fetch'));
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
