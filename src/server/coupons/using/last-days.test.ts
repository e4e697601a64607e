import { beforeEach, describe, expect, it } from 'vitest';
import { createCouponInputSchema, listCouponsInputSchema } from '#contract/coupons/coupons.ts';
import type { MemberContext } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { createCoupon, delistPastCoupons } from '#server/coupons/publishing/service.ts';
import { listCoupons } from '#server/coupons/search/listing.ts';
import { placeBid } from '#server/deals/bids/service.ts';
import { updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { expireDeals } from '#server/deals/lifecycle/expiry.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { remindOfExpiry } from './reminders.ts';

const database = setUpDatabase();
let ctx: TestContext;
let owner: TestContext & MemberContext;

const OFFER = {
  title: 'Two coffees for one',
  description: 'Valid at every branch.',
  value: 450,
  merchant: 'Corner Coffee',
  category: 'food',
};
const KEPT = {
  code: null,
  codeValue: null,
  qrCodeUrl: undefined,
  barcodeUrl: undefined,
  imageUrl: undefined,
};

beforeEach(async () => {
  ctx = createTestContext(database);
  // 22:31 on the evening of the 15th in Vancouver.
  ctx.clock.set(new Date('2035-06-16T05:31:00Z'));
  owner = actingAs(ctx, await createUser(ctx));
});

const list = (fields: object) => createCoupon(owner, createCouponInputSchema.parse({ ...OFFER, ...fields }));
const shown = async (expiryDays?: number, sort = 'newest') => {
  const { items } = await listCoupons(ctx, listCouponsInputSchema.parse({ expiryDays, sort }));
  return items.map(({ id }) => id);
};

describe('a coupon that ends today where its owner is', () => {
  it('is listed in the evening, is in every list until that midnight, and then expires', async () => {
    const { id, expiresAt } = await list({
      expiryDate: '2035-06-15',
      timeZone: 'America/Vancouver',
      codeValue: 'LATTE-1',
    });
    expect(expiresAt).toBe('2035-06-16T06:59:59.999Z');
    const buyer = actingAs(ctx, await createUser(ctx));
    const bid = await placeBid(buyer, { couponId: id, amount: '4.00', message: null });
    for (const sort of ['newest', 'expiry', 'value-high']) {
      expect(await shown(undefined, sort)).toContain(id);
      expect(await shown(1, sort)).toContain(id);
    }
    await delistPastCoupons(ctx);
    await expireDeals(ctx);
    expect((await couponById(ctx, id)).isActive).toBe(true);

    ctx.clock.set(new Date('2035-06-16T07:00:00Z'));
    expect(await shown()).not.toContain(id);
    await expect(placeBid(buyer, { couponId: id, amount: '5.00', message: null })).rejects.toMatchObject({
      code: 'coupon_unavailable',
    });
    await delistPastCoupons(ctx);
    await expireDeals(ctx);
    expect((await couponById(ctx, id)).isActive).toBe(false);
    const ended = await ctx.db.selectFrom('bids').select('reason').where('id', '=', bid.id).execute();
    expect(ended).toEqual([{ reason: 'coupon_expired' }]);
  });

  it('is refused without the zone, and in a zone where the day has ended', async () => {
    for (const timeZone of [undefined, 'Asia/Tokyo'])
      await expect(list({ expiryDate: '2035-06-15', timeZone })).rejects.toMatchObject({ code: 'bad_input' });
    expect(
      createCouponInputSchema.safeParse({ ...OFFER, timeZone: 'Mars/Olympus' }).error?.issues,
    ).toContainEqual(expect.objectContaining({ path: ['timeZone'] }));
  });
});

it('regions decide before the zone of the owner, and an edit of the regions moves the end', async () => {
  const { id, expiresAt } = await list({
    expiryDate: '2035-06-20',
    regions: ['FR'],
    timeZone: 'America/Toronto',
  });
  expect(expiresAt).toBe('2035-06-20T21:59:59.999Z');
  const toCanada = await updateCoupon(owner, { ...KEPT, id, regions: ['CA', 'FR'] });
  expect(Date.parse(toCanada.expiresAt ?? '')).toBeGreaterThanOrEqual(Date.parse('2035-06-21T06:59:59.999Z'));
  const nowhere = await updateCoupon(owner, { ...KEPT, id, regions: [] });
  expect(nowhere.expiresAt).toBe('2035-06-21T03:59:59.999Z');
  const later = await updateCoupon(owner, { ...KEPT, id, expiryDate: '2035-12-20' });
  expect(later.expiresAt).toBe('2035-12-21T04:59:59.999Z');
});

it('a reminder goes by the calendar where the last day ends last', async () => {
  const zoned = await list({ expiryDate: '2035-06-16', timeZone: 'America/Vancouver' });
  const utc = await list({ expiryDate: '2035-06-17' });
  await list({ expiryDate: '2035-06-17', timeZone: 'America/Vancouver' });
  await remindOfExpiry(ctx);
  const told = await ctx.db
    .selectFrom('expiryReminders')
    .select(['couponId', 'days'])
    .where('userId', '=', owner.actor.id)
    .orderBy('couponId')
    .execute();
  expect(told).toEqual([
    { couponId: zoned.id, days: 2 },
    { couponId: utc.id, days: 2 },
  ]);
});
