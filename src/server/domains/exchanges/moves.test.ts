import { describe, expect, it } from 'vitest';
import { actingAs, createCoupon, createUser, setUpContext } from '#server/testing/builders.ts';
import { createDeal, historyOf, move, noticesOf, propose, twoPeople } from '#server/testing/exchanges.ts';
import { checkInvariants } from '#server/testing/invariants.ts';
import type { Actor } from '../context.ts';
import { exchangeById } from './service.ts';

const ctx = setUpContext();

const as = (actor: Actor) => actingAs(ctx, actor);

describe('moving an exchange', () => {
  it('refuses the wrong side, and answers a stale call with the current state [spec/2 4.3]', async () => {
    const { id, requester, owner } = await createDeal(ctx);
    await expect(move(ctx, requester, id, 'accepted')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(move(ctx, requester, id, 'rejected')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(move(ctx, owner, id, 'cancelled')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(move(ctx, owner, id, 'completed')).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'This exchange is still pending.',
    });
    await move(ctx, owner, id, 'rejected');
    await expect(move(ctx, owner, id, 'accepted')).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'This exchange is already rejected.',
    });
  });

  it('stores which party ended it [spec/2 4.1]', async () => {
    const [rejected, withdrawn, broken] = [
      await createDeal(ctx),
      await createDeal(ctx),
      await createDeal(ctx, 'accepted'),
    ];
    expect(await move(ctx, rejected.owner, rejected.id, 'rejected')).toMatchObject({ reason: 'by_owner' });
    expect(await move(ctx, withdrawn.requester, withdrawn.id, 'cancelled')).toMatchObject({
      reason: 'by_requester',
    });
    expect(await move(ctx, broken.owner, broken.id, 'cancelled')).toMatchObject({
      status: 'cancelled',
      reason: 'by_owner',
      deadlineAt: null,
    });
    expect((await noticesOf(ctx, rejected.requester)).at(-1)).toMatchObject({ type: 'exchange_rejected' });
    expect((await noticesOf(ctx, broken.requester)).at(-1)).toMatchObject({
      type: 'other',
      subject: 'Your exchange was cancelled',
    });
  });
});

describe('completing', () => {
  it('swaps the owners, records that the new owners may see the codes, and counts for both parties', async () => {
    const { requester, owner, offered, requested, id } = await createDeal(ctx, 'accepted');
    const completed = await move(ctx, requester, id, 'completed');
    expect(completed).toMatchObject({
      status: 'completed',
      reason: null,
      completedAt: ctx.clock().toISOString(),
      deadlineAt: null,
      requesterId: requester.id,
      requestedCouponOwnerId: owner.id,
      requestedCoupon: { id: requested.id, ownerId: requester.id },
      offeredCoupon: { id: offered.id, ownerId: owner.id },
    });
    const reveals = await ctx.db
      .selectFrom('couponReveals')
      .select(['couponId', 'userId'])
      .where('couponId', 'in', [offered.id, requested.id])
      .orderBy('couponId')
      .execute();
    expect(reveals).toEqual([
      { couponId: offered.id, userId: owner.id },
      { couponId: requested.id, userId: requester.id },
    ]);
    const counts = await ctx.db
      .selectFrom('users')
      .select('successfulExchanges')
      .where('id', 'in', [requester.id, owner.id])
      .execute();
    expect(counts).toEqual([{ successfulExchanges: 1 }, { successfulExchanges: 1 }]);
    expect((await noticesOf(ctx, owner)).at(-1)).toMatchObject({
      type: 'exchange_completed',
      content: `${requester.username} completed your exchange: you now own “${offered.title}”.`,
    });
    expect((await noticesOf(ctx, requester)).map(({ type }) => type)).toEqual(['exchange_accepted']);
    expect((await historyOf(ctx, requester)).at(-1)).toMatchObject({
      action: 'completed',
      details: `You completed the exchange with ${owner.username}: you now own “${requested.title}”.`,
    });
  });

  it('records no reveal for a coupon without a code', async () => {
    const { requester, owner, offered } = await twoPeople(ctx);
    const bare = await createCoupon(ctx, owner, { code: null });
    const { id } = await propose(ctx, requester, { offered, requested: bare });
    await move(ctx, owner, id, 'accepted');
    await move(ctx, owner, id, 'completed');
    const reveals = await ctx.db
      .selectFrom('couponReveals')
      .select('couponId')
      .where('couponId', 'in', [bare.id, offered.id])
      .execute();
    expect(reveals).toEqual([{ couponId: offered.id }]);
  });

  it('ends every other deal on both coupons and notifies their parties of the reason [spec/2 4.4]', async () => {
    const { requester, owner, offered, requested, id } = await createDeal(ctx);
    const [rival, target] = [await createUser(ctx), await createUser(ctx)];
    const forRequested = await propose(ctx, rival, { offered: await createCoupon(ctx, rival), requested });
    const withOffered = await propose(ctx, requester, {
      offered,
      requested: await createCoupon(ctx, target),
    });
    await move(ctx, owner, id, 'accepted');
    await move(ctx, owner, id, 'completed');
    for (const [party, dealId] of [
      [rival, forRequested.id],
      [target, withOffered.id],
    ] as const) {
      expect(await exchangeById(as(party), dealId)).toMatchObject({
        status: 'cancelled',
        reason: 'rival_completed',
      });
      expect((await noticesOf(ctx, party)).at(-1)?.content).toMatch(/changed hands in another deal\.$/);
      expect((await historyOf(ctx, party)).at(-1)).toMatchObject({ action: 'cancelled', actorId: owner.id });
    }
    expect((await historyOf(ctx, owner)).map(({ action }) => action)).toContain('cancelled');
    expect((await noticesOf(ctx, owner)).filter(({ type }) => type === 'other')).toEqual([]);
  });
});

it('all invariants hold [spec/2 9.3]', async () => {
  expect(await checkInvariants(ctx.db)).toEqual([]);
});
