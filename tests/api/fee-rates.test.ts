import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { centsToDecimal } from '#contract/base/money.ts';
import {
  DEFAULT_FEE_RATES,
  type FeeRates,
  feesOf,
  largestBid,
  MAX_FEE_BASIS_POINTS,
  maxFeeMinimum,
  smallestBid,
} from '#contract/money/fees.ts';
import type { Actor } from '#server/context/context.ts';
import { bidOn } from '#tests/support/bids.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { paymentOf, setUpMarket } from '#tests/support/payments.ts';
import { createRandom } from '#tests/support/random.ts';

const NOW: FeeRates = {
  buyer: { basisPoints: 400, minimum: 50 },
  seller: { basisPoints: 650, minimum: 0 },
};
const market = setUpMarket({ config: { feeRates: NOW } });
/** The time before the rates were changed. */
const contextBefore = () => ({
  ...market.ctx,
  config: { ...market.ctx.config, feeRates: DEFAULT_FEE_RATES },
});

const ratesSchema = z.object({ feeRates: z.unknown() });

/** The rates of a bid, as REST and tRPC answer. */
async function ratesAtBothDoors(who: Actor, id: number): Promise<unknown[]> {
  const rest = await market.call(who, { method: 'GET', url: `/api/bids/${id}` });
  const trpc = await market.trpc(who, 'query', 'bids.byId', { id });
  const fromTrpc = z.object({ result: z.object({ data: ratesSchema }) }).parse(trpc.json());
  return [ratesSchema.parse(rest.json()).feeRates, fromTrpc.result.data.feeRates];
}

describe('fees that the operator has set', () => {
  it('hold for a bid from its acceptance, in its checkout and its payment [spec/2 9.2]', async () => {
    const bid = await market.acceptedBid({ amount: 1_000 });
    expect(await ratesAtBothDoors(bid.buyer, bid.id)).toEqual([NOW, NOW]);
    const checkout = await market.call(bid.buyer, { method: 'GET', url: `/api/bids/${bid.id}/checkout` });
    expect(checkout.json()).toMatchObject({ amount: '10.00', buyerFee: '0.50', buyerTotal: '10.50' });
    await market.payByCard(bid);
    const amounts = { buyerFee: '0.50', sellerFee: '0.65', platformFee: '1.15', netAmount: '9.35' };
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ ...amounts, status: 'held' });
  });

  it('do not change a bid that was accepted before [spec/2 9.2]', async () => {
    const bid = await market.acceptedBid({ amount: 1_000, ctx: contextBefore() });
    expect(await ratesAtBothDoors(bid.seller, bid.id)).toEqual([DEFAULT_FEE_RATES, DEFAULT_FEE_RATES]);
    const checkout = await market.call(bid.buyer, { method: 'GET', url: `/api/bids/${bid.id}/checkout` });
    expect(checkout.json()).toMatchObject({ buyerFee: '0.50', buyerTotal: '10.50' });
    await market.payByPaypal(bid);
    const amounts = { buyerFee: '0.50', sellerFee: '0.50', platformFee: '1.00', netAmount: '9.50' };
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ ...amounts, status: 'held' });
  });

  it('are those of today while a bid is pending', async () => {
    const [buyer, seller] = [await createUser(market.ctx), await createUser(market.ctx)];
    const { id } = await bidOn(contextBefore(), buyer, await createCoupon(market.ctx, seller));
    expect(await ratesAtBothDoors(buyer, id)).toEqual([NOW, NOW]);
    const accept = { method: 'PUT', url: `/api/bids/${id}/status`, body: { status: 'accepted' } } as const;
    expect((await market.call(seller, accept)).json()).toMatchObject({ status: 'accepted', feeRates: NOW });
  });

  it('are what the admin page shows', async () => {
    const admin = await createUser(market.ctx, { role: 'admin' });
    const stats = await market.call(admin, { method: 'GET', url: '/api/admin/stats' });
    expect(stats.json()).toMatchObject({ feeRates: NOW });
  });
});

describe('the database', () => {
  it('refuses other rates or another amount for an accepted bid', async () => {
    const { id } = await market.acceptedBid();
    for (const change of [{ sellerFeePercent: '4.00' }, { buyerFeeMinimum: '0.10' }, { amount: '11.00' }]) {
      const changed = market.ctx.db.updateTable('bids').set(change).where('id', '=', id).execute();
      await expect(changed).rejects.toThrow('fees of an accepted bid cannot change');
    }
  });

  it('refuses a payment whose fees are not those of its bid', async () => {
    const bid = await market.acceptedBid({ amount: 2_000 });
    const insert = (buyerFee: string, sellerFee: string) =>
      sql`
        insert into payment_transactions (bid_id, sender_id, receiver_id, provider, receiver_account, amount,
          buyer_fee, seller_fee, platform_fee, net_amount, created_at, updated_at)
        values (${bid.id}, ${bid.buyer.id}, ${bid.seller.id}, 'stripe', 'acct_1', 20, ${buyerFee}, ${sellerFee},
          ${buyerFee}::numeric + ${sellerFee}::numeric, 20 - ${sellerFee}::numeric, now(), now())`.execute(
        market.ctx.db,
      );
    for (const [buyerFee, sellerFee] of [
      ['0.81', '1.30'],
      ['0.80', '1.29'],
    ] as const)
      await expect(insert(buyerFee, sellerFee)).rejects.toThrow('the fees of its bid');
    await insert('0.80', '1.30');
    await market.ctx.db.deleteFrom('paymentTransactions').where('bidId', '=', bid.id).execute();
  });

  it('computes the same fees as the program, to the cent', async () => {
    const random = createRandom(4_711);
    const given = Array.from({ length: 5_000 }, () => ({
      amount: smallestBid() + random(largestBid() - smallestBid() + 1),
      basisPoints: random(MAX_FEE_BASIS_POINTS + 1),
      minimum: random(maxFeeMinimum() + 1),
    }));
    const { rows } = await sql<{ fee: string }>`
      select fee_of(amount::numeric / 100, percent::numeric / 100, minimum::numeric / 100)::numeric(10, 2)::text as fee
      from rows from (unnest(${given.map(({ amount }) => amount)}::integer[]),
        unnest(${given.map(({ basisPoints }) => basisPoints)}::integer[]),
        unnest(${given.map(({ minimum }) => minimum)}::integer[])) as given (amount, percent, minimum)`.execute(
      market.ctx.db,
    );
    const expected = given.map(({ amount, ...rate }) =>
      centsToDecimal(feesOf(amount, { buyer: rate, seller: rate }).sellerFee),
    );
    expect(rows.map(({ fee }) => fee)).toEqual(expected);
  });
});
