import { t } from '@lingui/core/macro';
import { marketName } from '#contract/base/market.ts';
import { baseCurrency } from '#contract/base/money.ts';
import { withoutLinks } from '#contract/base/one-line.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { quote } from '#contract/base/words.ts';
import { feesOf } from '#contract/money/fees.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { uuidv7 } from '#server/core/uuid.ts';
import { inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import {
  findPayableBid,
  lockPayableBid,
  type PayableBid,
  takeAskingTurn,
} from '#server/deals/bids/service.ts';
import { askSellerToSetUp, paymentsUnavailable, readyAccounts } from '#server/people/sellers/service.ts';
import type { PaymentProvider, PaymentState } from '#server/providers/payments.ts';
import { checkCodeOfSale } from './capturing.ts';
import { isGivenUp, isPayable, isUnsettled, nextTry } from './rules.ts';
import { settle, translateErrors } from './settlement.ts';
import * as store from './store.ts';

/** Limits provider requests by people who reload. */
export const LOOKS_PER_PERSON: RateLimit = { name: 'payment-looks', points: 120, seconds: 600 };

export async function findOwnBid(ctx: MemberContext, bidId: number): Promise<PayableBid> {
  const bid = await findPayableBid(ctx.db, bidId);
  if (!bid) throw notFound(t`Bid not found`);
  checkPayable(ctx, bid);
  return bid;
}

function checkPayable(ctx: MemberContext, bid: PayableBid): void {
  if (bid.bidderId !== ctx.actor.id) throw new AppError('forbidden', TEXTS.checkout.notYours());
  if (bid.status === 'completed') throw new AppError('deal_changed', t`This bid is already paid.`);
  if (bid.status !== 'accepted' || !bid.deadlineAt) {
    throw new AppError('bid_not_accepted', TEXTS.checkout.notAccepted());
  }
  if (bid.pricePaidAt !== null) throw new AppError('deal_changed', t`You have already paid this.`);
  if (bid.deadlineAt <= ctx.clock()) {
    throw new AppError('deal_changed', t`The time to pay for this bid is over.`);
  }
  if (bid.couponExpiresAt !== null && bid.couponExpiresAt < ctx.clock()) {
    const text =
      bid.exchangeId === null
        ? t`${quote(bid.couponTitle)} has expired`
        : t`A coupon of this exchange has expired`;
    throw new AppError('coupon_unavailable', text);
  }
}

/**
 * The seller's ready accounts at the providers that are set up here.
 * @throws AppError seller_not_ready when there is none: the seller is told, at most once a day for each bid
 */
export async function payableAccounts(
  ctx: MemberContext,
  bid: PayableBid,
): Promise<Map<PaymentProviderName, string>> {
  const { payments } = ctx.providers;
  if (!payments.stripe && !payments.paypal) throw paymentsUnavailable();
  const ready = await readyAccounts(ctx.db, bid.ownerId);
  const usable = new Map([...ready].filter(([name]) => payments[name] !== null));
  if (usable.size === 0) {
    const at = ctx.clock();
    const told = { sellerId: bid.ownerId, bidId: bid.id, buyerUsername: bid.bidderUsername, at };
    await inTransaction(ctx.db, async (trx) => {
      if (await takeAskingTurn(trx, bid.id, at))
        await askSellerToSetUp(trx, { ...told, couponTitle: bid.couponTitle });
    });
    throw new AppError('seller_not_ready', `${TEXTS.checkout.sellerMustComplete()}.`);
  }
  return usable;
}

interface Opened {
  readonly payment: store.Payment;
  readonly state: PaymentState;
  readonly provider: PaymentProvider;
}

/** Enough to give up one payment and to find that another was already given up. */
const OPEN_TRIES = 3;

/**
 * Returns the bid's open payment at a provider, or creates it: first the row, then the provider's payment, then its id.
 * A payment at the other provider or for another account is given up first.
 */
export async function openPayment(
  ctx: MemberContext,
  bidId: number,
  name: PaymentProviderName,
  acknowledgeUnchecked = false,
): Promise<Opened> {
  await enforceLimit(ctx.limiter, LOOKS_PER_PERSON, String(ctx.actor.id));
  const bid = await findOwnBid(ctx, bidId);
  const receiverAccount = (await payableAccounts(ctx, bid)).get(name);
  const provider = ctx.providers.payments[name];
  if (receiverAccount === undefined || !provider) {
    throw new AppError('seller_not_ready', `${TEXTS.checkout.sellerMustComplete()}.`);
  }
  await checkCodeOfSale(ctx, bid, acknowledgeUnchecked);
  for (let attempt = 1; attempt <= OPEN_TRIES; attempt += 1) {
    const { payment, isSame } = await findOrInsert(ctx, bid, name, receiverAccount);
    if (!isSame) {
      await giveUp(ctx, payment);
      continue;
    }
    const state = await translateErrors(ensureAtProvider(provider, payment, bid));
    await settle(ctx, payment.id, state);
    const current = await store.findPayment(ctx.db, payment.id);
    if (current && isPayable(current.status) && current.ref === state.ref)
      return { payment: current, state, provider };
    if (current && !isPayable(current.status) && !isGivenUp(current.status)) throw alreadyPaid();
  }
  throw new AppError('payment_changed', t`This payment has just changed. Please try again.`);
}

function alreadyPaid(): AppError {
  return new AppError('payment_changed', t`This bid is already being paid. Check it again in a moment.`);
}

/** How long a provider may take to answer before another window may give the payment up. */
const OPENING_MS = 60_000;

/** Whether another window waits for the provider's answer: that window wins. */
function isBeingOpened({ status, createdAt }: store.Payment, now: Date): boolean {
  return status === 'created' && now.getTime() - createdAt.getTime() < OPENING_MS;
}

function openedElsewhere(): AppError {
  const text = t`You are already paying for this bid in another window. Continue there, or try again in a minute.`;
  return new AppError('payment_changed', text);
}

/** The live payment of a bid, or a new one. `isSame`: at this provider and for this account. */
async function findOrInsert(
  ctx: MemberContext,
  bid: PayableBid,
  provider: PaymentProviderName,
  receiverAccount: string,
): Promise<{ payment: store.Payment; isSame: boolean }> {
  const found = inTransaction(ctx.db, async (trx) => {
    checkPayable(ctx, await lockPayableBid(trx, bid.id));
    const latest = await store.findPaymentOfBid(trx, bid.id);
    if (latest && isUnsettled(latest.status)) {
      if (!isPayable(latest.status)) throw alreadyPaid();
      const isSame = latest.provider === provider && latest.receiverAccount === receiverAccount;
      if (!isSame && isBeingOpened(latest, ctx.clock())) throw openedElsewhere();
      return { payment: latest, isSame };
    }
    return { payment: await insert(trx, ctx, bid, provider, receiverAccount), isSame: true };
  });
  return refuseDuplicate(found, 'payments_one_live', alreadyPaid);
}

async function insert(
  trx: Trx,
  ctx: Context,
  bid: PayableBid,
  provider: PaymentProviderName,
  receiverAccount: string,
): Promise<store.Payment> {
  const { amount, buyerFee, sellerFee, platformFee, netAmount } = feesOf(bid.amount, bid.feeRates);
  const at = ctx.clock();
  return store.insertPayment(trx, {
    publicId: uuidv7(at),
    bidId: bid.id,
    senderId: bid.bidderId,
    receiverId: bid.ownerId,
    provider,
    receiverAccount,
    amount,
    buyerFee,
    sellerFee,
    platformFee,
    netAmount,
    // Claims about exchanges end with their hold.
    guaranteeDays: bid.exchangeId === null ? Math.max(bid.guaranteeDays, ctx.config.guarantee.days) : 0,
    reservePercent: ctx.config.guarantee.reservePercent,
    at,
    nextTryAt: nextTry(2, at),
  });
}

/** The provider's payment, created if its id is unknown. The idempotency key is always the same. */
export async function ensureAtProvider(
  provider: PaymentProvider,
  payment: store.Payment,
  bid: PayableBid,
): Promise<PaymentState> {
  const known = payment.ref === null ? null : await provider.readPayment(payment.ref);
  if (known) return known;
  return provider.createPayment({
    publicId: payment.publicId,
    bidId: bid.id,
    amount: payment.buyerTotal,
    platformFee: payment.platformFee,
    currency: baseCurrency(),
    receiver: payment.receiverAccount,
    description: withoutLinks(`${marketName()}: ${quote(bid.couponTitle)} from ${quote(bid.merchant)}`),
    idempotencyKey: `${payment.publicId}-create`,
  });
}

/**
 * Cancels a payment that waits for the buyer, so that it cannot be paid any more. A payment made meanwhile is settled.
 * @throws AppError payments_unavailable when the provider does not answer
 */
export async function giveUp(ctx: Context, payment: store.Payment): Promise<void> {
  const provider = ctx.providers.payments[payment.provider];
  if (payment.ref === null || !provider) {
    // Nobody has its secret, so it cannot be paid.
    await inTransaction(ctx.db, async (trx) => {
      const current = await store.lockPayment(trx, payment.id);
      if (current.ref !== null || !isPayable(current.status)) return;
      const at = ctx.clock();
      await store.updatePayment(trx, current, { status: 'cancelled', endedAt: at, nextTryAt: null }, at);
    });
    return;
  }
  const key = `${payment.publicId}-cancel`;
  await settle(
    ctx,
    payment.id,
    await translateErrors(provider.cancelPayment(payment.ref, key)),
    isStillWaiting,
  );
}

/** PayPal cannot cancel orders, so an order ends here only, and not while it is being captured. */
function isStillWaiting({ status }: store.Payment, state: PaymentState): boolean {
  return isPayable(status) || state.status !== 'cancelled';
}
