import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { proposeExchange } from '#server/deals/exchanges/proposing.ts';
import { exchangeById } from '#server/deals/exchanges/service.ts';
import { actingAs, createCoupon, createUser, type TestCoupon } from '#tests/support/builders.ts';
import { move, noticesOf, propose } from '#tests/support/exchanges.ts';
import { agreeToPrices } from '#tests/support/leg-prices.ts';
import { type AcceptedBid, bidStatusOf, couponOf, paymentsOf, setUpMarket } from '#tests/support/payments.ts';
import { json, MERCHANT, type SandboxVoucher, setUpOwnAccount } from '#tests/support/voucher-sandbox.ts';

/** Codes are asked for again in the step that completes a deal (decisions 3.17). */

const { vouchers, sandbox, validators } = setUpOwnAccount();
const market = setUpMarket({ providers: { validators } });

const GOOD: SandboxVoucher = { discount: { type: 'AMOUNT', amount_off: 500 } };
const USED: SandboxVoucher = { error: 'quantity_exceeded' };
const down = json({ message: 'down' }, 503);

let counter = 0;
async function atMerchant(owner: Actor): Promise<TestCoupon & { code: string }> {
  counter += 1;
  const code = `DONE-${counter}-KQZ`;
  vouchers[code] = GOOD;
  return { ...(await createCoupon(market.ctx, owner, { merchant: MERCHANT, code })), code };
}

async function swap() {
  const [requester, owner] = [await createUser(market.ctx), await createUser(market.ctx)];
  const offered = await atMerchant(requester);
  const requested = await atMerchant(owner);
  const { id } = await propose(market.ctx, requester, { offered, requested });
  await move(market.ctx, owner, id, 'accepted');
  return { id, requester, owner, offered, requested };
}

const complete = (who: Actor, id: number, more: object = {}) =>
  market.call(who, {
    method: 'PATCH',
    url: `/api/exchanges/${id}/status`,
    body: { status: 'completed', ...more },
  });

const statusOf = async (id: number) =>
  market.ctx.db
    .selectFrom('exchanges')
    .select(['status', 'reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const listed = async ({ id }: TestCoupon) =>
  market.ctx.db
    .selectFrom('coupons')
    .select(['isActive', 'isVerified', 'ownerId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

describe('a swap', () => {
  it('is completed after both codes were asked for again', async () => {
    const { id, requester } = await swap();
    const answer = await complete(requester, id);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(sandbox.asked.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  it('is stopped by a “no”, which says whose code it is but not the code, and takes the coupon off the lists', async () => {
    const { id, requester, owner, offered, requested } = await swap();
    vouchers[requested.code] = USED;
    const answer = await complete(requester, id);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'code_refused']);
    expect(answer.json().error).toContain(`${owner.username}’s “${requested.title}”`);
    expect(answer.body).not.toContain(requested.code);
    expect(await statusOf(id)).toEqual({ status: 'cancelled', reason: 'code_refused' });
    expect(await listed(requested)).toMatchObject({ isActive: false, isVerified: false, ownerId: owner.id });
    expect(await listed(offered)).toMatchObject({ isActive: true, ownerId: requester.id });
    const last = async (who: Actor) => (await noticesOf(market.ctx, who)).at(-1)?.content;
    expect(await last(owner)).toContain(
      `the merchant says that the code of your “${requested.title}” does not work`,
    );
    expect(await last(requester)).toContain(
      `the merchant says that the code of ${owner.username}’s “${requested.title}” does not work`,
    );
  });

  it('with money is stopped before the payment by a “no” to any of its codes', async () => {
    const payee = await market.readySeller();
    const payer = await createUser(market.ctx);
    const [offered, requested] = [await atMerchant(payer), await atMerchant(payee)];
    const money = { payer: 'author', amount: '20.00' } as const;
    const sides = { offeredCouponId: offered.id, requestedCouponId: requested.id };
    const { id } = await proposeExchange(actingAs(market.ctx, payer), { ...sides, money, message: null });
    await agreeToPrices(market, id, [payer, payee]);
    const { legs } = await exchangeById(actingAs(market.ctx, payer), id);
    const bidId = legs.find(({ price }) => price !== null)?.price?.bidId;
    vouchers[offered.code] = USED;
    const answer = await market.call(payer, {
      method: 'POST',
      url: '/api/connect/create-payment-intent',
      body: { bidId },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'code_refused']);
    expect(answer.body).not.toContain(offered.code);
    expect(await statusOf(id)).toEqual({ status: 'cancelled', reason: 'code_refused' });
    expect(await listed(requested)).toMatchObject({ isActive: true, ownerId: payee.id });
  });

  it('goes on without the check only for who says that they know', async () => {
    const { id, requester } = await swap();
    sandbox.answer(down);
    const answer = await complete(requester, id);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'code_unchecked']);
    expect(await statusOf(id)).toMatchObject({ status: 'accepted' });
    expect((await complete(requester, id, { acknowledgeUnchecked: true })).statusCode).toBe(200);
  });

  it('asks for nobody who could not complete it', async () => {
    const { id } = await swap();
    expect((await complete(await createUser(market.ctx), id)).statusCode).toBe(404);
    expect(sandbox.asked).toEqual([]);
  });
});

describe('a sale', () => {
  async function sold(): Promise<AcceptedBid & { code: string }> {
    const bid = await market.acceptedBid();
    const code = bid.coupon.code ?? '';
    await market.ctx.db
      .updateTable('coupons')
      .set({ merchant: MERCHANT })
      .where('id', '=', bid.coupon.id)
      .execute();
    vouchers[code] = GOOD;
    return { ...bid, code };
  }
  const pay = (bid: AcceptedBid, more: object = {}) =>
    market.call(bid.buyer, {
      method: 'POST',
      url: '/api/connect/create-payment-intent',
      body: { bidId: bid.id, ...more },
    });

  it('with a refused code charges nobody, ends the bid and takes the coupon off the lists', async () => {
    const bid = await sold();
    vouchers[bid.code] = USED;
    const answer = await pay(bid);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'code_refused']);
    expect(await paymentsOf(market.ctx, bid)).toEqual([]);
    expect(await bidStatusOf(market.ctx, bid)).toBe('cancelled');
    expect(await couponOf(market.ctx, bid)).toEqual({
      ownerId: bid.seller.id,
      isActive: false,
      heldBy: null,
    });
  });

  it('is paid knowingly when the account is not reached', async () => {
    const bid = await sold();
    sandbox.answer(down);
    expect((await pay(bid)).json()).toMatchObject({ code: 'code_unchecked' });
    expect((await pay(bid, { acknowledgeUnchecked: true })).statusCode).toBe(200);
  });

  it('by PayPal is asked about again before the money is taken', async () => {
    const bid = await sold();
    const { orderId } = await market.orderOf(bid);
    await market.paypal.approveOrder(orderId);
    vouchers[bid.code] = USED;
    const answer = await market.call(bid.buyer, {
      method: 'POST',
      url: '/api/paypal/capture-order',
      body: { bidId: bid.id },
    });
    expect(answer.json()).toMatchObject({ code: 'code_refused' });
    await market.passDays(0.1);
    expect(await market.statusOf(bid)).toBe('cancelled');
    expect(await bidStatusOf(market.ctx, bid)).toBe('cancelled');
  });

  it('whose money came all the same is refunded', async () => {
    const bid = await sold();
    const { clientSecret } = await market.intentOf(bid);
    vouchers[bid.code] = USED;
    expect((await pay(bid)).json()).toMatchObject({ code: 'code_refused' });
    await market.stripe.confirmWithCard(clientSecret, '4242424242424242');
    await market.deliverAll();
    await market.passDays(0.1);
    expect(await market.statusOf(bid)).toBe('refunded');
  });
});
