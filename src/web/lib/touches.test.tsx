import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, waitFor } from '@testing-library/react';
import { httpLink } from '@trpc/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '#contract/base/errors.ts';
import type { LiveEvent } from '#contract/base/live.ts';
import { createQueryClient, useRefresh } from './query-client.ts';
import { touchedBy } from './touches.ts';
import { trpc } from './trpc.ts';

/** The queries sent to the server, by procedure and input. */
let requested: string[];
let page: ReturnType<typeof usePage>;
/** Functions that send the answers that are held back; null: answers are sent at once. */
let heldBack: (() => void)[] | null;
/** Mutations are refused with this. */
let refusal: ErrorCode | null;

const ON_SCREEN = [
  'messages.list {"dealType":"exchange","dealId":7}',
  'messages.list {"dealType":"exchange","dealId":8}',
  'messages.list {"dealType":"bid","dealId":7}',
  'messages.conversations {}',
  'messages.unreadCount',
  'notifications.list {}',
  'notifications.unreadCount',
  'exchanges.list {}',
  'bids.list {"role":"owner"}',
  'coupons.byId {"id":3}',
  'accounts.me',
  'accounts.sessions',
  'sellers.accountStatus',
].sort();

/** Queries of every kind are on screen. */
function usePage() {
  trpc.messages.list.useQuery({ dealType: 'exchange', dealId: 7 });
  trpc.messages.list.useQuery({ dealType: 'exchange', dealId: 8 });
  trpc.messages.list.useQuery({ dealType: 'bid', dealId: 7 });
  trpc.messages.conversations.useQuery({});
  trpc.messages.unreadCount.useQuery();
  trpc.notifications.list.useQuery({});
  trpc.notifications.unreadCount.useQuery();
  trpc.exchanges.list.useQuery({});
  trpc.bids.list.useQuery({ role: 'owner' });
  trpc.coupons.byId.useQuery({ id: 3 });
  trpc.accounts.me.useQuery();
  trpc.accounts.sessions.useQuery();
  trpc.sellers.accountStatus.useQuery();
  return {
    refresh: useRefresh(),
    actOnBid: trpc.bids.setStatus.useMutation(),
    logout: trpc.accounts.logout.useMutation(),
  };
}

function Page() {
  page = usePage();
  return null;
}

function answer(isMutation: boolean): Response {
  if (!isMutation || !refusal) return Response.json({ result: { data: null } });
  const status = ERROR_STATUS[refusal];
  const wire = { error: 'No', code: refusal };
  return Response.json(
    { error: { message: wire.error, code: -32000, data: { httpStatus: status, wire } } },
    { status },
  );
}

/** Renders the page, waits until all queries were sent, and clears the record of them. */
async function show(): Promise<void> {
  const queryClient = createQueryClient();
  const client = trpc.createClient({
    links: [
      httpLink({
        url: 'http://localhost/api/trpc',
        fetch: async (input, options) => {
          const isMutation = options?.method === 'POST';
          if (!isMutation) {
            const { pathname, searchParams } = new URL(String(input));
            const query = [pathname.replace('/api/trpc/', ''), searchParams.get('input')];
            requested.push(query.filter(Boolean).join(' '));
            if (heldBack) await new Promise<void>((resolve) => heldBack?.push(resolve));
          }
          return answer(isMutation);
        },
      }),
    ],
  });
  render(
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Page />
      </QueryClientProvider>
    </trpc.Provider>,
  );
  await expectRequests(ON_SCREEN);
  if (!heldBack) await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  requested = [];
}

const expectRequests = (expected: readonly string[]) =>
  waitFor(() => expect(requested.toSorted()).toEqual(expected.toSorted()));

/** Sends the answers that were held back. */
const release = () =>
  act(async () => {
    const answers = heldBack ?? [];
    heldBack = null;
    for (const send of answers) send();
  });

beforeEach(() => {
  [requested, heldBack, refusal] = [[], null, null];
});

const OF_THREADS = ['messages.conversations {}', 'messages.unreadCount'];
const OF_NEWS = [
  'messages.conversations {}',
  'notifications.list {}',
  'notifications.unreadCount',
  'exchanges.list {}',
  'bids.list {"role":"owner"}',
  'coupons.byId {"id":3}',
];

describe('a live event', () => {
  it.each<[LiveEvent, string[]]>([
    [
      { kind: 'message', dealType: 'exchange', dealId: 7 },
      ['messages.list {"dealType":"exchange","dealId":7}', ...OF_THREADS],
    ],
    [
      { kind: 'message', dealType: 'bid', dealId: 7 },
      ['messages.list {"dealType":"bid","dealId":7}', ...OF_THREADS],
    ],
    [
      { kind: 'read', dealType: 'exchange', dealId: 8 },
      ['messages.list {"dealType":"exchange","dealId":8}', ...OF_THREADS],
    ],
    [{ kind: 'notification' }, OF_NEWS],
    // Also the caller's own coupons, which a confirmed address lists: they are not on screen here.
    [{ kind: 'account' }, ['accounts.me']],
    [{ kind: 'resync' }, ON_SCREEN.filter((query) => !/sellers|sessions/.test(query))],
  ])('%j refreshes exactly the queries that it names', async (event, expected) => {
    await show();
    await act(() => page.refresh(...touchedBy(event)));
    await expectRequests(expected);
  });

  it('refetches a query whose first answer is still loading', async () => {
    heldBack = [];
    await show();
    const refreshed = page.refresh(...touchedBy({ kind: 'account' }));
    expect(requested).toEqual([]);
    await release();
    await refreshed;
    await expectRequests(['accounts.me']);
  });
});

describe('a mutation', () => {
  const actOnBid = () =>
    page.actOnBid.mutateAsync({ id: 1, status: 'accepted' }).catch((error: unknown) => error);

  it('refreshes everything on screen', async () => {
    await show();
    await act(actOnBid);
    await expectRequests(ON_SCREEN);
  });

  it('refreshes nothing if the exceptions say so', async () => {
    await show();
    await act(() => page.logout.mutateAsync());
    expect(requested).toEqual([]);
  });

  it('is pending until the queries of its router are refreshed', async () => {
    await show();
    heldBack = [];
    page.actOnBid.mutate({ id: 1, status: 'accepted' });
    await expectRequests(ON_SCREEN);
    expect(page.actOnBid.isPending).toBe(true);
    await release();
    await waitFor(() => expect(page.actOnBid.isSuccess).toBe(true));
  });

  it('does not wait for the other queries', async () => {
    await show();
    heldBack = [];
    page.actOnBid.mutate({ id: 1, status: 'accepted' });
    await expectRequests(ON_SCREEN);
    const [send] = heldBack.splice(requested.indexOf('bids.list {"role":"owner"}'), 1);
    send?.();
    await waitFor(() => expect(page.actOnBid.isSuccess).toBe(true));
    expect(heldBack).toHaveLength(ON_SCREEN.length - 1);
    await release();
  });

  it.each<[ErrorCode, string[]]>([
    ['deal_changed', ON_SCREEN],
    ['not_found', ON_SCREEN],
    ['code_listed', []],
    ['bad_input', []],
    ['internal', ON_SCREEN],
  ])('refused with %s refreshes %j', async (code, expected) => {
    await show();
    refusal = code;
    await act(actOnBid);
    expect(requested.toSorted()).toEqual(expected.toSorted());
  });
});
