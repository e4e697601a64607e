import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import { expect, it, vi } from 'vitest';
import { renderFor } from '#tests/support/web/render.tsx';
import { Toaster } from '#web/app/toaster.tsx';
import { type MenuTarget, menuButton } from './menu-button.tsx';
import { lazyWithPreload } from './on-demand.tsx';

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

it('a part that cannot be loaded leaves its page alone, and is tried again when it is rendered anew', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const load = unreliable(() => <p>Late</p>);
  const Late = lazyWithPreload(load);
  const page = (visit: number) => (
    <>
      <p>Page</p>
      <Late key={visit} />
    </>
  );
  const { rerender } = renderFor(null, page(1));
  await waitFor(() => expect(console.error).toHaveBeenCalledTimes(1));
  screen.getByText('Page');
  rerender(page(2));
  await waitFor(() => expect(console.error).toHaveBeenCalledTimes(2));
  rerender(page(3));
  await screen.findByText('Late');
  rerender(page(4));
  screen.getByText('Late');
  expect(load).toHaveBeenCalledTimes(3);
});
