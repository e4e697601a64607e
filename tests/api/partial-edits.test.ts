import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { anOffer } from '#tests/support/coupons.ts';

const test = setUpApp();

const OFFER = { ...anOffer(), terms: 'Weekdays', sourceUrl: 'https://shop.example/offer' };

async function listed(given: Record<string, unknown> = {}) {
  const owner = await createUser(test.ctx);
  const body = { ...OFFER, codeValue: null, ...given };
  const answer = await test.call(owner, { method: 'POST', url: '/api/coupons', body });
  return { owner, coupon: answer.json() as { id: number } & Record<string, unknown> };
}

const edit = (who: Actor, id: number, body: Record<string, unknown>) =>
  test.call(who, { method: 'PATCH', url: `/api/coupons/${id}`, body });

describe('PATCH /api/coupons/{id}', () => {
  it.each([
    { title: 'Another title' },
    { description: 'Another description.' },
    { value: 990 },
    { discountType: 'percentage' },
    { merchant: 'Another merchant' },
    { category: 'travel' },
    { expiryDate: '2036-01-31' },
    { terms: 'Sundays' },
    { terms: null },
    { sourceUrl: null },
    { regions: ['CA', 'DE'] },
    { transferable: 'no' },
    {},
  ])('changes %o and nothing else [decisions 2.7.1]', async (change) => {
    const { owner, coupon } = await listed();
    const answer = await edit(owner, coupon.id, change);
    expect(answer.statusCode).toBe(200);
    const { expiresAt: _until, updatedAt: _when, ...edited } = answer.json();
    const { expiresAt: _before, updatedAt: _then, ...before } = coupon;
    expect(edited).toEqual({ ...before, ...change });
  });

  it('ends the last day with "no expiry", and "no expiry" with a last day', async () => {
    const { owner, coupon } = await listed();
    const endless = await edit(owner, coupon.id, { hasNoExpiry: true });
    expect(endless.json()).toMatchObject({ hasNoExpiry: true, expiryDate: null });
    const ending = await edit(owner, coupon.id, { expiryDate: '2036-01-31' });
    expect(ending.json()).toMatchObject({ hasNoExpiry: false, expiryDate: '2036-01-31' });
  });

  it.each([
    [{ value: 2_000, discountType: 'percentage' }, { value: 10_001 }, 'value'],
    [{ value: 20_000 }, { discountType: 'percentage' }, 'value'],
    [{}, { expiryDate: null }, 'expiryDate'],
    [{ hasNoExpiry: true, expiryDate: null }, { hasNoExpiry: false }, 'expiryDate'],
    [{}, { expiryDate: '2035-06-14' }, 'expiryDate'],
  ])('of %o with %o is checked together with what stays', async (given, change, path) => {
    const { owner, coupon } = await listed(given);
    const answer = await edit(owner, coupon.id, change);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'bad_input', issues: [{ path }] });
  });

  it('renames an expired coupon, which stays off the list', async () => {
    const { owner, coupon } = await listed({ expiryDate: '2035-06-20' });
    test.ctx.clock.advanceDays(10);
    const answer = await edit(owner, coupon.id, { title: 'A souvenir' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ title: 'A souvenir', isActive: false });
    test.ctx.clock.advanceDays(-10);
  });
});
