import { QueryClientProvider } from '@tanstack/react-query';
import { render, waitFor } from '@testing-library/react';
import { httpLink } from '@trpc/client';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LiveEvent } from '#contract/live.ts';
import { createQueryClient } from '#web/lib/query-client.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useReadAnew } from './queries.ts';

/** What was asked of the server, by procedure and input. */
let asked: string[];
let tell: (event: LiveEvent) => void;
/** Answers that are still held back. */
let held: (() => void)[] | null;

const SHOWN = [
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
  'sellers.accountStatus',
].sort();

/** A page with queries of every kind on it. */
function Page() {
  tell = useReadAnew();
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
  trpc.sellers.accountStatus.useQuery();
  return null;
}

function show(): void {
  const queryClient = createQueryClient();
  const client = trpc.createClient({
    links: [
      httpLink({
        url: 'http://localhost/api/trpc',
        fetch: async (input) => {
          const { pathname, searchParams } = new URL(String(input));
          asked.push(
            [pathname.replace('/api/trpc/', ''), searchParams.get('input')].filter(Boolean).join(' '),
          );
          if (held) await new Promise<void>((resolve) => held?.push(resolve));
          return Response.json({ result: { data: null } });
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
}

const allAsked = (expected: readonly string[]) =>
  waitFor(() => expect(asked.toSorted()).toEqual(expected.toSorted()));

beforeEach(() => {
  asked = [];
  held = null;
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

describe('an event', () => {
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
    [{ kind: 'account' }, ['accounts.me']],
    [{ kind: 'resync' }, SHOWN.filter((query) => query !== 'sellers.accountStatus')],
  ])('%j has exactly what it is about read anew', async (event, expected) => {
    show();
    await allAsked(SHOWN);
    await waitFor(() => expect(asked).toHaveLength(SHOWN.length));
    await new Promise((resolve) => setTimeout(resolve));
    asked = [];
    tell(event);
    await allAsked(expected);
  });

  it('that comes while the first answer is under way has it asked for again', async () => {
    held = [];
    show();
    await allAsked(SHOWN);
    tell({ kind: 'account' });
    expect(asked).toHaveLength(SHOWN.length);
    const answers = held;
    held = null;
    for (const answer of answers) answer();
    await allAsked([...SHOWN, 'accounts.me']);
  });
});
