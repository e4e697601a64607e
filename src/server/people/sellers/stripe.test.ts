import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '#sandbox/main.ts';
import type { Fault } from '#sandbox/server.ts';
import { openStore } from '#sandbox/store.ts';
import { openPayments } from '#server/providers/open-payments.ts';
import { settingsOf } from '#tests/support/app.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#tests/support/database.ts';
import { connectAccountStatus, createAccountLink, readyAccounts, refreshAccount } from './service.ts';

const database = setUpDatabase({ connections: MANY_CONNECTIONS });
let sandbox: Sandbox;
let ctx: TestContext;
/** The fault injected into requests to paths that contain this. */
let fault: { path: string; kind: Fault } | null = null;

beforeAll(async () => {
  sandbox = await openSandbox({
    store: openStore(),
    webhooks: 'held',
    marketplace: () => null,
    publicUrl: 'http://localhost',
    fault: ({ path }) => (fault && path.includes(fault.path) ? fault.kind : null),
  });
  const { stripe: account = null } = settingsOf(sandbox, ['stripe']);
  const { providers } = openPayments({ stripe: account, paypal: null }, { retryAfterMs: 0 });
  ctx = createTestContext(database, {
    providers: {
      payments: providers,
      paymentClient: { isSandbox: true, stripe: null, paypal: null },
    },
  });
});
afterAll(async () => {
  await sandbox.close();
});
afterEach(() => {
  fault = null;
});

async function seller() {
  return actingAs(ctx, await createUser(ctx));
}

async function accountOf({ id }: { id: number }): Promise<string> {
  const { accountRef } = await ctx.db
    .selectFrom('sellerAccounts')
    .select('accountRef')
    .where('userId', '=', id)
    .where('provider', '=', 'stripe')
    .executeTakeFirstOrThrow();
  if (accountRef === null) throw new Error('no account is noted');
  return accountRef;
}

describe('setting up a Stripe account', () => {
  it("follows Stripe's answers from no account to Active [spec/1 3.19 7.15]", async () => {
    const me = await seller();
    expect(await connectAccountStatus(me)).toMatchObject({
      isAvailable: true,
      hasAccount: false,
      badge: 'setup_required',
      status: null,
      note: null,
    });
    const { url } = await createAccountLink(me);
    expect(new URL(url).origin).toBe('http://localhost');
    expect(await connectAccountStatus(me)).toMatchObject({
      hasAccount: true,
      badge: 'action_required',
      status: { requiresAction: true, payoutsEnabled: false },
    });
    expect(await readyAccounts(ctx.db, me.actor.id)).toEqual(new Map());

    const accountRef = await accountOf(me.actor);
    await sandbox.stripe.finishOnboarding(accountRef);
    await refreshAccount(ctx, { provider: 'stripe', userId: null, accountRef });
    expect(await readyAccounts(ctx.db, me.actor.id)).toEqual(new Map([['stripe', accountRef]]));
    expect(await connectAccountStatus(me)).toMatchObject({
      badge: 'active',
      requirements: [],
      status: { requiresAction: false, payoutsEnabled: true },
    });
    const told = await ctx.db
      .selectFrom('notifications')
      .select(['content', 'link'])
      .where('userId', '=', me.actor.id)
      .execute();
    expect(told).toEqual([
      {
        content: 'Your Stripe account is ready: buyers can pay you through it now.',
        link: '/seller-onboarding',
      },
    ]);
  });

  it('creates one account even if started several times at once, and a new link each time', async () => {
    const me = await seller();
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => createAccountLink(me)));
    const refusals = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    // Stripe may make one request wait; a second account would be refused as a conflict.
    expect(refusals.filter((code) => code !== 'payments_unavailable')).toEqual([]);
    expect(refusals.length).toBeLessThan(5);
    const accountRef = await accountOf(me.actor);
    const [first, second] = [await createAccountLink(me), await createAccountLink(me)];
    expect(first.url).not.toBe(second.url);
    expect(await accountOf(me.actor)).toBe(accountRef);
  });

  it.each(['cut-after', 'error-after', 'error-before'] as const)(
    'ends with one account if the answer is lost: %s',
    async (kind) => {
      const me = await seller();
      fault = { path: '/v2/core/accounts', kind };
      await expect(createAccountLink(me)).rejects.toMatchObject({ code: 'payments_unavailable' });
      fault = null;
      await createAccountLink(me);
      const accountRef = await accountOf(me.actor);
      await sandbox.stripe.finishOnboarding(accountRef);
      expect(await connectAccountStatus(me)).toMatchObject({ badge: 'active' });
    },
  );

  it('continues with the account if only the link was lost', async () => {
    const me = await seller();
    fault = { path: '/v2/core/account_links', kind: 'error-before' };
    await expect(createAccountLink(me)).rejects.toMatchObject({ code: 'payments_unavailable' });
    fault = null;
    const { url } = await createAccountLink(me);
    expect(url).toMatch(/^http/);
  });

  it('answers with the stored state while Stripe cannot be reached', async () => {
    const me = await seller();
    await createAccountLink(me);
    await sandbox.stripe.finishOnboarding(await accountOf(me.actor));
    await connectAccountStatus(me);
    fault = { path: '/v2/core/accounts', kind: 'cut-before' };
    expect(await connectAccountStatus(me)).toMatchObject({
      badge: 'active',
      note: 'Stripe is not available right now. This is what it last told us.',
    });
  });
});
