import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { somebody } from '#tests/support/web/render.tsx';
import { AccountProvider } from '#web/app/providers.tsx';
import { createQueryClient } from '#web/lib/query-client.ts';
import { createTrpcClient, trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { useCurrentUser } from './viewer-queries.ts';

/** Data that was loaded for one person is never shown to the next (spec/1 section 4). */

let here: { id: number } | null;
let queryClient: QueryClient;
let refetchMe: () => unknown = () => undefined;
const fetched = vi.fn(async (url: RequestInfo | URL) => {
  if (String(url).includes('accounts.me')) return Response.json({ result: { data: here } });
  const wire = { error: 'Who are you?', code: 'unauthorized' };
  return Response.json(
    { error: { message: wire.error, code: -32001, data: { httpStatus: 401, wire } } },
    { status: 401 },
  );
});

function Page() {
  const { user, isLoading } = useViewer();
  const me = useCurrentUser();
  refetchMe = me.refetch;
  const mine = useQuery({
    queryKey: ['mine'],
    queryFn: () => `secret of ${here?.id}`,
    enabled: user !== null,
    staleTime: 60_000,
  });
  if (isLoading) return 'loading';
  return `${user?.username ?? 'nobody'}: ${mine.data ?? 'nothing'}`;
}

beforeEach(() => {
  here = somebody({ id: 1, username: 'mia' });
  vi.stubGlobal('fetch', fetched);
  queryClient = createQueryClient();
  render(
    <trpc.Provider client={createTrpcClient()} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <AccountProvider>
          <Page />
        </AccountProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  );
});
afterEach(() => {
  queryClient.clear();
});

it('drops the data of the previous person before it is drawn for the next, and refetches it [spec/1 2.24]', async () => {
  await screen.findByText('mia: secret of 1');
  const texts: string[] = [];
  const watch = new MutationObserver(() => texts.push(document.body.textContent ?? ''));
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  here = somebody({ id: 2, username: 'tom' });
  await act(async () => refetchMe());
  await screen.findByText('tom: secret of 2');
  watch.disconnect();
  expect(texts).not.toContain('tom: secret of 1');
});

it('drops all data when the person has signed out [spec/1 4.2]', async () => {
  await screen.findByText('mia: secret of 1');
  here = null;
  await act(async () => refetchMe());
  await screen.findByText('nobody: nothing');
  expect(queryClient.getQueryData(['mine'])).toBeUndefined();
});

it('keeps the data when the same person is fetched again', async () => {
  await screen.findByText('mia: secret of 1');
  await act(async () => refetchMe());
  expect(queryClient.getQueryData(['mine'])).toBe('secret of 1');
});

it('refetches the viewer after a 401 [spec/1 4.1]', async () => {
  await screen.findByText('mia: secret of 1');
  here = null;
  const call = createTrpcClient();
  await act(async () => {
    await queryClient
      .fetchQuery({ queryKey: ['private'], queryFn: () => call.exchanges.list.query({}), retry: false })
      .catch(() => undefined);
  });
  await waitFor(() => expect(document.body.textContent).toBe('nobody: nothing'));
});
