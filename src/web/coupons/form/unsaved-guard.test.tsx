import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import { press } from '#tests/support/web/acts.ts';
import { Dialogs } from '#web/app/dialog-outlet.ts';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

const onDiscard = vi.fn();

async function leave() {
  const router = createMemoryRouter([
    {
      path: '/',
      element: (
        <>
          <UnsavedGuard text="Not saved yet." onDiscard={onDiscard} />
          <Dialogs />
        </>
      ),
    },
    { path: '/elsewhere', element: <p>elsewhere</p> },
  ]);
  render(<RouterProvider router={router} />, {
    wrapper: ({ children }) => (
      <MantineProvider env="test">
        <ViewerProvider viewer={{ user: null, isLoading: false }}>{children}</ViewerProvider>
      </MantineProvider>
    ),
  });
  await act(() => router.navigate('/?page=2'));
  expect(screen.queryByRole('dialog')).toBeNull();
  await act(() => router.navigate('/elsewhere'));
  await screen.findByRole('dialog', { name: 'Discard what you typed?' });
  return router;
}

it('blocks leaving the page, and stays on Keep editing', async () => {
  const router = await leave();
  press('Keep editing');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.pathname).toBe('/');
});

it('discards what was typed and leaves the page on Discard', async () => {
  await leave();
  press('Discard');
  await screen.findByText('elsewhere');
  expect(onDiscard).toHaveBeenCalledOnce();
});
