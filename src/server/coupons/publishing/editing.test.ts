import { describe, expect, it } from 'vitest';
import { updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { removeCoupon, updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { proposeExchange } from '#server/deals/exchanges/proposing.ts';
import { setExchangeStatus } from '#server/deals/exchanges/service.ts';
import {
  actingAs,
  createTestClock,
  createTestContext,
  createUser,
  setUpContext,
  type TestContext,
} from '#tests/support/builders.ts';
import { anOffer, codeOf, couponHistoryOf, listCoupon } from '#tests/support/coupons.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { delistPastCoupons } from './service.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);

const as = (actor: Actor) => actingAs(ctx, actor);

const list = (owner: Actor, fields?: Record<string, unknown>) => listCoupon(ctx, owner, fields);

/** Edits a coupon made by `list`; fields that are not given take the values of `anOffer`, others stay. */
function edit(owner: Actor, id: number, fields: Record<string, unknown> = {}) {
  const input = updateCouponInputSchema.parse({ ...anOffer(), codeValue: null, ...fields, id });
  return updateCoupon(as(owner), input);
}

function noticesOf({ id }: Actor) {
  return ctx.db
    .selectFrom('notifications')
    .select(['type', 'content', 'relatedId', 'link'])
    .where('userId', '=', id)
    .orderBy('id')
    .execute();
}

/** A request of a person with their own coupon for another person's coupon. */
async function request(owner: Actor, couponId: number) {
  const requester = await createUser(ctx);
  const offered = await list(requester);
  const { id } = await proposeExchange(as(requester), {
    requestedCouponId: couponId,
    offeredCouponId: offered.id,
    message: null,
  });
  return {
    id,
    link: `/exchanges?exchange=${id}`,
    requester,
    offered,
    accept: () => setExchangeStatus(as(owner), { id, status: 'accepted' }),
  };
}

function exchange(id: number) {
  return ctx.db
    .selectFrom('exchanges')
    .select(['status', 'reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

function rowOf(id: number) {
  return ctx.db.selectFrom('coupons').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

describe('editing a coupon', () => {
  it('changes the fields that are given and keeps the rest, the code included', async () => {
    const owner = await createUser(ctx);
    const { id } = await list(owner, { codeValue: 'STAYS-AS-IT-IS', terms: 'Old terms' });
    ctx.clock.advanceDays(1);
    const edited = await edit(owner, id, {
      title: 'A fifth off',
      value: 2_000,
      discountType: 'percentage',
      category: 'Validated',
      hasNoExpiry: true,
    });
    expect(edited).toMatchObject({
      title: 'A fifth off',
      value: 2_000,
      discountType: 'percentage',
      // Nothing has confirmed its code.
      category: 'other',
      hasNoExpiry: true,
      expiryDate: null,
      terms: 'Old terms',
      updatedAt: ctx.clock().toISOString(),
    });
    expect(edited.createdAt < edited.updatedAt).toBe(true);
    expect(await codeOf(ctx, owner, id)).toBe('STAYS-AS-IT-IS');
    expect((await couponHistoryOf(ctx, owner)).at(-1)).toMatchObject({
      action: 'updated',
      details: 'Edited “A fifth off”',
      couponId: id,
    });
  });

  it('updates the fingerprint with the code and the merchant', async () => {
    const [owner, other] = [await createUser(ctx), await createUser(ctx)];
    const { id } = await list(owner, { codeValue: 'MOVES-1' });
    await edit(owner, id, { codeValue: 'MOVES-2' });
    expect(await codeOf(ctx, owner, id)).toBe('MOVES-2');
    await expect(list(other, { codeValue: 'MOVES-2' })).rejects.toMatchObject({ code: 'code_listed' });
    await list(other, { codeValue: 'MOVES-1' });
    await expect(edit(owner, id, { codeValue: 'MOVES-1' })).rejects.toMatchObject({ code: 'code_listed' });
    expect(await codeOf(ctx, owner, id)).toBe('MOVES-2');

    await edit(owner, id, { merchant: 'Other Coffee' });
    await list(other, { codeValue: 'MOVES-2' });
    await expect(edit(owner, id)).rejects.toMatchObject({ code: 'code_listed' });
    await expect(list(other, { merchant: 'other coffee', codeValue: 'moves2' })).rejects.toMatchObject({
      code: 'code_listed',
    });
  });

  it('adds a code to a coupon without one', async () => {
    const owner = await createUser(ctx);
    const { id } = await list(owner, { codeValue: null });
    expect(await edit(owner, id, { code: 'LATE-CODE' })).toMatchObject({
      hasCode: true,
      codePreview: 'LATE…',
    });
    expect(await codeOf(ctx, owner, id)).toBe('LATE-CODE');
  });

  it.each([
    ['title', 'stays', {}],
    ['code to itself', 'stays', { codeValue: 'VERIFIED-1' }],
    ['merchant', 'is lost', { merchant: 'Corner Coffee House' }],
    ['code', 'is lost', { codeValue: 'VERIFIED-2' }],
  ])('that changes the %s: the verification %s [spec/1 3.20]', async (_, outcome, fields) => {
    const owner = await createUser(ctx);
    const { id } = await list(owner, { codeValue: 'VERIFIED-1' });
    await ctx.db
      .updateTable('coupons')
      .set({ isVerified: true, category: 'verified' })
      .where('id', '=', id)
      .execute();
    const edited = await edit(owner, id, { title: 'A new title', category: 'Validated', ...fields });
    expect(edited).toMatchObject(
      outcome === 'stays'
        ? { isVerified: true, category: 'verified' }
        : { isVerified: false, category: 'other' },
    );
    await removeCoupon(as(owner), id);
  });

  it('does not make a public code tradable', async () => {
    const owner = await createUser(ctx);
    const { id } = await list(owner);
    await ctx.db
      .updateTable('coupons')
      .set({ category: 'imported', isActive: false })
      .where('id', '=', id)
      .execute();
    expect((await edit(owner, id, { category: 'food' })).category).toBe('imported');
  });

  it.each([
    ['value', { value: 451 }],
    ['kind of discount', { discountType: 'percentage' }],
    ['merchant', { merchant: 'Corner Tea' }],
    ['last day', { expiryDate: '2035-12-30' }],
    ['code', { codeValue: 'ANOTHER-CODE' }],
    ['title', { title: 'Two large coffees' }],
    ['description', { description: 'At the branch on Main Street.' }],
    ['text of terms', { terms: 'Not with other offers' }],
    ['countries', { regions: ['FR', 'CA'] }],
    ['way it may be passed on', { transferable: 'no' }],
  ])('that changes the %s cancels its pending exchanges and notifies the other party', async (_, fields) => {
    const owner = await createUser(ctx);
    const { id } = await list(owner);
    const asked = await request(owner, id);
    await edit(owner, id, fields);
    expect(await exchange(asked.id)).toEqual({ status: 'cancelled', reason: 'coupon_changed' });
    const notices = await noticesOf(asked.requester);
    expect(notices).toEqual([
      { type: 'other', content: expect.any(String), relatedId: asked.id, link: asked.link },
    ]);
    expect(notices[0]?.content).toContain('“Two coffees for one” was changed');

    // The other way round: the offered coupon changes, and the person who was asked is notified.
    const again = await request(owner, id);
    const before = await noticesOf(owner);
    await edit(again.requester, again.offered.id, { value: 7 });
    expect(await exchange(again.id)).toEqual({ status: 'cancelled', reason: 'coupon_changed' });
    expect((await noticesOf(owner)).length).toBe(before.length + 1);
    expect(await checkInvariants(ctx.db)).toEqual([]);
    await removeCoupon(as(owner), id);
    await removeCoupon(as(again.requester), again.offered.id);
  });

  it('keeps the countries in one order, and the database refuses what is no country', async () => {
    const owner = await createUser(ctx);
    const { id, regions, transferable } = await list(owner, { regions: ['FR', 'CA', 'FR'] });
    expect({ regions, transferable }).toEqual({ regions: ['CA', 'FR'], transferable: 'unknown' });
    expect(updateCouponInputSchema.safeParse({ id, regions: ['EU'] }).success).toBe(false);
    const stored = (set: object) => ctx.db.updateTable('coupons').set(set).where('id', '=', id).execute();
    await expect(stored({ regions: ['CA', 'XX'] })).rejects.toThrow('coupons_regions_known');
    await expect(stored({ transferable: 'maybe' })).rejects.toThrow('coupons_transferable_known');
  });

  it('that changes only the category, or nothing, keeps its pending exchanges', async () => {
    const owner = await createUser(ctx);
    const { id } = await list(owner);
    const asked = await request(owner, id);
    await edit(owner, id);
    await edit(owner, id, { category: 'travel' });
    expect(await exchange(asked.id)).toEqual({ status: 'pending', reason: null });
    expect(await noticesOf(asked.requester)).toEqual([]);
  });
});

describe('deleting a coupon', () => {
  it('erases the code and the prices, hides the coupon and cancels its pending exchanges [spec/1 7.9]', async () => {
    const owner = await createUser(ctx);
    const { id } = await list(owner, { askingPrice: '9.00', priceFloor: '5.00' });
    const asked = await request(owner, id);
    await removeCoupon(as(owner), id);

    const erased = { codeHash: null, askingPrice: null, priceFloor: null };
    expect(await rowOf(id)).toMatchObject({ isActive: false, deletedAt: ctx.clock(), ...erased });
    const priced = ctx.db.updateTable('coupons').set({ askingPrice: '9.00' }).where('id', '=', id);
    await expect(priced.execute()).rejects.toThrow('coupons_deleted_priceless');
    const secrets = ctx.db.selectFrom('couponSecrets').selectAll().where('couponId', '=', id);
    expect(await secrets.execute()).toEqual([]);
    await expect(couponById(as(owner), id)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Coupon not found',
    });
    await expect(revealCode(as(owner), id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(removeCoupon(as(owner), id)).rejects.toMatchObject({ code: 'not_found' });

    expect(await exchange(asked.id)).toEqual({ status: 'cancelled', reason: 'coupon_deleted' });
    expect(await noticesOf(asked.requester)).toHaveLength(1);
    expect((await couponHistoryOf(ctx, owner)).at(-1)).toEqual({
      action: 'cancelled',
      details: 'Removed “Two coffees for one”',
      actorId: owner.id,
      couponId: id,
    });
    expect(await checkInvariants(ctx.db)).toEqual([]);
  });

  it('is refused to other people and while a deal holds the coupon [spec/1 6.2]', async () => {
    const owner = await createUser(ctx);
    const { id } = await list(owner);
    const { requester, accept } = await request(owner, id);
    await expect(removeCoupon(as(requester), id)).rejects.toMatchObject({ code: 'forbidden' });
    await accept();
    await expect(removeCoupon(as(owner), id)).rejects.toMatchObject({ code: 'coupon_reserved', status: 409 });
    expect(await codeOf(ctx, owner, id)).toContain('LATTE');
  });
});

/** The same context one day later. */
function dayAfter(): TestContext {
  return createTestContext(database, { clock: createTestClock(addDays(ctx.clock(), 1)) });
}

describe('an expired coupon', () => {
  it('is delisted the day after, keeps its code, and can be listed again by an edit', async () => {
    const owner = await createUser(ctx);
    const { id } = await list(owner, { expiryDate: utcDay(ctx.clock()), codeValue: 'PAST-AND-BACK' });
    await delistPastCoupons(ctx);
    expect(await couponById(as(owner), id)).toMatchObject({ isActive: true });

    const tomorrow = dayAfter();
    expect(await delistPastCoupons(tomorrow)).toBe(1);
    expect(await couponById(as(owner), id)).toMatchObject({ isActive: false });
    expect(await codeOf(ctx, owner, id)).toBe('PAST-AND-BACK');
    expect(await edit(owner, id, { expiryDate: '2035-12-31' })).toMatchObject({ isActive: true });
  });

  it('frees its code, and cannot be listed again while another person lists that code', async () => {
    const [owner, other] = [await createUser(ctx), await createUser(ctx)];
    const { id } = await list(owner, { expiryDate: utcDay(ctx.clock()), codeValue: 'ONCE-MINE' });
    const tomorrow = dayAfter();
    await delistPastCoupons(tomorrow);
    await list(other, { codeValue: 'ONCE-MINE' });
    await expect(edit(owner, id)).rejects.toMatchObject({ code: 'code_listed' });
  });
});
