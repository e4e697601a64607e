import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { WAIT_MS } from '#server/testing/patience.ts';
import { toasts } from '#web/lib/toasts.ts';
import { renderFor } from '#web/testing/render.tsx';
import '#web/testing/setup.ts';
import { Toaster } from './toaster.tsx';

vi.mock('./toast-stack.tsx', () => {
  throw new TypeError('Failed to fetch');
});

it('a toast is shown and goes away although the code of toasts cannot be loaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  renderFor(null, <Toaster />);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  act(() => toasts.failure('You are offline', 'Try again later.'));
  const toast = await vi.waitFor(() => screen.getByRole('alert'), { timeout: WAIT_MS });
  expect(toast.textContent).toContain('Try again later.');
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(screen.queryByRole('alert')).toBeNull();
  vi.useRealTimers();
});
