import { afterAll, describe, expect, it, vi } from 'vitest';
import { formatDay } from '#contract/base/locale.ts';
import { createCouponInputSchema } from '#contract/coupons/coupons.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { renewAddress } from '#server/coupons/calendar/service.ts';
import { createCoupon as listCoupon } from '#server/coupons/publishing/service.ts';
import { saveCoupon } from '#server/coupons/search/saved.ts';
import { withdrawLegClaim } from '#server/money/claims/leg-claims.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { createBid, paySale } from '#tests/support/bids.ts';
import {
  actingAs,
  createTestClock,
  createUser,
  setUpContext,
  TEST_PASSWORD,
} from '#tests/support/builders.ts';
import { insertLegClaim } from '#tests/support/claims.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createDeal } from '#tests/support/exchanges.ts';
import { insertImage } from '#tests/support/images.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { completeExchange } from '#tests/support/ratings.ts';
import { insertCard } from '#tests/support/sales.ts';
import { finishStatusEffects } from './effects.ts';
import { deleteAccount } from './leaving.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);
afterAll(async () => {
  expect(await checkInvariants(ctx.db)).toEqual([]);
});

const leave = (person: Actor, confirmPassword = TEST_PASSWORD, context = ctx) =>
  deleteAccount(actingAs(context, person), { confirmPassword });

const personOf = ({ id }: Actor) =>
  ctx.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function countOf(
  table: 'savedCoupons' | 'paymentMethods' | 'sessions' | 'privateAddresses',
  { id }: Actor,
): Promise<number> {
  const { count } = await ctx.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}

describe('deleting an account', () => {
  it('requires the right password [spec/3 2.68]', async () => {
    await expect(leave(await createUser(ctx), 'not my password')).rejects.toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'confirmPassword', message: 'This is not your current password' }],
    });
  });

  it('removes personal data, coupons with their codes, saved coupons, cards, sessions and the calendar', async () => {
    const deal = await createDeal(ctx);
    const { requester: person, owner: other, offered } = deal;
    const old = await personOf(person);
    await saveCoupon(actingAs(ctx, person), deal.requested.id);
    const prices = { askingPrice: '20.00', priceFloor: '12.00' };
    await ctx.db.updateTable('coupons').set(prices).where('id', '=', offered.id).execute();
    await insertCard(ctx, person);
    await startSession(ctx.db, ctx.clock, person.id);
    await renewAddress(actingAs(ctx, person));
    const { id: imageId } = await insertImage(ctx, person);
    await leave(person);

    expect(await personOf(person)).toMatchObject({
      username: `deleted-${person.id}`,
      deletedAt: ctx.clock(),
      passwordHash: '',
    });
    const coupon = await ctx.db
      .selectFrom('coupons')
      .leftJoin('couponSecrets', 'couponSecrets.couponId', 'coupons.id')
      .select(['isActive', 'deletedAt', 'codeHash', 'code', 'askingPrice', 'priceFloor'])
      .where('coupons.id', '=', offered.id)
      .executeTakeFirstOrThrow();
    const erased = { codeHash: null, code: null, askingPrice: null, priceFloor: null };
    expect(coupon).toEqual({ isActive: false, deletedAt: ctx.clock(), ...erased });
    for (const table of ['savedCoupons', 'paymentMethods', 'sessions', 'privateAddresses'] as const) {
      expect(await countOf(table, person)).toBe(0);
    }
    const images = ctx.db.selectFrom('images').select('discardedAt').where('id', '=', imageId);
    expect(await images.executeTakeFirstOrThrow()).toEqual({ discardedAt: ctx.clock() });
    const mail = await ctx.db
      .selectFrom('mailOutbox')
      .select(['userId', 'address'])
      .where('kind', '=', 'account_deleted')
      .executeTakeFirstOrThrow();
    expect(mail).toEqual({ userId: null, address: old.email });

    // The counterpart keeps the history without a name.
    const exchange = ctx.db.selectFrom('exchanges').select(['status', 'reason']).where('id', '=', deal.id);
    expect(await exchange.executeTakeFirstOrThrow()).toEqual({ status: 'cancelled', reason: 'party_left' });
    const told = await ctx.db
      .selectFrom('notifications')
      .select('content')
      .where('userId', '=', other.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(told.content).toContain(`deleted-${person.id}`);
    expect(told.content).toContain('the other person closed their account');
  });

  it.each(['requester', 'owner'] as const)(
    'is refused during an accepted exchange: %s [decisions 5.4.1]',
    async (side) => {
      const deal = await createDeal(ctx, 'accepted');
      await expect(leave(deal[side])).rejects.toMatchObject({
        code: 'conflict',
        message: /accepted exchange or bid/,
      });
    },
  );

  it('is allowed for suspended people, and for all admins but the last [decisions 5.4.1]', async () => {
    await leave(await createUser(ctx, { status: 'suspended' }));
    const [first, last] = [
      await createUser(ctx, { role: 'admin' }),
      await createUser(ctx, { role: 'admin' }),
    ];
    const results = await Promise.allSettled([leave(first), leave(last)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'conflict', message: expect.stringContaining('only admin') },
    });
  });

  it('deletes the cards at the provider, with retries until it works', async () => {
    const person = await createUser(ctx);
    await insertCard(ctx, person);
    const forgetCard = vi.fn().mockRejectedValueOnce(new Error('not now')).mockResolvedValue(undefined);
    const stripe = { cards: { forgetCard } } as unknown as NonNullable<typeof ctx.providers.payments.stripe>;
    const withStripe = { ...ctx, providers: { ...ctx.providers, payments: { stripe, paypal: null } } };
    await leave(person, TEST_PASSWORD, withStripe);
    expect(await countOf('paymentMethods', person)).toBe(1);
    expect(await finishStatusEffects(withStripe)).toEqual({ people: 0, cards: 1 });
    expect(await countOf('paymentMethods', person)).toBe(0);
    expect(forgetCard).toHaveBeenCalledTimes(2);
  });

  it('leaves no coupon to a person who has left while they listed it', async () => {
    const person = await createUser(ctx);
    // The limit is counted between the check of the person and the coupon's transaction.
    const limiter = {
      ...ctx.limiter,
      async consume() {
        await leave(person);
        return 0;
      },
    };
    const input = createCouponInputSchema.parse({
      title: 'A coupon of mine',
      description: 'Valid at every branch.',
      value: 450,
      merchant: 'Bakery Lane',
      category: 'food',
      hasNoExpiry: true,
    });
    const listing = listCoupon(actingAs({ ...ctx, limiter }, person), input);
    await expect(listing).rejects.toMatchObject({ code: 'unauthorized' });
    const coupons = ctx.db.selectFrom('coupons').select('id').where('ownerId', '=', person.id);
    expect(await coupons.execute()).toEqual([]);
  });

  it.each(['bidder', 'owner'] as const)(
    'is refused during an accepted bid and while money is held: %s',
    async (side) => {
      const bid = await createBid(ctx, 'accepted');
      await expect(leave(bid[side])).rejects.toMatchObject({
        code: 'conflict',
        message: /accepted exchange or bid/,
      });
      await paySale(ctx, bid.id);
      await expect(leave(bid[side])).rejects.toMatchObject({ code: 'conflict', message: /not final yet/ });
    },
  );

  it('is refused to both sides of an exchange while a claim can be made, with the day, and while one is open', async () => {
    const own = { ...ctx, clock: createTestClock(ctx.clock()) };
    const [claimant, giver, lucky] = [await createUser(ctx), await createUser(ctx), await createUser(ctx)];
    const claimId = await insertLegClaim(own, claimant, giver);
    await completeExchange(own, lucky, await createUser(ctx));
    const open = { code: 'conflict', message: /claim about one of your exchanges is open/ };
    await expect(leave(claimant, TEST_PASSWORD, own)).rejects.toMatchObject(open);
    await expect(leave(giver, TEST_PASSWORD, own)).rejects.toMatchObject(open);
    const day = formatDay(utcDay(addDays(own.clock(), CLAIM_HOURS / 24)));
    await expect(leave(lucky, TEST_PASSWORD, own)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`You can delete your account after ${day}`),
    });
    own.clock.advanceDays(CLAIM_HOURS / 24);
    await leave(lucky, TEST_PASSWORD, own);
    await expect(leave(giver, TEST_PASSWORD, own)).rejects.toMatchObject(open);
    await withdrawLegClaim(actingAs(own, claimant), claimId);
    await leave(giver, TEST_PASSWORD, own);
  });
});
