import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { expireDeals } from '#server/deals/lifecycle/expiry.ts';
import { JOBS } from '#server/jobs/jobs.ts';
import { claimById } from '#server/money/claims/claims.ts';
import { releaseDue } from '#server/money/claims/holds.ts';
import { claimsOfExchange, openLegClaim } from '#server/money/claims/leg-claims.ts';
import { lapseUnpaidBids } from '#server/money/payments/reconcile.ts';
import { endSuspensions, setUserStatus } from '#server/oversight/moderation/status.ts';
import { createBid } from '#tests/support/bids.ts';
import { actingAs, createUser, setUpContext, type TestContext } from '#tests/support/builders.ts';
import { createDeal } from '#tests/support/exchanges.ts';
import { completeExchange } from '#tests/support/ratings.ts';
import { insertAcceptedBid, insertHeldSale } from '#tests/support/sales.ts';
import { resumeClock } from './clock-stops.ts';

/** The table of deadlines in docs/operations.md. */

const ctx = setUpContext();
let admin: Actor;
beforeAll(async () => {
  admin = await createUser(ctx, { role: 'admin' });
});

const set = ({ id }: { id: number }, status: UserStatus, days?: number) =>
  setUserStatus(actingAs(ctx, admin), { id, status, reason: 'Three people complained.', days: days ?? null });

const statusOf = async (table: 'bids' | 'exchanges' | 'paymentTransactions', id: number) =>
  (await ctx.db.selectFrom(table).select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;

async function endWhatIsDue(): Promise<void> {
  await endSuspensions(ctx);
  await expireDeals(ctx);
  await lapseUnpaidBids(ctx);
  await releaseDue(ctx);
}

async function passDays(days: number): Promise<void> {
  ctx.clock.advanceDays(days);
  await endWhatIsDue();
}

describe('a deadline waits for somebody who is suspended, and passes 72 hours after that', () => {
  const deals = {
    'a pending exchange': [14, 'exchanges', 'cancelled', () => createDeal(ctx), 'owner'],
    'an accepted exchange': [14, 'exchanges', 'cancelled', () => createDeal(ctx, 'accepted'), 'requester'],
    'a pending bid': [7, 'bids', 'cancelled', () => createBid(ctx), 'owner'],
  } as const;

  it.each(Object.entries(deals))('%s', async (_, [days, table, ended, create, awaited]) => {
    const deal = await create();
    const person = (deal as unknown as Record<string, Actor>)[awaited] as Actor;
    await set(person, 'suspended', days + 5);
    await passDays(days + 4);
    expect(await statusOf(table, deal.id)).not.toBe(ended);
    await passDays(1 + 2.9);
    expect(await statusOf(table, deal.id)).not.toBe(ended);
    await passDays(0.2);
    expect(await statusOf(table, deal.id)).toBe(ended);
  });

  it('but not for the one who waits', async () => {
    const deal = await createDeal(ctx);
    await set(deal.requester, 'suspended', 60);
    await passDays(14.1);
    expect(await statusOf('exchanges', deal.id)).toBe('cancelled');
  });

  it('also if they are suspended again before the 72 hours are over', async () => {
    const deal = await createDeal(ctx);
    await set(deal.owner, 'suspended');
    await passDays(15);
    await set(deal.owner, 'active');
    await passDays(1);
    await set(deal.owner, 'suspended');
    await passDays(10);
    expect(await statusOf('exchanges', deal.id)).toBe('pending');
  });
});

describe('what a suspended person can do themselves does not wait', () => {
  it('paying', async () => {
    const [buyer, seller] = [await createUser(ctx), await createUser(ctx)];
    const bidId = await insertAcceptedBid(ctx, buyer, seller);
    await set(buyer, 'suspended');
    await passDays(2.1);
    expect(await statusOf('bids', bidId)).toBe('cancelled');
  });

  it('claiming', async () => {
    const [buyer, seller] = [await createUser(ctx), await createUser(ctx)];
    const { paymentId } = await insertHeldSale(ctx, buyer, seller);
    await set(buyer, 'suspended');
    await passDays(3.1);
    expect(await statusOf('paymentTransactions', paymentId)).toBe('releasing');
  });
});

describe('the clock of a banned person stands still until they have their link', () => {
  const giveLink = ({ id }: Actor) => resumeClock(ctx.db, { userId: id, cause: 'banned', at: ctx.clock() });

  it('a hold', async () => {
    const [buyer, seller] = [await createUser(ctx), await createUser(ctx)];
    const { paymentId } = await insertHeldSale(ctx, buyer, seller);
    await set(buyer, 'banned');
    await passDays(10);
    expect(await statusOf('paymentTransactions', paymentId)).toBe('held');
    await giveLink(buyer);
    await passDays(2.9);
    expect(await statusOf('paymentTransactions', paymentId)).toBe('held');
    await passDays(0.2);
    expect(await statusOf('paymentTransactions', paymentId)).toBe('releasing');
  });

  it('the time to claim after a swap', async () => {
    const [receiver, other] = [await createUser(ctx), await createUser(ctx)];
    const { dealId } = await completeExchange(ctx, receiver, other);
    await set(receiver, 'banned');
    ctx.clock.advanceDays(10);
    const mayClaim = async (who: Actor) =>
      (await claimsOfExchange(actingAs(ctx, who), dealId)).some((leg) => leg.mayClaim);
    expect([await mayClaim(receiver), await mayClaim(other)]).toEqual([true, false]);
    await giveLink(receiver);
    ctx.clock.advanceDays(3.1);
    expect(await mayClaim(receiver)).toBe(false);
  });

  it('the time to answer a claim', async () => {
    const [giver, claimant] = [await createUser(ctx), await createUser(ctx)];
    const { dealId: exchangeId } = await completeExchange(ctx, claimant, giver);
    const legs = await claimsOfExchange(actingAs(ctx, claimant), exchangeId);
    const couponId = legs.find((leg) => leg.mayClaim)?.couponId ?? 0;
    const claimed = await openLegClaim(actingAs(ctx, claimant), {
      exchangeId,
      couponId,
      reason: 'The till did not take it.',
    });
    const id = claimed.find(({ claim }) => claim)?.claim?.id ?? 0;
    await set(giver, 'banned');
    const waitsDays = async () => {
      const { answerBy } = await claimById(ctx.db, id);
      return answerBy && Math.round((answerBy.getTime() - ctx.clock().getTime()) / 86_400_000);
    };
    expect(await waitsDays()).toBe(63);
    await giveLink(giver);
    expect(await waitsDays()).toBe(3);
  });
});

describe('after an outage of the market everybody has as long again as it lasted', () => {
  const job = (name: string, given: TestContext) =>
    JOBS.find((one) => one.name === name)?.run(given, new AbortController().signal);

  it.each([
    ['a pending bid', 7, 'bids', async () => (await createBid(ctx)).id],
    [
      'an accepted bid',
      2,
      'bids',
      async () => insertAcceptedBid(ctx, await createUser(ctx), await createUser(ctx)),
    ],
    [
      'a hold',
      3,
      'paymentTransactions',
      async () => (await insertHeldSale(ctx, await createUser(ctx), await createUser(ctx))).paymentId,
    ],
  ] as const)('%s', async (_, days, table, create) => {
    const run = async () => {
      await job('payments-deadlines', ctx);
      await job('deadlines', ctx);
    };
    await run();
    const id = await create();
    const before = await statusOf(table, id);
    ctx.clock.advanceDays(days - 0.5);
    await sql`update market_pulse set beat_at = ${ctx.clock()}`.execute(ctx.db);
    ctx.clock.advanceDays(1);
    await run();
    ctx.clock.advanceDays(0.9);
    await sql`update market_pulse set beat_at = ${ctx.clock()}`.execute(ctx.db);
    await run();
    expect(await statusOf(table, id)).toBe(before);
    ctx.clock.advanceDays(0.2);
    await sql`update market_pulse set beat_at = ${ctx.clock()}`.execute(ctx.db);
    await run();
    expect(await statusOf(table, id)).not.toBe(before);
  });

  it('a short gap is none', async () => {
    const count = async () =>
      (await ctx.db.selectFrom('clockStops').selectAll().where('cause', '=', 'outage').execute()).length;
    await job('deadlines', ctx);
    const before = await count();
    ctx.clock.advanceDays(20 / 1_440);
    await job('deadlines', ctx);
    expect(await count()).toBe(before);
  });
});

it('a clock that stops for no known time runs again after 60 days', async () => {
  const [buyer, seller] = [await createUser(ctx), await createUser(ctx)];
  const { paymentId } = await insertHeldSale(ctx, buyer, seller);
  await set(buyer, 'banned');
  await passDays(62.9);
  expect(await statusOf('paymentTransactions', paymentId)).toBe('held');
  await passDays(0.2);
  expect(await statusOf('paymentTransactions', paymentId)).toBe('releasing');
});
