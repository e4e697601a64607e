import { expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';

const test = setUpApp();

it('DELETE /api/user/account without a password says "Password required" [spec/3 2.68]', async () => {
  const who = await createUser(test.ctx);
  for (const body of [undefined, {}, { confirmPassword: '' }]) {
    const answer = await test.call(who, { method: 'DELETE', url: '/api/user/account', body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().issues).toEqual([{ path: 'confirmPassword', message: 'Password required' }]);
  }
});

it('POST /api/coupons/import-all of an unknown merchant is 404, like import', async () => {
  const who = await createUser(test.ctx);
  const body = { merchant: 'Nobody & Sons' };
  const all = await test.call(who, { method: 'POST', url: '/api/coupons/import-all', body });
  expect(all.statusCode).toBe(404);
  const one = { ...body, code: 'NOBODY-10' };
  const single = await test.call(who, { method: 'POST', url: '/api/coupons/import', body: one });
  expect(all.json()).toMatchObject({ code: single.json().code });
});

it('GET /api/bids carries the owner’s name in coupon [spec/2 7.7]', async () => {
  const [owner, bidder] = [await createUser(test.ctx), await createUser(test.ctx)];
  const { id: couponId } = await createCoupon(test.ctx, owner);
  const body = { couponId, amount: '12.50' };
  const placed = await test.call(bidder, { method: 'POST', url: '/api/bids', body });
  const coupon = { id: couponId, ownerUsername: owner.username };
  expect(placed.json().coupon).toMatchObject(coupon);
  const list = await test.call(bidder, { method: 'GET', url: '/api/bids' });
  expect(list.json()).toMatchObject([{ coupon }]);
});

it('GET /api/user carries every field that the specification names [spec/1 7.1]', async () => {
  const who = await createUser(test.ctx);
  const answer = await test.call(who, { method: 'GET', url: '/api/user' });
  // spec/1 section 3; the password is never sent.
  expect(answer.json()).toMatchObject({
    id: who.id,
    username: who.username,
    email: `${who.username}@example.org`,
    role: 'user',
    status: 'active',
    preferredCurrency: 'CAD',
    country: 'CA',
    totalRating: 0,
    ratingCount: 0,
    verifiedCoupons: 0,
    successfulExchanges: 0,
    acceptedBids: 0,
    reportCount: 0,
    isFeatured: false,
    bio: null,
    profileImageUrl: null,
    lastLoginAt: null,
    stripeConnectAccountId: null,
    stripeAccountStatus: 'pending',
    payoutEnabled: false,
    paypalMerchantId: null,
    paypalTrackingId: null,
    paypalAccountStatus: 'pending',
    paypalEmailConfirmed: false,
    paypalPaymentsReceivable: false,
    createdAt: test.ctx.clock().toISOString(),
    updatedAt: test.ctx.clock().toISOString(),
  });
  expect(answer.json()).not.toHaveProperty('password');
});

it('GET /api/user says how far the seller’s accounts are [spec/1 7.1]', async () => {
  const who = await createUser(test.ctx);
  const at = { createdAt: test.ctx.clock(), updatedAt: test.ctx.clock() };
  const accounts = [
    { userId: who.id, provider: 'stripe', accountRef: 'acct_1', isReady: true, ...at },
    { userId: who.id, provider: 'paypal', accountRef: 'MERCHANT1', primaryEmailConfirmed: true, ...at },
  ];
  await test.database.db.insertInto('sellerAccounts').values(accounts).execute();
  const answer = await test.call(who, { method: 'GET', url: '/api/user' });
  expect(answer.json()).toMatchObject({
    stripeConnectAccountId: 'acct_1',
    stripeAccountStatus: 'active',
    payoutEnabled: true,
    paypalMerchantId: 'MERCHANT1',
    paypalTrackingId: `seller-${who.id}`,
    paypalAccountStatus: 'action_required',
    paypalEmailConfirmed: true,
    paypalPaymentsReceivable: false,
  });
});

it.each(['minValue', 'maxValue'])('the API documentation gives the unit of %s', async (name) => {
  const document = await test.call(null, { method: 'GET', url: '/api/openapi.json' });
  const { paths, components } = document.json();
  const parameters = paths['/api/coupons'].get.parameters.map(
    (given: { $ref?: string }) => components.parameters[given.$ref?.split('/').at(-1) ?? ''] ?? given,
  );
  const parameter = parameters.find((found: { name: string }) => found.name === name);
  expect(parameter.description ?? parameter.schema.description).toMatch(/^In cents/);
});

it('a call without a body may name the type of one, as generated clients do', async () => {
  const member = await createUser(test.ctx);
  const call = (method: 'POST' | 'DELETE', url: string) =>
    test.call(member, { method, url, headers: { 'content-type': 'application/json' } });
  const [used, removed] = [await createCoupon(test.ctx, member), await createCoupon(test.ctx, member)];
  expect((await call('POST', `/api/coupons/${used.id}/used`)).statusCode).toBe(200);
  expect((await call('DELETE', `/api/coupons/${removed.id}`)).statusCode).toBe(200);
  const incomplete = await call('POST', '/api/coupons');
  expect([incomplete.statusCode, incomplete.json().code]).toEqual([400, 'bad_input']);
  expect(incomplete.json().issues.map(({ path }: { path: string }) => path)).toContain('title');
});
