import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { openSandbox, type Sandbox } from '#sandbox/main.ts';
import type { Fault } from '#sandbox/server.ts';
import { openStore } from '#sandbox/store.ts';
import type { Actor, MemberContext } from '#server/context/context.ts';
import { openPayments } from '#server/providers/open-payments.ts';
import { trackingIdOf } from '#server/providers/paypal/onboarding.ts';
import { settingsOf } from '#tests/support/app.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#tests/support/database.ts';
import { HANGS_MS } from '#tests/support/patience.ts';
import { holdTimeLimits } from '#tests/support/time-limits.ts';
import {
  createAccountLink,
  createPaypalOnboardingLink,
  paypalSellerStatus,
  readyAccounts,
  refreshAccount,
  sellerReadiness,
} from './service.ts';

const database = setUpDatabase({ connections: MANY_CONNECTIONS });
let sandbox: Sandbox;
let ctx: TestContext;
/** The fault injected into requests to paths with this prefix. */
let fault: { path: string; kind: Fault; onHit?: () => void } | null = null;

beforeAll(async () => {
  sandbox = await openSandbox({
    store: openStore(),
    webhooks: 'held',
    marketplace: () => null,
    publicUrl: 'http://localhost',
    fault: ({ path }) => {
      if (!fault || !path.startsWith(fault.path)) return null;
      fault.onHit?.();
      return fault.kind;
    },
  });
  const { paypal: account = null } = settingsOf(sandbox, ['paypal']);
  const { providers } = openPayments({ stripe: null, paypal: account }, { timeoutMs: HANGS_MS });
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

const REFERRALS = '/v2/customer/partner-referrals';
const PARTNERS = '/v1/customer/partners';

async function seller(): Promise<MemberContext & { actor: Actor }> {
  return actingAs(ctx, await createUser(ctx));
}

async function notificationsTo({ id }: { id: number }): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('notifications')
    .select('content')
    .where('userId', '=', id)
    .where('link', '=', '/seller-onboarding')
    .orderBy('id')
    .execute();
  return rows.map(({ content }) => content);
}

/** A promise and the function that resolves it. */
function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** A seller whose account is ready and stored as such. */
async function readySeller() {
  const me = await seller();
  await createPaypalOnboardingLink(me);
  const merchantId = await sandbox.paypal.finishOnboarding(trackingIdOf(me.actor.id));
  await paypalSellerStatus(me);
  return { me, merchantId };
}

describe('setting up a PayPal account', () => {
  it("follows PayPal's answers from no account to Active, and notifies once", async () => {
    const me = await seller();
    expect(await paypalSellerStatus(me)).toEqual({
      isAvailable: true,
      hasAccount: false,
      badge: 'setup_required',
      requirements: [],
      isRestricted: false,
      failedPayout: null,
      merchantId: null,
      status: null,
      note: null,
    });
    expect(await sellerReadiness(me)).toEqual({ isReady: false, isAvailable: true });

    const { onboardingUrl } = await createPaypalOnboardingLink(me);
    expect(new URL(onboardingUrl).origin).toBe('http://localhost');
    expect(await paypalSellerStatus(me)).toMatchObject({ hasAccount: false, badge: 'setup_required' });

    const merchantId = await sandbox.paypal.finishOnboarding(trackingIdOf(me.actor.id), {
      emailConfirmed: false,
    });
    expect(await paypalSellerStatus(me)).toMatchObject({
      hasAccount: true,
      merchantId,
      badge: 'action_required',
      requirements: ['Confirm the email address of your PayPal account'],
      status: { payments_receivable: true, primary_email_confirmed: false },
    });
    expect(await readyAccounts(ctx.db, me.actor.id)).toEqual(new Map());
    expect(await notificationsTo(me.actor)).toEqual([]);

    await sandbox.paypal.finishOnboarding(trackingIdOf(me.actor.id));
    expect(await paypalSellerStatus(me)).toMatchObject({
      badge: 'active',
      requirements: [],
      status: { payments_receivable: true, primary_email_confirmed: true },
    });
    await paypalSellerStatus(me);
    expect(await readyAccounts(ctx.db, me.actor.id)).toEqual(new Map([['paypal', merchantId]]));
    expect(await sellerReadiness(me)).toEqual({ isReady: true, isAvailable: true });
    expect(await notificationsTo(me.actor)).toEqual([
      'Your PayPal account is ready: buyers can pay you through it now.',
    ]);
    const history = await ctx.db
      .selectFrom('transactionLogs')
      .select('details')
      .where('userId', '=', me.actor.id)
      .execute();
    expect(history).toEqual([
      { details: 'Your PayPal account is ready: buyers can pay you through it now.' },
    ]);
  });

  it('creates a new link each time [spec/3 2.29]', async () => {
    const me = await seller();
    const first = await createPaypalOnboardingLink(me);
    ctx.clock.advanceDays(0.001);
    expect(await createPaypalOnboardingLink(me)).not.toEqual(first);
  });

  it('says that a limited account may be restricted', async () => {
    const me = await seller();
    await createPaypalOnboardingLink(me);
    await sandbox.paypal.finishOnboarding(trackingIdOf(me.actor.id), { receivable: false });
    expect(await paypalSellerStatus(me)).toMatchObject({ badge: 'action_required', isRestricted: true });
  });

  it('notifies the seller when the account stops being ready or disappears', async () => {
    const { me, merchantId } = await readySeller();
    await sandbox.paypal.finishOnboarding(trackingIdOf(me.actor.id), { receivable: false });
    await refreshAccount(ctx, { provider: 'paypal', userId: null, accountRef: merchantId });
    expect((await notificationsTo(me.actor))[1]).toMatch(/can no longer take payments/);
    expect(await readyAccounts(ctx.db, me.actor.id)).toEqual(new Map());

    const other = await seller();
    await ctx.db
      .insertInto('sellerAccounts')
      .values({
        userId: other.actor.id,
        provider: 'paypal',
        accountRef: 'GONEFOREVER13',
        isReady: true,
        createdAt: ctx.clock(),
        updatedAt: ctx.clock(),
      })
      .execute();
    expect(await paypalSellerStatus(other)).toMatchObject({ hasAccount: false, badge: 'setup_required' });
    expect(await notificationsTo(other.actor)).toEqual([
      expect.stringMatching(/can no longer take payments/),
    ]);
  });

  it('applies an event that names only the person, and ignores an unknown account', async () => {
    const me = await seller();
    await createPaypalOnboardingLink(me);
    const accountRef = await sandbox.paypal.finishOnboarding(trackingIdOf(me.actor.id));
    await refreshAccount(ctx, { provider: 'paypal', userId: me.actor.id, accountRef });
    expect((await readyAccounts(ctx.db, me.actor.id)).get('paypal')).toBe(accountRef);
    const stranger = await seller();
    await sandbox.paypal.finishOnboarding(trackingIdOf(stranger.actor.id));
    await refreshAccount(ctx, { provider: 'paypal', userId: stranger.actor.id, accountRef: null });
    expect(await readyAccounts(ctx.db, stranger.actor.id)).toEqual(new Map());
  });

  it('refuses an account that another person has connected', async () => {
    const { me, merchantId } = await readySeller();
    const thief = await seller();
    await ctx.db
      .insertInto('sellerAccounts')
      .values({ userId: thief.actor.id, provider: 'paypal', createdAt: ctx.clock(), updatedAt: ctx.clock() })
      .execute();
    // The event names the other person; the provider knows no account of theirs.
    await refreshAccount(ctx, { provider: 'paypal', userId: thief.actor.id, accountRef: merchantId });
    expect(await readyAccounts(ctx.db, thief.actor.id)).toEqual(new Map());
    expect((await readyAccounts(ctx.db, me.actor.id)).get('paypal')).toBe(merchantId);
  });

  it('notifies once even if many requests refresh at once', async () => {
    const me = await seller();
    await createPaypalOnboardingLink(me);
    await sandbox.paypal.finishOnboarding(trackingIdOf(me.actor.id));
    const looks = Array.from({ length: 8 }, () => paypalSellerStatus(me));
    for (const look of await Promise.all(looks)) expect(look).toMatchObject({ note: null });
    expect(await notificationsTo(me.actor)).toHaveLength(1);
    expect((await readyAccounts(ctx.db, me.actor.id)).size).toBe(1);
  });
});

describe('an outdated answer', () => {
  it('does not replace a newer state', async () => {
    const me = await seller();
    await createPaypalOnboardingLink(me);
    await sandbox.paypal.finishOnboarding(trackingIdOf(me.actor.id), { receivable: false });
    const { payments } = ctx.providers;
    const { paypal: provider } = payments;
    if (!provider) throw new Error('no provider');
    // Only the first answer is slow.
    const isRead = signal();
    const isDelivered = signal();
    let answers = 0;
    const slow: typeof provider = {
      ...provider,
      async readAccount(person) {
        const answer = await provider.readAccount(person);
        answers += 1;
        if (answers > 1) return answer;
        isRead.give();
        await isDelivered.given;
        return answer;
      },
    };
    const late = paypalSellerStatus({
      ...me,
      providers: { ...ctx.providers, payments: { ...payments, paypal: slow } },
    });
    await isRead.given;
    await sandbox.paypal.finishOnboarding(trackingIdOf(me.actor.id));
    expect(await paypalSellerStatus(me)).toMatchObject({ badge: 'active' });
    isDelivered.give();
    expect(await late).toMatchObject({ badge: 'active' });
    expect(answers).toBe(2);
    expect(await notificationsTo(me.actor)).toHaveLength(1);
  });
});

describe('while PayPal cannot be reached', () => {
  it.each(['error-before', 'cut-before', 'hang-after'] as const)(
    'answers with the stored state: %s',
    async (kind) => {
      const { me, merchantId } = await readySeller();
      const { end } = holdTimeLimits();
      fault = { path: PARTNERS, kind, ...(kind === 'hang-after' && { onHit: end }) };
      expect(await paypalSellerStatus(me)).toMatchObject({
        badge: 'active',
        merchantId,
        note: 'PayPal is not available right now. This is what it last told us.',
      });
      const event = refreshAccount(ctx, { provider: 'paypal', userId: me.actor.id, accountRef: null });
      await expect(event).rejects.toMatchObject({ name: 'ProviderUnreachable' });
      expect((await readyAccounts(ctx.db, me.actor.id)).size).toBe(1);
    },
  );

  it('creates no link, but does afterwards', async () => {
    const me = await seller();
    fault = { path: REFERRALS, kind: 'error-after' };
    await expect(createPaypalOnboardingLink(me)).rejects.toMatchObject({
      code: 'payments_unavailable',
      status: 503,
      message: TEXTS.checkout.unavailable(),
    });
    fault = null;
    ctx.clock.advanceDays(0.001);
    await expect(createPaypalOnboardingLink(me)).resolves.toMatchObject({
      onboardingUrl: expect.any(String),
    });
  });
});

describe('if a provider is not configured', () => {
  it('says so', async () => {
    const nothing = actingAs(createTestContext(database), await createUser(ctx));
    expect(await paypalSellerStatus(nothing)).toMatchObject({ isAvailable: false, badge: 'setup_required' });
    expect(await sellerReadiness(nothing)).toEqual({ isReady: false, isAvailable: false });
    const refused = { code: 'payments_unavailable', message: 'Payment System Unavailable' };
    await expect(createPaypalOnboardingLink(nothing)).rejects.toMatchObject(refused);
    await expect(createAccountLink(nothing)).rejects.toMatchObject(refused);
    await refreshAccount(nothing, { provider: 'paypal', userId: nothing.actor.id, accountRef: null });
  });
});
