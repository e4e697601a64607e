import { expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { insertImage } from '#tests/support/images.ts';

const test = setUpApp();
const person = () => createUser(test.ctx);
const post = (who: Actor, url: string, body: unknown) => test.call(who, { method: 'POST', url, body });
const bare = (owner: Actor) => createCoupon(test.ctx, owner, { code: null });

it('a bid on a coupon without a code needs a confirmation of its own [decisions 2.13.2]', async () => {
  const [owner, bidder] = [await person(), await person()];
  const { id: couponId } = await bare(owner);
  const bid = { couponId, amount: '12.50' };
  for (const body of [bid, { ...bid, acknowledgeNoCode: false }]) {
    const refused = await post(bidder, '/api/bids', body);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: 'no_code', issues: [{ path: 'acknowledgeNoCode' }] });
  }
  const placed = await post(bidder, '/api/bids', { ...bid, acknowledgeNoCode: true });
  expect(placed.statusCode).toBe(201);
  expect(placed.json().coupon).toMatchObject({ hasCode: false });
});

it.each(['qrcode', 'barcode'] as const)(
  'a bid on a coupon with a picture of the code (%s) needs none [decisions 2.13.2]',
  async (kind) => {
    const owner = await person();
    const { id: couponId } = await bare(owner);
    await insertImage(test.ctx, owner, { kind, couponId });
    const placed = await post(await person(), '/api/bids', { couponId, amount: '12.50' });
    expect(placed.statusCode).toBe(201);
    expect(placed.json().coupon).toMatchObject({ hasCode: true });
  },
);

it('an exchange says of each coupon whether there is a code to hand over', async () => {
  const [owner, requester] = [await person(), await person()];
  const [requested, offered] = [await bare(owner), await createCoupon(test.ctx, requester)];
  const body = { requestedCouponId: requested.id, offeredCouponId: offered.id };
  const proposed = await post(requester, '/api/exchanges', body);
  expect(proposed.json()).toMatchObject({
    requestedCoupon: { id: requested.id, hasCode: false },
    offeredCoupon: { id: offered.id, hasCode: true },
  });
});
