import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { finishStatusEffects } from '#server/oversight/moderation/effects.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createTestClock, createUser, type TestCoupon } from '#tests/support/builders.ts';
import { anOffer } from '#tests/support/coupons.ts';
import { insertMatch } from '#tests/support/matches.ts';

/** Dealing needs a confirmed address (decisions 3.16). */

const test = setUpApp({ clock: createTestClock() });

let newcomer: Actor;
let other: Actor;
let theirs: TestCoupon;
beforeEach(async () => {
  newcomer = await createUser(test.ctx, { emailVerifiedAt: null });
  other = await createUser(test.ctx);
  theirs = await createCoupon(test.ctx, other, { askingPrice: '5.00' });
});

const setConfirmed = (person: Actor, isConfirmed: boolean) =>
  test.ctx.db
    .updateTable('users')
    .set({ emailVerifiedAt: isConfirmed ? test.ctx.clock() : null })
    .where('id', '=', person.id)
    .execute();

const send = (who: Actor, method: 'POST' | 'PUT' | 'PATCH', url: string, body: unknown) =>
  test.call(who, { method, url, body });

/** What somebody has begun before they lost the confirmation, or whose deals are older than the rule. */
async function asConfirmed<Result>(act: () => Promise<Result>): Promise<Result> {
  await setConfirmed(newcomer, true);
  const result = await act();
  await setConfirmed(newcomer, false);
  return result;
}

const idOf = async (answer: ReturnType<typeof send>): Promise<number> => {
  const { statusCode, body } = await answer;
  expect(statusCode, body).toBe(201);
  return JSON.parse(body).id;
};

const ownCoupon = () => asConfirmed(() => createCoupon(test.ctx, newcomer));
const bidBody = () => ({ couponId: theirs.id, amount: '4.00' });
const ask = async (who: Actor, asked: { id: number }, offered: { id: number }) =>
  idOf(send(who, 'POST', '/api/exchanges', { requestedCouponId: asked.id, offeredCouponId: offered.id }));

describe('whose address is not confirmed cannot', () => {
  const ACTS: Record<string, () => ReturnType<typeof send>> = {
    bid: () => send(newcomer, 'POST', '/api/bids', bidBody()),
    'buy at the asking price': () =>
      send(newcomer, 'POST', `/api/coupons/${theirs.id}/buy`, { expectedAmount: '5.00' }),
    'answer a counter-offer with another amount': async () => {
      const id = await asConfirmed(() => idOf(send(newcomer, 'POST', '/api/bids', bidBody())));
      const counter = { amount: '4.80', expectedAmount: '4.00' };
      expect((await send(other, 'POST', `/api/bids/${id}/counter`, counter)).statusCode).toBe(200);
      return send(newcomer, 'POST', `/api/bids/${id}/counter`, { amount: '4.50', expectedAmount: '4.80' });
    },
    'accept a bid': async () => {
      const mine = await ownCoupon();
      await setConfirmed(newcomer, true);
      const id = await idOf(send(other, 'POST', '/api/bids', { couponId: mine.id, amount: '4.00' }));
      await setConfirmed(newcomer, false);
      return send(newcomer, 'PUT', `/api/bids/${id}/status`, { status: 'accepted' });
    },
    'propose a swap': async () => {
      const mine = await ownCoupon();
      const swap = { requestedCouponId: theirs.id, offeredCouponId: mine.id };
      return send(newcomer, 'POST', '/api/exchanges', swap);
    },
    'change a proposal': async () => {
      const mine = await ownCoupon();
      const id = await asConfirmed(() => ask(newcomer, theirs, mine));
      return send(newcomer, 'PATCH', `/api/exchanges/${id}`, { message: 'Please' });
    },
    'accept a swap': async () => {
      const mine = await ownCoupon();
      const id = await asConfirmed(() => ask(other, mine, theirs));
      return send(newcomer, 'PATCH', `/api/exchanges/${id}/status`, { status: 'accepted' });
    },
    'propose a match': async () => {
      const mine = await ownCoupon();
      const { id } = await insertMatch(test.ctx, [newcomer, other]);
      expect(mine.id).toBeGreaterThan(0);
      return send(newcomer, 'POST', `/api/matches/${id}/propose`, {});
    },
    rate: async () => {
      const mine = await ownCoupon();
      const id = await asConfirmed(async () => {
        const begun = await ask(newcomer, theirs, mine);
        for (const status of ['accepted', 'completed'])
          await send(other, 'PATCH', `/api/exchanges/${begun}/status`, { status });
        return begun;
      });
      return send(newcomer, 'POST', '/api/ratings', { dealType: 'exchange', dealId: id, rating: 9 });
    },
  };
  it.each(Object.keys(ACTS))('%s, and is told what to do', async (act) => {
    const { statusCode, body } = (await ACTS[act]?.()) ?? { statusCode: 0, body: '{}' };
    expect(JSON.parse(body)).toMatchObject({
      code: 'address_unconfirmed',
      error: expect.stringContaining('Confirm your email address first'),
    });
    expect(statusCode).toBe(403);
  });
});

describe('a coupon whose owner has no confirmed address', () => {
  const listed = async () => {
    const { body } = await test.call(other, { method: 'GET', url: '/api/coupons?limit=100' });
    return JSON.parse(body).map(({ id }: { id: number }) => id);
  };

  it('is kept for its owner, hidden from others and not tradable; the confirmation lists it', async () => {
    const id = await idOf(send(newcomer, 'POST', '/api/coupons', anOffer()));
    const bid = { couponId: id, amount: '4.00' };
    expect(await listed()).not.toContain(id);
    expect((await test.call(other, { method: 'GET', url: `/api/coupons/${id}` })).statusCode).toBe(404);
    expect((await test.call(newcomer, { method: 'GET', url: `/api/coupons/${id}` })).statusCode).toBe(200);
    expect((await send(other, 'POST', '/api/bids', bid)).statusCode).toBe(409);
    // A moderator's warning leaves it hidden, as does an edit.
    await send(
      await createUser(test.ctx, { role: 'admin' }),
      'PATCH',
      `/api/admin/users/${newcomer.id}/status`,
      {
        status: 'warned',
        reason: 'Be kind',
      },
    );
    await send(newcomer, 'PATCH', `/api/coupons/${id}`, { title: 'Three coffees' });
    await finishStatusEffects(test.ctx);
    expect(await listed()).not.toContain(id);

    await setConfirmed(newcomer, true);
    expect(await listed()).toContain(id);
    expect((await send(other, 'POST', '/api/bids', bid)).statusCode).toBe(201);
  });

  it('stays unlisted if somebody else has listed the code meanwhile', async () => {
    const twins = [
      await createCoupon(test.ctx, newcomer, { code: 'TWIN-CODE-77' }),
      await createCoupon(test.ctx, newcomer, { code: 'TWIN-CODE-77' }),
      await createCoupon(test.ctx, newcomer, { code: 'THEIR-CODE-78' }),
    ];
    await createCoupon(test.ctx, other, { code: 'THEIR-CODE-78' });
    await setConfirmed(newcomer, true);
    expect((await listed()).filter((id: number) => twins.some((twin) => twin.id === id))).toEqual([
      twins[0]?.id,
    ]);
  });
});
