import { expect, it } from 'vitest';
import type { RelatedCoupons } from '#contract/coupons/coupons.ts';
import { inTransaction } from '#server/database/client.ts';
import { addBlock } from '#server/people/blocks/service.ts';
import { bidOn, moveBid } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, setUpFreshContext } from '#tests/support/builders.ts';
import { relatedCoupons } from './related.ts';

const ctx = setUpFreshContext();
const ids = (found: RelatedCoupons) =>
  Object.fromEntries(Object.entries(found).map(([row, coupons]) => [row, coupons.map(({ id }) => id)]));

it('shows other free coupons of the merchant, the owner and the category, each once', async () => {
  const [anna, ben, viewer] = [await createUser(ctx), await createUser(ctx), await createUser(ctx)];
  const make = (owner: typeof anna, given: Parameters<typeof createCoupon>[2]) =>
    createCoupon(ctx, owner, { category: 'travel', merchant: 'Elsewhere', ...given });
  const coupon = await make(anna, { category: 'food', merchant: 'Café Lune' });
  const both = await make(anna, { merchant: 'CAFE LUNE' });
  const ofBen = await make(ben, { category: 'food', merchant: 'Café Lune' });
  const ofAnna = await make(anna, {});
  const food = await make(ben, { category: 'food' });
  for (const hidden of [
    { isActive: false },
    { expiryDate: '2035-06-01' },
    { isWithheld: true, isActive: false },
  ])
    await make(ben, { category: 'food', merchant: 'Café Lune', ...hidden });
  const taken = await make(ben, { category: 'food', merchant: 'Café Lune' });
  const { id } = await bidOn(ctx, viewer, taken);
  await moveBid(ctx, ben, id, 'accepted');

  expect(ids(await relatedCoupons(ctx, coupon.id))).toEqual({
    ofMerchant: [ofBen.id, both.id],
    ofOwner: [ofAnna.id],
    ofCategory: [food.id],
  });
  await inTransaction(ctx.db, (trx) => addBlock(trx, actingAs(ctx, viewer), ben.id));
  expect(ids(await relatedCoupons(actingAs(ctx, viewer), coupon.id))).toEqual({
    ofMerchant: [both.id],
    ofOwner: [ofAnna.id],
    ofCategory: [],
  });
});

it('a row has four coupons, also where the rows before it show the newest of its own', async () => {
  const anna = await createUser(ctx);
  const same = { category: 'services', merchant: 'Salon Sept' };
  const coupon = await createCoupon(ctx, anna, same);
  for (let count = 0; count < 13; count += 1) await createCoupon(ctx, anna, same);
  const { ofMerchant, ofOwner, ofCategory } = await relatedCoupons(ctx, coupon.id);
  expect([ofMerchant, ofOwner, ofCategory].map(({ length }) => length)).toEqual([4, 4, 4]);
});
