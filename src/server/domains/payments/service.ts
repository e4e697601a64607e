import { DEADLINE_DAYS } from '#contract/deals.ts';
import { FEE_PERCENT, feesOf } from '#contract/fees.ts';
import { centsToDecimal } from '#contract/money.ts';
import { paths } from '#contract/pages.ts';
import type { Checkout, PaymentClient, PayWithCard, Protection } from '#contract/payments.ts';
import { PAYMENT_PROVIDERS, type PaymentProviderName } from '#contract/sellers.ts';
import { TEXTS } from '#contract/texts.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import {
  type PaymentProvider,
  type PaymentState,
  ProviderRefusal,
  ProviderUnreachable,
} from '#server/providers/payments.ts';
import { findPayableBid, lockPayableBid, type PayableBid } from '../bids/service.ts';
import type { Context, MemberContext } from '../context.ts';
import { lockCoupons } from '../deals/service.ts';
import { readyAccounts, tellSellerToSetUp } from '../sellers/service.ts';
import { customerOf, ownCard } from './cards.ts';
import { findClaimOf } from './claims-store.ts';
import { orRefusal, unavailable } from './refusals.ts';
import { isGivenUp, isPayable, isUnsettled, nextTry } from './rules.ts';
import { settle, settleFromProvider } from './settlement.ts';
import * as store from './store.ts';
import { toProtection } from './view.ts';

/** Every look at the provider costs it something: a person who reloads does not need more. */
const LOOKS_PER_PERSON: RateLimit = { name: 'payment-looks', points: 120, seconds: 600 };

/** What the browser needs to load the providers' scripts. */
export function paymentClient(ctx: Context): PaymentClient {
  return ctx.providers.paymentClient;
}

/**
 * What the buyer is about to pay, and through whom.
 * @throws AppError not_found, forbidden (somebody else's bid), bid_not_accepted, deal_changed (the time to pay is
 *   over), seller_not_ready (who is told), payments_unavailable
 */
export async function checkout(ctx: MemberContext, bidId: number): Promise<Checkout> {
  const bid = await findOwnBid(ctx, bidId);
  const accounts = await payableAccounts(ctx, bid);
  const { amount, buyerFee, buyerTotal } = feesOf(bid.amount);
  return {
    bidId,
    amount: centsToDecimal(amount),
    buyerFee: centsToDecimal(buyerFee),
    buyerTotal: centsToDecimal(buyerTotal),
    providers: PAYMENT_PROVIDERS.filter((name) => accounts.has(name)),
  };
}

/** A bid that the caller may pay now. */
async function findOwnBid(ctx: MemberContext, bidId: number): Promise<PayableBid> {
  const bid = await findPayableBid(ctx.db, bidId);
  if (!bid) throw notFound('Bid');
  checkPayable(ctx, bid);
  return bid;
}

function checkPayable(ctx: MemberContext, bid: PayableBid): void {
  if (bid.bidderId !== ctx.actor.id) throw new AppError('forbidden', TEXTS.checkout.notYours);
  if (bid.status === 'completed') throw new AppError('deal_changed', 'This bid has been paid already.');
  if (bid.status !== 'accepted' || !bid.acceptedAt) {
    throw new AppError('bid_not_accepted', TEXTS.checkout.notAccepted);
  }
  if (addDays(bid.acceptedAt, DEADLINE_DAYS.bidAccepted) <= ctx.clock()) {
    throw new AppError('deal_changed', 'The time to pay for this bid is over.');
  }
  if (bid.couponExpiryDate !== null && bid.couponExpiryDate < utcDay(ctx.clock())) {
    throw new AppError('coupon_unavailable', `“${bid.couponTitle}” has expired`);
  }
}

/** The seller's ready accounts with the providers that this installation has. */
async function payableAccounts(
  ctx: MemberContext,
  bid: PayableBid,
): Promise<Map<PaymentProviderName, string>> {
  const { payments } = ctx.providers;
  if (!payments.stripe && !payments.paypal) throw unavailable();
  const ready = await readyAccounts(ctx.db, bid.ownerId);
  const usable = new Map([...ready].filter(([name]) => payments[name] !== null));
  if (usable.size === 0) {
    const told = { sellerId: bid.ownerId, bidId: bid.id, buyerUsername: bid.bidderUsername, at: ctx.clock() };
    await inTransaction(ctx.db, (trx) => tellSellerToSetUp(trx, { ...told, couponTitle: bid.couponTitle }));
    throw new AppError('seller_not_ready', `${TEXTS.checkout.sellerMustComplete}.`);
  }
  return usable;
}

interface Opened {
  readonly payment: store.Payment;
  readonly state: PaymentState;
  readonly provider: PaymentProvider;
}

/** Often enough for a payment that is given up, and one that turns out to have been given up, in between. */
const OPEN_TRIES = 3;

/**
 * The bid's one open payment with a provider, made where there is none: written down first, then made at the
 * provider, then its id written down. One with the other provider, or for another account, is given up first.
 */
async function openPayment(ctx: MemberContext, bidId: number, name: PaymentProviderName): Promise<Opened> {
  await enforceLimit(ctx.limiter, LOOKS_PER_PERSON, String(ctx.actor.id));
  const bid = await findOwnBid(ctx, bidId);
  const receiverAccount = (await payableAccounts(ctx, bid)).get(name);
  const provider = ctx.providers.payments[name];
  if (receiverAccount === undefined || !provider) {
    throw new AppError('seller_not_ready', `${TEXTS.checkout.sellerMustComplete}.`);
  }
  for (let attempt = 1; attempt <= OPEN_TRIES; attempt += 1) {
    const { payment, isSame } = await findOrInsert(ctx, bid, name, receiverAccount);
    if (!isSame) {
      await giveUp(ctx, payment);
      continue;
    }
    const state = await orRefusal(ensureAtProvider(provider, payment, bid));
    await settle(ctx, payment.id, state);
    const current = await store.findPayment(ctx.db, payment.id);
    if (current && isPayable(current.status) && current.ref === state.ref)
      return { payment: current, state, provider };
    if (current && !isPayable(current.status) && !isGivenUp(current.status)) throw alreadyPaid();
  }
  throw new AppError('payment_changed', 'This payment has just changed. Please try again.');
}

function alreadyPaid(): AppError {
  return new AppError('payment_changed', 'This bid is being paid already. Look at it again in a moment.');
}

/** The live payment of a bid, or a new one. `isSame`: with this provider and for this account. */
async function findOrInsert(
  ctx: MemberContext,
  bid: PayableBid,
  provider: PaymentProviderName,
  receiverAccount: string,
): Promise<{ payment: store.Payment; isSame: boolean }> {
  try {
    return await inTransaction(ctx.db, async (trx) => {
      await lockCoupons(trx, [bid.couponId]);
      checkPayable(ctx, await lockPayableBid(trx, bid.id));
      const latest = await store.findPaymentOfBid(trx, bid.id);
      if (latest && isUnsettled(latest.status)) {
        if (!isPayable(latest.status)) throw alreadyPaid();
        const isSame = latest.provider === provider && latest.receiverAccount === receiverAccount;
        return { payment: latest, isSame };
      }
      return { payment: await insert(trx, ctx, bid, provider, receiverAccount), isSame: true };
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'payments_one_live')) throw error;
    throw alreadyPaid();
  }
}

async function insert(
  trx: Trx,
  ctx: Context,
  bid: PayableBid,
  provider: PaymentProviderName,
  receiverAccount: string,
): Promise<store.Payment> {
  const { amount, buyerFee, sellerFee, platformFee, netAmount } = feesOf(bid.amount);
  const at = ctx.clock();
  return store.insertPayment(trx, {
    bidId: bid.id,
    senderId: bid.bidderId,
    receiverId: bid.ownerId,
    provider,
    receiverAccount,
    feePercent: FEE_PERCENT,
    amount,
    buyerFee,
    sellerFee,
    platformFee,
    netAmount,
    at,
    nextTryAt: nextTry(2, at),
  });
}

/** The payment as the provider has it, made there if its id is not known yet: under the same key always. */
export async function ensureAtProvider(
  provider: PaymentProvider,
  payment: store.Payment,
  bid: PayableBid,
): Promise<PaymentState> {
  const known = payment.ref === null ? null : await provider.readPayment(payment.ref);
  if (known) return known;
  return provider.createPayment({
    paymentId: payment.id,
    bidId: bid.id,
    amount: payment.buyerTotal,
    platformFee: payment.platformFee,
    currency: 'CAD',
    receiver: payment.receiverAccount,
    description: `ClipSwap: ${bid.couponTitle} (${bid.merchant})`,
    idempotencyKey: `clipswap-payment-${payment.id}-create`,
  });
}

/**
 * Makes sure that a payment which waits for the buyer is never paid any more. What has been paid meanwhile is
 * settled as it is.
 * @throws AppError payments_unavailable while the provider cannot be asked
 */
export async function giveUp(ctx: Context, payment: store.Payment): Promise<void> {
  const provider = ctx.providers.payments[payment.provider];
  if (payment.ref === null || !provider) {
    // Nobody has ever been given its secret: it cannot be paid.
    await inTransaction(ctx.db, async (trx) => {
      const current = await store.lockPayment(trx, payment.id);
      if (current.ref !== null || !isPayable(current.status)) return;
      const at = ctx.clock();
      await store.updatePayment(trx, current, { status: 'cancelled', endedAt: at, nextTryAt: null }, at);
    });
    return;
  }
  const key = `clipswap-payment-${payment.id}-cancel`;
  await settle(ctx, payment.id, await orRefusal(provider.cancelPayment(payment.ref, key)), isStillWaiting);
}

/**
 * PayPal cancels nothing: its order ends by our word alone, and not while the money is being taken. What is under way
 * is left to the provider's next word.
 */
function isStillWaiting({ status }: store.Payment, state: PaymentState): boolean {
  return isPayable(status) || state.status !== 'cancelled';
}

/**
 * The card payment of an accepted bid; the same again at a second call.
 * @throws AppError as `checkout`, payment_changed (being paid, or paid), payments_unavailable, rate_limited
 */
export async function createPaymentIntent(
  ctx: MemberContext,
  { bidId, keepCard }: { bidId: number; keepCard: boolean },
): Promise<{ paymentId: number; clientSecret: string }> {
  const { payment, state, provider } = await openPayment(ctx, bidId, 'stripe');
  if (provider.cards) {
    const customer = keepCard ? await orRefusal(customerOf(ctx, provider)) : null;
    await orRefusal(provider.cards.keepCard(state.ref, customer));
  }
  return { paymentId: payment.id, clientSecret: secretOf(state) };
}

function secretOf({ clientSecret }: PaymentState): string {
  if (clientSecret === null) throw new Error('A card payment has a client secret');
  return clientSecret;
}

/**
 * Pays with a card that was kept. Where the bank wants the buyer's word first, the browser asks for it.
 * @throws AppError as `createPaymentIntent`, not_found (no such card), payment_declined
 */
export async function payWithCard(
  ctx: MemberContext,
  { bidId, paymentMethodId }: { bidId: number; paymentMethodId: number },
): Promise<PayWithCard> {
  const { payment, state, provider } = await openPayment(ctx, bidId, 'stripe');
  if (!provider.cards) throw unavailable();
  const card = await ownCard(ctx, paymentMethodId);
  const paid = await orRefusal(
    provider.cards.payWithCard({
      ref: state.ref,
      token: card.tokenizedDetails,
      customerRef: await customerOf(ctx, provider),
      returnUrl: ctx.config.publicUrl + paths.paymentResult(bidId),
      idempotencyKey: `clipswap-payment-${payment.id}-card-${card.id}-${ctx.clock().getTime()}`,
    }),
    'payment_declined',
  );
  await settle(ctx, payment.id, paid);
  const { status } = paid;
  if (status !== 'requires_action' && status !== 'processing' && status !== 'succeeded') {
    throw new AppError('payment_declined', paid.failureText ?? TEXTS.checkout.failedText);
  }
  return { paymentId: payment.id, clientSecret: secretOf(paid), status };
}

/** The PayPal order of an accepted bid; the same again at a second call. @throws AppError as `createPaymentIntent` */
export async function createPaypalOrder(
  ctx: MemberContext,
  bidId: number,
): Promise<{ paymentId: number; orderId: string }> {
  const { payment, state } = await openPayment(ctx, bidId, 'paypal');
  return { paymentId: payment.id, orderId: state.ref };
}

/**
 * Takes the money that the buyer has approved at PayPal. Marked as under way first, so that it cannot be given up in
 * the same moment.
 * @throws AppError as `checkout`, payment_changed (nothing to take), payment_declined, payments_unavailable
 */
export async function capturePaypalOrder(ctx: MemberContext, bidId: number): Promise<Protection> {
  const bid = await findOwnBid(ctx, bidId);
  const provider = ctx.providers.payments.paypal;
  if (!provider) throw unavailable();
  const payment = await inTransaction(ctx.db, async (trx) => {
    await lockCoupons(trx, [bid.couponId]);
    checkPayable(ctx, await lockPayableBid(trx, bidId));
    const latest = await store.findPaymentOfBid(trx, bidId);
    const locked = latest && (await store.lockPayment(trx, latest.id));
    if (locked?.provider !== 'paypal' || locked.status !== 'open') {
      throw new AppError('payment_changed', 'There is no PayPal payment of this bid to complete.');
    }
    const at = ctx.clock();
    await store.updatePayment(trx, locked, { status: 'processing', nextTryAt: nextTry(1, at) }, at);
    return locked;
  });
  // A key of its own for each try: an order is captured once, whatever the key, and a declined one may be approved anew.
  const key = `clipswap-payment-${payment.id}-capture-${ctx.clock().getTime()}`;
  try {
    const state = await provider.capturePayment(payment.ref ?? '', key);
    await settle(ctx, payment.id, state);
    if (state.status === 'open' || state.status === 'failed') {
      throw new AppError('payment_declined', state.failureText ?? TEXTS.checkout.failedText);
    }
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw unavailable(error);
    if (!(error instanceof ProviderRefusal)) throw error;
    // Nothing was taken: the order waits for the buyer again, or cannot be paid any more.
    await orRefusal(settleFromProvider(ctx, payment));
    throw new AppError('payment_declined', TEXTS.checkout.failedText, { cause: error });
  }
  return protectionOf(ctx, bidId);
}

/**
 * Asks the provider how a bid's payment stands and settles it, so that nobody has to wait for a webhook.
 * @throws AppError not_found (strangers too, or no payment), payments_unavailable, rate_limited
 */
export async function refreshPayment(ctx: MemberContext, bidId: number): Promise<Protection> {
  await enforceLimit(ctx.limiter, LOOKS_PER_PERSON, String(ctx.actor.id));
  const payment = await findPaymentOfParty(ctx, bidId);
  await orRefusal(settleFromProvider(ctx, payment));
  return protectionOf(ctx, bidId);
}

/** The payment that counts of a bid of the caller's, on either side. @throws AppError not_found, to strangers too */
export async function findPaymentOfParty(ctx: MemberContext, bidId: number): Promise<store.Payment> {
  const payment = await store.findPaymentOfBid(ctx.db, bidId);
  if (!payment || ![payment.senderId, payment.receiverId].includes(ctx.actor.id)) throw notFound('Payment');
  return payment;
}

/** How a bid's payment stands, for one of its parties. @throws AppError not_found for anybody else */
export async function protectionOf(ctx: MemberContext, bidId: number): Promise<Protection> {
  const payment = await findPaymentOfParty(ctx, bidId);
  return toProtection(payment, await findClaimOf(ctx.db, payment.id), ctx.actor.id);
}
