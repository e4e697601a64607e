import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { removeCoupon } from '#server/deals/coupon-changes/service.ts';
import { actingAs, createCoupon, createUser, setUpFreshContext } from '#tests/support/builders.ts';
import { listCoupons } from './listing.ts';
import { listSavedCoupons, saveCoupon, unsaveCoupon } from './saved.ts';

const ctx = setUpFreshContext();
let me: Actor;
let other: Actor;
beforeEach(async () => {
  me = await createUser(ctx);
  other = await createUser(ctx);
});

const mine = () => actingAs(ctx, me);
const savedTitles = async (paging = { page: 1, limit: 10 }) =>
  (await listSavedCoupons(mine(), paging)).items.map(({ title }) => title);

async function saveAt(day: number, title: string): Promise<number> {
  const { id } = await createCoupon(ctx, other, { title });
  ctx.clock.advanceDays(day);
  await saveCoupon(mine(), id);
  return id;
}

describe('saving a coupon', () => {
  it('lists saved coupons, latest first, and marks them everywhere [spec/1 7.13]', async () => {
    const first = await saveAt(0, 'First');
    await saveAt(1, 'Second');
    expect(await savedTitles()).toEqual(['Second', 'First']);
    expect((await couponById(mine(), first)).isSaved).toBe(true);
    expect((await couponById(actingAs(ctx, other), first)).isSaved).toBe(false);
    expect((await couponById(ctx, first)).isSaved).toBe(false);
    const { items } = await listCoupons(mine(), { sort: 'newest', page: 1, limit: 50, search: 'First' });
    expect(items.map(({ id, isSaved }) => ({ id, isSaved }))).toContainEqual({ id: first, isSaved: true });
  });

  it('saves a coupon only once, and removes it again [spec/1 7.13]', async () => {
    const first = await saveAt(0, 'First');
    await saveAt(1, 'Second');
    await saveCoupon(mine(), first);
    expect(await savedTitles()).toEqual(['Second', 'First']);
    await unsaveCoupon(mine(), first);
    await unsaveCoupon(mine(), first);
    expect(await savedTitles()).toEqual(['Second']);
  });

  it('does not reveal the code', async () => {
    const id = await saveAt(0, 'First');
    const [coupon] = (await listSavedCoupons(mine(), { page: 1, limit: 10 })).items;
    expect(coupon).toMatchObject({
      id,
      hasCode: true,
      codePreview: null,
      qrCodeUrl: null,
      drawnQrCodeUrl: null,
    });
  });

  it("refuses the caller's own coupons, unknown coupons and imported codes [spec/1 2.11]", async () => {
    const own = await createCoupon(ctx, me);
    await expect(saveCoupon(mine(), own.id)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(saveCoupon(mine(), 2_000_000_000)).rejects.toMatchObject({ code: 'not_found' });
    const imported = await createCoupon(ctx, other, { category: 'imported' });
    await expect(saveCoupon(mine(), imported.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('leaves out deleted coupons and those the caller owns by now', async () => {
    const gone = await saveAt(0, 'Gone');
    const swapped = await saveAt(1, 'Swapped');
    const expired = await saveAt(1, 'Past');
    await removeCoupon(actingAs(ctx, other), gone);
    await ctx.db.updateTable('coupons').set({ ownerId: me.id }).where('id', '=', swapped).execute();
    await ctx.db.updateTable('coupons').set({ expiryDate: '2035-01-01' }).where('id', '=', expired).execute();
    expect(await savedTitles()).toEqual(['Past']);
    expect(await listSavedCoupons(mine(), { page: 1, limit: 10 })).toMatchObject({ total: 1 });
  });
});
