import { beforeEach, expect, it } from 'vitest';
import { createCoupon, createUser, setUpFreshContext, type TestCoupon } from '#tests/support/builders.ts';
import { completeSaleOf, undoSale } from '#tests/support/ratings.ts';
import { priceHint } from './sold-prices.ts';

const ctx = setUpFreshContext();
let coupon: TestCoupon;
let merchant = '';
let tests = 0;
beforeEach(async () => {
  tests += 1;
  merchant = `Café Lune ${tests}`;
  coupon = await createCoupon(ctx, await createUser(ctx), { merchant, value: 1_000 });
});

/** A sale of a new coupon worth $20.00 by a new person. */
async function sell(amount: string, given: Parameters<typeof createCoupon>[2] = {}) {
  const [buyer, seller] = [await createUser(ctx), await createUser(ctx)];
  const values = { merchant: merchant.toUpperCase(), value: 2_000, ...given };
  return { seller, deal: await completeSaleOf(ctx, buyer, seller, { amount, coupon: values }) };
}

it('a hint is the middle half of the prices that at least five people got', async () => {
  for (const amount of ['10.00', '11.00', '12.00', '14.00']) await sell(amount);
  await sell('19.00', { merchant: 'Another café' });
  await sell('3.00', { discountType: 'percentage' });
  expect(await priceHint(ctx, coupon.id)).toBeNull();
  const { deal } = await sell('20.00');
  expect(await priceHint(ctx, coupon.id)).toEqual({ low: 55, high: 70, people: 5 });
  await undoSale(ctx, deal);
  expect(await priceHint(ctx, coupon.id)).toBeNull();
});

it('a person counts once, however much they sell', async () => {
  const { seller } = await sell('10.00');
  for (let sale = 0; sale < 5; sale += 1)
    await completeSaleOf(ctx, await createUser(ctx), seller, {
      amount: '4.00',
      coupon: { merchant, value: 2_000 },
    });
  expect(await priceHint(ctx, coupon.id)).toBeNull();
});

it('a price is the one of the sale, whatever the buyer makes of the coupon', async () => {
  for (const amount of ['10.00', '10.00', '10.00', '10.00', '10.00']) await sell(amount);
  await ctx.db
    .updateTable('coupons')
    .set({ value: 100, merchant: 'Elsewhere' })
    .where('value', '=', 2_000)
    .execute();
  expect(await priceHint(ctx, coupon.id)).toEqual({ low: 50, high: 50, people: 5 });
  ctx.clock.advanceDays(366);
  expect(await priceHint(ctx, coupon.id)).toBeNull();
});

it('there is none for a percentage', async () => {
  for (let sale = 0; sale < 5; sale += 1) await sell('10.00');
  const percentage = { merchant, discountType: 'percentage', value: 2_500 };
  const { id } = await createCoupon(ctx, await createUser(ctx), percentage);
  expect(await priceHint(ctx, id)).toBeNull();
});
