import { describe, expect, it } from 'vitest';
import { utcDay } from '#server/core/clock.ts';
import { inTransaction } from '#server/database/client.ts';
import { lockPayableBid, setPricePaidAt } from '#server/deals/bids/service.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { createDeal, ringPeople, twoPeople } from '#tests/support/exchanges.ts';
import { proposeExchange } from './proposing.ts';
import {
  addRing,
  addSwap,
  admitProposal,
  completePaidExchange,
  exchangeById,
  exchangesByIds,
  setExchangeStatus,
} from './service.ts';

/** What payments, matches and lists ask of exchanges. There are no payments here: the prices count as paid. */

const ctx = setUpContext();

/** An accepted swap for which its requester pays 20 dollars besides. */
async function pricedSwap(columns = {}) {
  const people = await twoPeople(ctx, columns);
  const { requester, owner, offered, requested } = people;
  const { id, legs } = await proposeExchange(actingAs(ctx, requester), {
    ...{ offeredCouponId: offered.id, requestedCouponId: requested.id, message: null },
    money: { payer: 'author', amount: '20.00' },
  });
  const prices = legs.flatMap(({ coupon, price }) =>
    price ? [{ couponId: coupon.id, amount: price.amount }] : [],
  );
  const accepted = await setExchangeStatus(actingAs(ctx, owner), { id, status: 'accepted', prices });
  const bidId = accepted.legs.find(({ price }) => price)?.price?.bidId ?? 0;
  const pay = (isPaid = true) =>
    inTransaction(ctx.db, async (trx) => {
      const at = ctx.clock();
      await lockPayableBid(trx, bidId);
      if (isPaid) await setPricePaidAt(trx, bidId, at, at);
      return completePaidExchange(trx, ctx, id, at);
    });
  return { ...people, id, pay };
}

describe('an exchange with a price', () => {
  it('is completed by the last payment, once', async () => {
    const { id, requester, owner, pay } = await pricedSwap();
    expect(await pay(false)).toBe(false);
    expect(await exchangeById(actingAs(ctx, owner), id)).toMatchObject({ status: 'accepted' });
    expect(await pay()).toBe(true);
    const completed = await exchangeById(actingAs(ctx, owner), id);
    expect(completed).toMatchObject({ status: 'completed', endedById: null });
    expect(completed.legs.map(({ coupon }) => coupon.ownerId)).toEqual([requester.id, owner.id]);
    expect(await pay(false)).toBe(false);
  });

  it('ends instead if a coupon has expired', async () => {
    const { id, owner, pay } = await pricedSwap({ expiryDate: utcDay(ctx.clock()) });
    ctx.clock.advanceDays(1);
    expect(await pay()).toBe(false);
    const ended = { status: 'cancelled', reason: 'coupon_expired' };
    expect(await exchangeById(actingAs(ctx, owner), id)).toMatchObject(ended);
  });
});

describe('a proposal from a match', () => {
  it('is made in the transaction of whoever accepts the match', async () => {
    const { requester, offered, requested } = await twoPeople(ctx);
    const input = { offeredCouponId: offered.id, requestedCouponId: requested.id, message: null };
    const { author, legs } = await ringPeople(ctx);
    const [swap, ring] = await inTransaction(ctx.db, async (trx) => [
      await addSwap(trx, actingAs(ctx, requester), input),
      await addRing(trx, actingAs(ctx, author.actor), { legs, message: null }),
    ]);
    expect([swap, ring]).toMatchObject([
      { kind: 'swap', status: 'pending' },
      { kind: 'ring', status: 'pending' },
    ]);
  });

  it('needs a confirmed address', async () => {
    const person = await createUser(ctx, { emailVerifiedAt: null });
    await expect(admitProposal(actingAs(ctx, { ...person, isConfirmed: false }))).rejects.toMatchObject({
      code: 'address_unconfirmed',
    });
  });
});

it('exchanges are listed for their parties alone', async () => {
  const { id, owner } = await createDeal(ctx);
  expect(await exchangesByIds(actingAs(ctx, owner), [id])).toMatchObject([{ id }]);
  const stranger = actingAs(ctx, await createUser(ctx));
  await expect(exchangesByIds(stranger, [id])).rejects.toMatchObject({ code: 'not_found' });
});
