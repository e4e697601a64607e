import { beforeEach, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { healthOfCoupon, healthOfMerchant, sweepHealth } from '#server/deals/health/service.ts';
import { listKnown } from '#server/deals/health/store.ts';
import { decideLegClaim } from '#server/money/claims/leg-claims.ts';
import { profileById } from '#server/oversight/profiles/service.ts';
import { countPeriod } from '#server/oversight/proofs/books-store.ts';
import { login } from '#server/people/accounts/signing-in.ts';
import { bidOn, moveBid } from '#tests/support/bids.ts';
import {
  actingAs,
  createCoupon,
  createUser,
  setUpFreshContext,
  TEST_PASSWORD,
} from '#tests/support/builders.ts';
import { insertLegClaim } from '#tests/support/claims.ts';
import { move, propose } from '#tests/support/exchanges.ts';
import { insertFeedback } from '#tests/support/feedback.ts';
import { completeExchange, completeSaleOf, rate, totalsOf } from '#tests/support/ratings.ts';
import { refreshLeaderboard } from './service.ts';

/** What one person's accounts do with each other is in no figure about people, codes and merchants (decisions 5.6). */

const ctx = setUpFreshContext();
let anna: Actor;
let ben: Actor;
let carl: Actor;
let stranger: Actor;

async function signInAt(ip: string, { username }: Actor): Promise<void> {
  await login({ ...ctx, ip }, { username, password: TEST_PASSWORD }, null, null);
}

beforeEach(async () => {
  anna = await createUser(ctx);
  ben = await createUser(ctx);
  carl = await createUser(ctx);
  stranger = await createUser(ctx);
  for (const account of [anna, ben, carl]) await signInAt('192.0.2.10', account);
});

async function give(coupon: { id: number }, giver: Actor, receiver: Actor): Promise<void> {
  const requested = await createCoupon(ctx, receiver);
  const { id } = await propose(ctx, giver, { offered: coupon, requested });
  await move(ctx, receiver, id, 'accepted');
  await move(ctx, receiver, id, 'completed');
}

it('the health of a code, and of its merchant', async () => {
  const merchant = 'Junk Street';
  const coupon = await createCoupon(ctx, anna, { merchant });
  const says = async (user: Actor, worked: boolean) => {
    await insertFeedback(ctx, { user, couponId: coupon.id, worked, at: ctx.clock() });
    await sweepHealth(ctx);
    const { worked: yes, failed } = await healthOfMerchant(ctx, { name: merchant });
    return { of: await healthOfCoupon(ctx, coupon.id), people: [yes, failed] };
  };
  await give(coupon, anna, ben);
  await says(ben, true);
  await give(coupon, ben, carl);
  const nothing = { of: { health: null, reasons: [] }, people: [0, 0] };
  expect(await says(carl, true)).toMatchObject(nothing);
  await give(coupon, carl, stranger);
  // Whoever got it from another person counts, and so does the next who gets it from them.
  expect(await says(stranger, false)).toMatchObject({ people: [0, 1] });
  const last = await createUser(ctx);
  await give(coupon, stranger, last);
  expect(await says(last, false)).toMatchObject({
    of: {
      reasons: [{ kind: 'failed', people: 1 }],
    },
    people: [0, 2],
  });
});

it('the deals that make somebody a witness of their own, and the claims that a seller has won', async () => {
  const coupon = await createCoupon(ctx, anna);
  await insertFeedback(ctx, { user: stranger, couponId: coupon.id, worked: true, at: ctx.clock() });
  // The stranger is one person with another account.
  const second = await createUser(ctx);
  for (const account of [stranger, second]) await signInAt('192.0.2.99', account);
  await completeExchange(ctx, stranger, second);
  const id = await insertLegClaim(ctx, ben, anna);
  const moderator = await createUser(ctx, { role: 'moderator' });
  ctx.clock.advanceDays(3);
  await decideLegClaim(actingAs(ctx, moderator), { id, decision: 'refused', note: 'It works.' });
  const [known] = await listKnown(ctx.db, [coupon.id], ctx.clock());
  expect(known?.evidence.reports).toMatchObject([{ dealsWithOwner: 0, otherDeals: 0, outsideDeals: 0 }]);
  expect(known?.evidence.seller).toEqual({ partners: 0, claimsLost: 0, claimsWon: 0 });
});

it('how fast somebody answers', async () => {
  const hoursAfter = async (asker: Actor) => {
    const { id } = await bidOn(ctx, asker, await createCoupon(ctx, anna));
    await moveBid(ctx, anna, id, 'rejected');
    return (await profileById(ctx, anna.id)).answersWithinHours;
  };
  await completeExchange(ctx, anna, ben);
  for (const _ of [1, 2, 3]) expect(await hoursAfter(ben)).toBeNull();
  await hoursAfter(stranger);
  await hoursAfter(stranger);
  expect(await hoursAfter(stranger)).toBe(1);
});

it('the average that cards and matches show, also when it is found out later that they are one', async () => {
  const rated = async (rater: Actor) => rate(ctx, rater, await completeExchange(ctx, rater, anna), 10);
  await rated(ben);
  await rated(stranger);
  ctx.clock.advanceDays(7);
  await refreshLeaderboard(ctx);
  expect(await totalsOf(ctx, anna)).toEqual({ ratingCount: 1, totalRating: 10 });
  await signInAt('192.0.2.10', stranger);
  await completeExchange(ctx, stranger, anna);
  await refreshLeaderboard(ctx);
  expect(await totalsOf(ctx, anna)).toEqual({ ratingCount: 0, totalRating: 0 });
});

it('the open books', async () => {
  ctx.clock.advanceDays(1);
  const since = ctx.clock();
  await completeSaleOf(ctx, ben, anna);
  await insertLegClaim(ctx, ben, anna);
  expect(await countPeriod(ctx.db, since, ctx.clock())).toMatchObject({
    swaps: 0,
    sales: 0,
    claims: 0,
    open: 0,
  });
  await completeSaleOf(ctx, stranger, anna);
  await insertLegClaim(ctx, stranger, anna);
  expect(await countPeriod(ctx.db, since, ctx.clock())).toMatchObject({
    swaps: 1,
    sales: 1,
    claims: 1,
    open: 1,
  });
});
