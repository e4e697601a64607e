import { beforeAll, describe, expect, it } from 'vitest';
import { updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import type { PublicOffer } from '#contract/coupons/discover.ts';
import type { Actor } from '#server/context/context.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { listCoupons, listOwnCoupons } from '#server/coupons/search/listing.ts';
import { removeCoupon, updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { importCoupon } from './importing.ts';

const ctx = setUpContext();
let me: Actor;
let other: Actor;
beforeAll(async () => {
  me = await createUser(ctx);
  other = await createUser(ctx);
});

const OFFER: PublicOffer = {
  merchant: 'Harbour Books',
  code: 'READ10',
  title: '10% off all novels',
  description: 'Ten per cent off every novel in the shop.',
  value: 1_000,
  discountType: 'percentage',
  isValueRead: false,
  expiryDate: '2035-12-31',
  endTime: null,
  regions: [],
  terms: null,
  sourceUrl: 'https://books.example/offers',
  imageUrl: null,
};
const asMe = () => actingAs(ctx, me);

describe('importing a public code', () => {
  it("makes it the caller's own coupon, on no list and visible to nobody else", async () => {
    const coupon = await importCoupon(asMe(), OFFER);
    expect(coupon).toMatchObject({
      title: OFFER.title,
      category: 'imported',
      value: 1_000,
      discountType: 'percentage',
      isActive: false,
      isVerified: false,
      ownerId: me.id,
      codePreview: 'REA…',
    });
    expect((await revealCode(asMe(), coupon.id)).codeValue).toBe('READ10');
    const own = await listOwnCoupons(asMe(), { sort: 'newest', page: 1, limit: 10 });
    expect(own.items.map(({ id }) => id)).toContain(coupon.id);
    expect((await listCoupons(ctx, { sort: 'newest', page: 1, limit: 100 })).items).toEqual([]);
    for (const who of [ctx, actingAs(ctx, other)])
      await expect(couponById(who, coupon.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused the second time in any spelling, also at once; other people may import it too', async () => {
    const offer = { ...OFFER, code: 'TWICE-5' };
    const both = await Promise.allSettled([importCoupon(asMe(), offer), importCoupon(asMe(), offer)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(importCoupon(asMe(), { ...offer, code: 'twice 5' })).rejects.toMatchObject({
      code: 'code_listed',
      message: 'You have already imported this coupon.',
    });
    expect((await importCoupon(actingAs(ctx, other), offer)).ownerId).toBe(other.id);
  });

  it('can be repeated after the coupon is deleted', async () => {
    const offer = { ...OFFER, code: 'AGAIN5' };
    const { id } = await importCoupon(asMe(), offer);
    await removeCoupon(asMe(), id);
    expect((await importCoupon(asMe(), offer)).id).not.toBe(id);
  });

  it('invents no value and no last day, and fills in only texts that are too short', async () => {
    const bare = { ...OFFER, code: 'BARE', value: null, discountType: null, expiryDate: null };
    expect(await importCoupon(asMe(), { ...bare, title: '5%', description: 'Five off' })).toMatchObject({
      value: 0,
      hasNoExpiry: true,
      expiryDate: null,
      title: '5% at Harbour Books',
      description: 'Public code: Five off',
    });
  });

  it('says that its value is read from the title, until the owner states another', async () => {
    const { id, isValueRead } = await importCoupon(asMe(), { ...OFFER, code: 'READ', isValueRead: true });
    expect(isValueRead).toBe(true);
    const edit = (change: object) =>
      updateCoupon(asMe(), updateCouponInputSchema.parse({ ...OFFER, code: null, id, ...change }));
    expect(await edit({ title: 'Ten off' })).toMatchObject({ isValueRead: true });
    expect(await edit({ value: 500 })).toMatchObject({ isValueRead: false });
    expect(await edit({ value: 1_000 })).toMatchObject({ isValueRead: false });
  });

  it('stays a public code on no list after an edit', async () => {
    const { id } = await importCoupon(asMe(), { ...OFFER, code: 'EDITED' });
    const input = updateCouponInputSchema.parse({ ...OFFER, code: null, id, category: 'food', value: 500 });
    expect(await updateCoupon(asMe(), input)).toMatchObject({
      category: 'imported',
      isActive: false,
      codePreview: 'EDI…',
    });
  });
});
