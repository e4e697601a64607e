import { fireEvent, screen } from '@testing-library/react';
import { type ComponentType, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { Toaster } from '#web/app/toaster.tsx';
import { renderFor } from '#web/testing/render.tsx';
import { type MenuTarget, menuButton } from './menu-button.tsx';
import { dialogOnDemand } from './on-demand.tsx';

/** Code that cannot be loaded at first, as offline. */
function unreliable<Props>(Component: ComponentType<Props>) {
  return vi.fn(async () => Component).mockRejectedValueOnce(new TypeError('Failed to fetch'));
}

const TOLD = 'This could not be opened';

it('a dialog whose code cannot be loaded tells so, and opens at the next press', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const load = unreliable(({ opened }: { opened: boolean; onClose: () => void }) => opened && <p>Open</p>);
  const Dialog = dialogOnDemand(load);
  function Page() {
    const [isOpen, setIsOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setIsOpen(true)}>
          Press
        </button>
        <Dialog opened={isOpen} onClose={() => setIsOpen(false)} />
        <Toaster />
      </>
    );
  }
  renderFor(null, <Page />);
  expect(load).not.toHaveBeenCalled();
  const button = screen.getByRole('button', { name: 'Press' });
  fireEvent.click(button);
  expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy();
  expect(await screen.findByText(TOLD)).toBeTruthy();
  expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull();
  fireEvent.click(button);
  expect(await screen.findByText('Open')).toBeTruthy();
});

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
  expect(await screen.findByText(TOLD)).toBeTruthy();
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(button);
  expect(document.activeElement).toBe(button);
  expect(await screen.findByText('Open')).toBeTruthy();
});
