import { onlineManager, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from './query-client.ts';

/** The rules for requests (spec/1 section 1), with a fake clock. */

function renderWithClient<Result>(hook: () => Result, client = createQueryClient()) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return { client, ...renderHook(hook, { wrapper }) };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => void vi.useFakeTimers());

describe('reads', () => {
  it('are retried once, after one second [spec/1 1.5]', async () => {
    const read = vi.fn().mockRejectedValue(new Error('no'));
    const { result } = renderWithClient(() => useQuery({ queryKey: ['thing'], queryFn: read }));
    await pass(0);
    expect(read).toHaveBeenCalledTimes(1);
    await pass(999);
    expect(read).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(read).toHaveBeenCalledTimes(2);
    await pass(60_000);
    expect(read).toHaveBeenCalledTimes(2);
    expect(result.current.isError).toBe(true);
  });

  it.each([400, 401, 403, 404])('are not retried after a %i', async (httpStatus) => {
    const refusal = TRPCClientError.from({ error: { message: 'no', code: -32004, data: { httpStatus } } });
    const read = vi.fn().mockRejectedValue(refusal);
    renderWithClient(() => useQuery({ queryKey: ['thing'], queryFn: read }));
    await pass(60_000);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('are fresh for sixty seconds, then refetched when they are used [spec/1 1.4]', async () => {
    const read = vi.fn().mockResolvedValue('data');
    const { client, unmount } = renderWithClient(() => useQuery({ queryKey: ['thing'], queryFn: read }));
    await pass(59_999);
    unmount();
    const again = renderWithClient(() => useQuery({ queryKey: ['thing'], queryFn: read }), client);
    await pass(0);
    expect(read).toHaveBeenCalledTimes(1);
    again.unmount();
    await pass(1);
    renderWithClient(() => useQuery({ queryKey: ['thing'], queryFn: read }), client);
    await pass(0);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('are refetched on focus once they are stale', async () => {
    const read = vi.fn().mockResolvedValue('data');
    renderWithClient(() => useQuery({ queryKey: ['thing'], queryFn: read }));
    await pass(60_000);
    window.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    expect(read).toHaveBeenCalledTimes(2);
  });
});

it('never retries writes [spec/1 1.5]', async () => {
  const write = vi.fn().mockRejectedValue(new Error('no'));
  const { result } = renderWithClient(() => useMutation({ mutationFn: write }));
  act(() => result.current.mutate());
  await pass(60_000);
  expect(write).toHaveBeenCalledTimes(1);
  expect(result.current.isError).toBe(true);
});

describe('without a network', () => {
  const whenOffline = () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    return createQueryClient();
  };
  afterEach(() => {
    onlineManager.setOnline(true);
  });

  it('reads and writes fail at once, in place of waiting without end', async () => {
    const client = whenOffline();
    const ask = vi.fn().mockRejectedValue(new TypeError('Failed to fetch'));
    const read = renderWithClient(() => useQuery({ queryKey: ['thing'], queryFn: ask }), client);
    const write = renderWithClient(() => useMutation({ mutationFn: ask }), client);
    act(() => write.result.current.mutate());
    await pass(5_000);
    expect(read.result.current.isError).toBe(true);
    expect(write.result.current.isError).toBe(true);
  });

  it('saving a coupon waits until the network is back', async () => {
    const client = whenOffline();
    client.mount();
    const mutationFn = vi.fn().mockResolvedValue('saved');
    const mutationKey = [['coupons', 'save']];
    const { result } = renderWithClient(() => useMutation({ mutationKey, mutationFn }), client);
    act(() => result.current.mutate());
    await pass(60_000);
    expect(result.current.isPaused).toBe(true);
    expect(mutationFn).not.toHaveBeenCalled();
    act(() => onlineManager.setOnline(true));
    await pass(0);
    expect(mutationFn).toHaveBeenCalledTimes(1);
    client.unmount();
  });
});
