import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listCouponsInputSchema } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { listCoupons } from '#server/coupons/search/listing.ts';
import { bidById } from '#server/deals/bids/service.ts';
import { markUsed, updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { exchangeById } from '#server/deals/exchanges/service.ts';
import { listWaitingCoupons } from '#server/oversight/moderation/waiting-coupons.ts';
import { bidOn, createBid } from '#tests/support/bids.ts';
import { actingAs, createUser, setUpFreshContext } from '#tests/support/builders.ts';
import { couponHistoryOf, listCoupon } from '#tests/support/coupons.ts';
import { propose } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { unmarkUsed } from './using.ts';

const ctx = setUpFreshContext();
let owner: Actor;
let other: Actor;
beforeEach(async () => {
  [owner, other] = [await createUser(ctx), await createUser(ctx)];
});
afterEach(async () => expect(await checkInvariants(ctx.db)).toEqual([]));

const list = (fields?: Record<string, unknown>) => listCoupon(ctx, owner, fields);
const mark = (id: number, who = owner) => markUsed(actingAs(ctx, who), id);
const undo = (id: number, who = owner) => unmarkUsed(actingAs(ctx, who), id);
const change = (id: number, values: { waitingSince?: Date; isActive?: boolean }) =>
  ctx.db.updateTable('coupons').set(values).where('id', '=', id).execute();
async function isOnMarket(id: number): Promise<boolean> {
  const { items } = await listCoupons(actingAs(ctx, other), listCouponsInputSchema.parse({ limit: 100 }));
  return items.some((coupon) => coupon.id === id);
}

describe('marking a coupon as used', () => {
  it('takes it off the market, cancels what is pending on it, and can be repeated', async () => {
    const [mine, theirs] = [await list(), await listCoupon(ctx, other)];
    const swap = await propose(ctx, other, { requested: mine, offered: theirs });
    const bid = await bidOn(ctx, other, mine);
    const usedAt = ctx.clock().toISOString();
    expect(await mark(mine.id)).toMatchObject({ usedAt, isActive: false });
    ctx.clock.advanceDays(2);
    expect(await mark(mine.id)).toMatchObject({ usedAt });
    expect(await isOnMarket(mine.id)).toBe(false);
    const cancelled = { status: 'cancelled', reason: 'coupon_deleted' };
    expect(await exchangeById(actingAs(ctx, other), swap.id)).toMatchObject(cancelled);
    expect(await bidById(actingAs(ctx, other), bid.id)).toMatchObject(cancelled);
    const lines = (await couponHistoryOf(ctx, owner)).filter(({ action }) => action === 'updated');
    expect(lines.map(({ details }) => details)).toEqual([`Marked “${mine.title}” as used`]);
    expect(await couponById(actingAs(ctx, other), mine.id)).toMatchObject({ usedAt: null });
  });

  it('keeps it from being edited, asked for and offered', async () => {
    const [mine, theirs] = [await list(), await listCoupon(ctx, other)];
    await mark(mine.id);
    const edit = updateCoupon(actingAs(ctx, owner), { id: mine.id, value: 500, codeValue: null, code: null });
    await expect(edit).rejects.toMatchObject({ code: 'conflict' });
    for (const deal of [
      () => bidOn(ctx, other, mine),
      () => propose(ctx, other, { requested: mine, offered: theirs }),
      () => propose(ctx, owner, { requested: theirs, offered: mine }),
    ]) {
      await expect(deal()).rejects.toMatchObject({ code: 'coupon_unavailable' });
    }
  });

  it('is refused to others, and while a deal reserves it', async () => {
    const { id } = await list();
    await expect(mark(id, other)).rejects.toMatchObject({ code: 'forbidden' });
    await mark(id);
    await expect(undo(id, other)).rejects.toMatchObject({ code: 'forbidden' });
    const sale = await createBid(ctx, 'accepted');
    await expect(mark(sale.coupon.id, sale.owner)).rejects.toMatchObject({ code: 'coupon_reserved' });
  });
});

describe('taking back that a coupon is used', () => {
  it('lists it again for a day, and is refused afterwards', async () => {
    const { id } = await list();
    await mark(id);
    ctx.clock.advanceDays(1);
    expect(await undo(id)).toMatchObject({ usedAt: null, isActive: true });
    expect(await undo(id)).toMatchObject({ isActive: true });
    expect(await isOnMarket(id)).toBe(true);
    await mark(id);
    ctx.clock.advanceDays(1.001);
    await expect(undo(id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('leaves it unlisted if it was unlisted, or has expired', async () => {
    const [unlisted, ending] = [await list(), await list({ expiryDate: '2035-06-15' })];
    await change(unlisted.id, { isActive: false });
    await mark(unlisted.id);
    expect(await undo(unlisted.id)).toMatchObject({ usedAt: null, isActive: false });
    await mark(ending.id);
    ctx.clock.advanceDays(1);
    expect(await undo(ending.id)).toMatchObject({ usedAt: null, isActive: false });
  });

  it('is refused when somebody else has listed the code', async () => {
    const { id } = await list({ codeValue: 'ONCE-MORE-1' });
    await mark(id);
    await listCoupon(ctx, other, { codeValue: 'ONCE-MORE-1' });
    await expect(undo(id)).rejects.toMatchObject({ code: 'code_listed' });
  });

  it('has a coupon that waited wait again', async () => {
    const moderator = await createUser(ctx, { role: 'moderator' });
    const waiting = async () => (await listWaitingCoupons(actingAs(ctx, moderator))).map(({ id }) => id);
    const { id } = await list();
    await change(id, { waitingSince: ctx.clock() });
    await mark(id);
    expect(await waiting()).not.toContain(id);
    expect(await undo(id)).toMatchObject({ isWaiting: true, isActive: false });
    expect(await waiting()).toContain(id);
  });

  it('lists what its owner could not list before they confirmed their address', async () => {
    const newcomer = await createUser(ctx, { emailVerifiedAt: null });
    const { id } = await listCoupon(ctx, newcomer);
    await mark(id, newcomer);
    const confirmed = { emailVerifiedAt: ctx.clock() };
    await ctx.db.updateTable('users').set(confirmed).where('id', '=', newcomer.id).execute();
    expect(await isOnMarket(id)).toBe(false);
    expect(await undo(id, newcomer)).toMatchObject({ isActive: true });
  });

  it('has no meaning for the seller whom a refund gives the coupon back', async () => {
    const { id } = await list();
    await mark(id);
    await ctx.db.updateTable('coupons').set({ ownerId: other.id }).where('id', '=', id).execute();
    expect(await couponById(actingAs(ctx, other), id)).toMatchObject({ usedAt: null, isActive: false });
  });
});
