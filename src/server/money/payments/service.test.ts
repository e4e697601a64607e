import { describe, expect, it, vi } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { deleteAccount } from '#server/oversight/moderation/leaving.ts';
import { setUserStatus } from '#server/oversight/moderation/status.ts';
import { actingAs, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import { CARDS, paymentOf, setUpRefusingMarket, totalsOfBid } from '#tests/support/payments.ts';
import { settling } from '#tests/support/settling.ts';
import * as service from './service.ts';

/** What other rooms ask of payments; the files of each part have their own tests. */

const { market, refuse } = setUpRefusingMarket();
const staff = setUpStaff(market);
const { paidUnheard } = settling(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);

/** A confirmed sale whose payout Stripe has refused. */
async function unpaidOut() {
  const bid = await market.paidBid();
  const { id } = await paymentOf(market.ctx, bid);
  await inTransaction(market.ctx.db, async (trx) => {
    const locked = await service.lockPaymentWithDeal(trx, id);
    await service.follow(trx, market.ctx, locked, { what: 'final', notice: 'confirmed' }, market.ctx.clock());
  });
  refuse(/^POST \/v1\/transfers/);
  expect(await service.attemptOperation(market.ctx, id, 'payout')).toBe(false);
  refuse(null);
  return { bid, id };
}

describe('a payment', () => {
  it('is found by its bid, the latest alone, and by its parties', async () => {
    const bid = await market.acceptedBid();
    expect(await service.findPaymentOfBid(market.ctx.db, bid.id)).toBeNull();
    await market.intentOf(bid);
    await market.orderOf(bid);
    const found = await service.listPaymentsOfBids(market.ctx.db, [bid.id]);
    expect(found).toMatchObject([{ provider: 'paypal', status: 'open', bidId: bid.id }]);
    expect(await service.findPaymentOfBid(market.ctx.db, bid.id)).toEqual(found[0]);
    for (const party of [bid.buyer, bid.seller])
      expect(await service.findPaymentOfParty(as(party), bid.id)).toEqual(found[0]);
    const stranger = as(await createUser(market.ctx));
    await expect(service.findPaymentOfParty(stranger, bid.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('whose success nobody has heard of is settled when it is asked about again', async () => {
    const bid = await paidUnheard('stripe');
    const { id } = await paymentOf(market.ctx, bid);
    await service.retryPayment(market.ctx, id);
    expect(await market.statusOf(bid)).toBe('held');
    await expect(service.retryPayment(market.ctx, 0)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is settled by an event that is processed again', async () => {
    const bid = await market.acceptedBid();
    const { clientSecret } = await market.intentOf(bid);
    await market.deliverAll();
    await market.stripe.confirmWithCard(clientSecret, CARDS.good);
    refuse(/^GET \/v1\/payment_intents/);
    await market.deliverAll();
    refuse(null);
    expect(await market.statusOf(bid)).toBe('open');
    const { eventId } = await market.ctx.db
      .selectFrom('webhookEvents')
      .select('eventId')
      .where('processedAt', 'is', null)
      .executeTakeFirstOrThrow();
    await service.retryEvent(market.ctx, 'stripe', eventId);
    expect(await market.statusOf(bid)).toBe('held');
  });
});

describe('a payout', () => {
  it('that has failed is made when somebody has it tried again', async () => {
    const { bid, id } = await unpaidOut();
    await service.retryOperation(market.ctx, id, 'review');
    expect(await market.statusOf(bid)).toBe('releasing');
    await service.retryOperation(market.ctx, id, 'payout');
    expect(await market.statusOf(bid)).toBe('completed');
  });

  it('says why it waits, and is made when its seller is asked about again', async () => {
    const { bid, id } = await unpaidOut();
    const change = { id: bid.seller.id, reason: 'We look into it.' };
    await setUserStatus(as(staff.admin), { ...change, status: 'suspended' });
    await market.passDays(1);
    expect([...(await service.listWaits(market.ctx.db, [id, 0]))]).toEqual([[id, 'seller_suspended']]);
    await setUserStatus(as(staff.admin), { ...change, status: 'active' });
    await service.retryPayoutsOf(market.ctx, bid.seller.id, 'paypal');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ transferred: 0 });
    await service.retryPayoutsOf(market.ctx, bid.seller.id, 'stripe');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ transferred: 950 });
    expect([...(await service.listWaits(market.ctx.db, [id]))]).toEqual([]);
  });
});

describe('the work that needs no user', () => {
  it('has a worker for each provider and operation', () => {
    expect(Object.keys(service.PAYMENT_WORKERS).sort()).toEqual([
      'captures-paypal',
      'events-paypal',
      'events-stripe',
      'leg-prices',
      'payments-paypal',
      'payments-stripe',
      'payouts-paypal',
      'payouts-stripe',
      'refunds-paypal',
      'refunds-stripe',
      'reversals-stripe',
      'unpaid-bids-paypal',
      'unpaid-bids-stripe',
    ]);
  });

  it('goes on after a failure, which is logged, and counts what it has moved', async () => {
    const log = { ...market.ctx.log, warn: vi.fn(), error: vi.fn() };
    const ctx = Object.assign(Object.create(market.ctx), { log });
    const moved = await service.countInWorkers(ctx, 'bidId', [1, 2, 3, 4, 5, 6], async (id) => {
      if (id === 2) throw new Error('It is odd');
      return id !== 3;
    });
    expect(moved).toBe(4);
    expect(log.error.mock.calls).toMatchObject([[{ bidId: 2 }, expect.any(String)]]);
    expect(log.warn).not.toHaveBeenCalled();
  });
});

describe('the card of somebody who has left', () => {
  it('is deleted as soon as the provider answers, and those of others stay', async () => {
    const [left, stays] = [await market.acceptedBid(), await market.acceptedBid()];
    for (const { id, buyer } of [left, stays]) {
      const { clientSecret } = await service.createPaymentIntent(as(buyer), { bidId: id, keepCard: true });
      await market.stripe.confirmWithCard(clientSecret, CARDS.good);
      await service.refreshPayment(as(buyer), id);
    }
    await market.passDays(4);
    refuse(/^POST \/v1\/payment_methods/);
    await deleteAccount(as(left.buyer), { confirmPassword: TEST_PASSWORD });
    refuse(null);
    expect(await service.deleteCardsOfLeavers(market.ctx, stays.buyer.id)).toBe(0);
    expect(await service.deleteCardsOfLeavers(market.ctx)).toBe(1);
    const kept = await market.ctx.db.selectFrom('paymentMethods').select('userId').execute();
    expect(kept).toEqual([{ userId: stays.buyer.id }]);
  });
});
