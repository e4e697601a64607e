import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { PaymentState } from '#server/providers/payments.ts';
import { type AcceptedBid, bookedOf, CARDS, type Market, paymentOf } from './payments.ts';

/** What tests of settlements ask the providers and the ledger of a market. */
export function settling(market: Market) {
  function providerOf(name: PaymentProviderName) {
    const provider = market.ctx.providers.payments[name];
    if (!provider) throw new Error(`There is no ${name}`);
    return provider;
  }

  /** Our ids, the intent's or order's id, and the seller's account. */
  async function refsOf(bid: AcceptedBid) {
    const payment = await paymentOf(market.ctx, bid);
    return {
      id: payment.id,
      publicId: payment.publicId,
      ref: payment.stripePaymentIntentId ?? payment.paypalOrderId ?? '',
      receiver: payment.receiverAccount,
    };
  }

  /** The id of the intent or order. */
  const refOf = async (bid: AcceptedBid) => (await refsOf(bid)).ref;

  /** The operations that were given up, so that a person decides. */
  async function forPerson(bid: AcceptedBid) {
    const { id } = await refsOf(bid);
    return market.ctx.db
      .selectFrom('providerOperations')
      .select(['kind', 'lastError', 'givenUpAt'])
      .where('paymentId', '=', id)
      .where('givenUpAt', 'is not', null)
      .orderBy('givenUpAt')
      .execute();
  }

  async function stateOf(bid: AcceptedBid, by: PaymentProviderName): Promise<PaymentState> {
    const state = await providerOf(by).readPayment((await refsOf(bid)).ref);
    if (!state) throw new Error('The provider knows of no such payment');
    return state;
  }

  /** A bid that is paid at the provider, of which no event has come. */
  async function paidUnheard(by: PaymentProviderName): Promise<AcceptedBid> {
    const bid = await market.acceptedBid();
    if (by === 'stripe') {
      const intent = await market.intentOf(bid);
      await market.stripe.confirmWithCard(intent.clientSecret, CARDS.good);
    } else {
      const { orderId: ref } = await market.orderOf(bid);
      await market.paypal.approveOrder(ref);
      const key = { receiver: 'MERCHANT', idempotencyKey: `captured-${bid.id}` };
      await providerOf(by).capturePayment({ ref, ...key });
    }
    return bid;
  }

  /** The balances of a bid's journals, by account. */
  async function balancesOf(bid: AcceptedBid): Promise<Record<string, number>> {
    const sums: Record<string, number> = {};
    for (const { account, amount } of await bookedOf(market.ctx, bid)) {
      sums[account] = (sums[account] ?? 0) + Math.round(Number(amount) * 100);
    }
    return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0));
  }

  return { providerOf, refsOf, refOf, forPerson, stateOf, paidUnheard, balancesOf };
}
