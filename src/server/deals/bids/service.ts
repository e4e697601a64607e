import { t } from '@lingui/core/macro';
import { LIMITS } from '#contract/base/limits.ts';
import { baseCurrency, centsToDecimal, decimalToCents, formatMoney } from '#contract/base/money.ts';
import type { Page } from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { quote } from '#contract/base/words.ts';
import type {
  BuyInput,
  CounterBidInput,
  ListBidsInput,
  PlaceBidInput,
  SetBidStatusInput,
} from '#contract/deals/bids.ts';
import type { BidSide } from '#contract/deals/deals.ts';
import { eachRateText, feeRatesSchema } from '#contract/money/fees.ts';
import type { OwnLimits } from '#contract/people/settings.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import type { LockedCoupon } from '#server/coupons/core/reservations.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import { type Database, inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import { checkNotAway } from '#server/deals/away/service.ts';
import {
  acceptedDeal,
  changesOf,
  checkDealLimit,
  checkNotBanned,
  endDeals,
  findOfferable,
  refusalOf,
  saleObstacle,
  stateText,
  termsNow,
} from '#server/deals/lifecycle/service.ts';
import { checkConfirmed } from '#server/people/accounts/service.ts';
import { checkNotBlocked } from '#server/people/blocks/service.ts';
import { type ApplyContext, applyChanges } from './apply.ts';
import { type BidHappening, type BidNow, decide, termsOf } from './decide.ts';
import { decideSale } from './decide-sale.ts';
import * as prices from './leg-prices-store.ts';
import * as payable from './payable-store.ts';
import { atPaceOfPeople } from './program-pace.ts';
import { sideOf } from './rules.ts';
import * as store from './store.ts';
import { type PlainBid, toBid } from './view.ts';

export type { PayableBid } from './payable-store.ts';
export { feeRatesOf } from './store.ts';
export type { PlainBid } from './view.ts';

/**
 * The caller's bids, newest first; as the owner, by coupon and then by amount, highest first.
 * @throws AppError bad_input on `page` beyond the counted rows
 */
export async function listBids(
  ctx: MemberContext,
  { role, onlyOpen, ...paging }: ListBidsInput,
): Promise<Page<PlainBid>> {
  const { rows, ...page } = await store.listBids(ctx.db, { userId: ctx.actor.id, role, onlyOpen }, paging);
  return { items: rows.map((row) => toBid(row, ctx.actor.id, termsNow(ctx.config))), ...page };
}

/** The caller's bids with these ids, in no order. @throws AppError not_found if one is somebody else's */
export async function bidsByIds(ctx: MemberContext, ids: readonly number[]): Promise<PlainBid[]> {
  const rows = await store.findBids(ctx.db, ids);
  return rows.map((row) => toBid(row, ctx.actor.id, termsNow(ctx.config)));
}

/** One bid that the caller placed or received. @throws AppError not_found, for strangers too */
export async function bidById(ctx: MemberContext, id: number): Promise<PlainBid> {
  const row = await store.findBid(ctx.db, id);
  if (!row) throw notFound(t`Bid not found`);
  return toBid(row, ctx.actor.id, termsNow(ctx.config));
}

/**
 * Bids on another person's coupon. The asking price that its owner has set accepts the bid at once, or it waits for the
 * owner. Whoever bids below the lowest price learns nothing of that: only the owner is not told of the bid.
 * @throws AppError not_found, forbidden (own coupon; banned caller), too_many_deals, coupon_unavailable, coupon_reserved, no_code
 *   (unless acknowledged), bid_exists (one pending bid per person and coupon), conflict (a person whom the caller
 *   has blocked or who is away), rate_limited (by a program: one asking price in PROGRAM_BUYS_EACH_MINUTES)
 */
export async function placeBid(ctx: MemberContext, input: PlaceBidInput): Promise<PlainBid> {
  return place(ctx, input, () => undefined);
}

/**
 * Bids the asking price as the buyer has seen it. Such a bid waits for the owner only where placeBid says so.
 * @throws AppError as placeBid; conflict, with the price of now, if it is another one or none
 */
export async function buyCoupon(
  ctx: MemberContext,
  { expectedAmount, ...input }: BuyInput,
): Promise<PlainBid> {
  return place(ctx, { ...input, amount: expectedAmount, message: null }, (coupon) =>
    checkAskingPrice(coupon, expectedAmount),
  );
}

async function place(
  ctx: MemberContext,
  { couponId, amount, message, acknowledgeNoCode, mustWait }: PlaceBidInput,
  check: (coupon: LockedCoupon) => void,
): Promise<PlainBid> {
  await admitBid(ctx);
  return atPaceOfPeople(ctx, { couponId, amount, mustWait }, (mayBuy) =>
    inTransaction(ctx.db, async (trx) => {
      const coupons = await lockCoupons(trx, [couponId]);
      const at = ctx.clock();
      const coupon = findOfferable(coupons, {
        id: couponId,
        path: 'couponId',
        at,
        wrongOwner: (owner) => (owner === ctx.actor.id ? t`You cannot bid on your own coupon` : null),
      });
      const stop = saleObstacle(coupon);
      if (stop !== null) throw fieldError('coupon_unavailable', 'couponId', stop);
      await checkNotBlocked(trx, { actorId: ctx.actor.id, coupon, path: 'couponId' });
      await checkNotAway(trx, { userIds: [coupon.ownerId], path: 'couponId', at });
      await checkNotBanned(trx, ctx.actor.id);
      await checkDealLimit(trx, ctx.actor.id, at);
      check(coupon);
      if (!acknowledgeNoCode && !(await store.hasCode(trx, couponId))) {
        throw fieldError('no_code', 'acknowledgeNoCode', TEXTS.bids.noCode());
      }
      const id = await refuseDuplicate(
        store.insertBid(trx, {
          couponId,
          bidderId: ctx.actor.id,
          ownerId: coupon.ownerId,
          amount: centsToDecimal(decimalToCents(amount)),
          message,
          bidderTerms: termsNow(ctx.config),
          createdAt: at,
          updatedAt: at,
        }),
        'bids_one_pending',
        (cause) => new AppError('bid_exists', TEXTS.bids.alreadyPending(), { cause }),
      );
      const { bid } = await findOwn(trx, id, ctx.actor.id);
      const past = await store.findPast(trx, { bidderId: ctx.actor.id, couponId });
      const placed = { kind: 'placed', bid, past, fees: shownFeesRefusal(ctx) } as const;
      const now = await change(trx, ctx, bid, { bid, coupon, terms: termsNow(ctx.config), at }, placed);
      if (now.isAutomatic && !mayBuy)
        throw fieldError('conflict', 'amount', mustWait ? wouldBuy() : priceChanged());
      return now;
    }),
  );
}

const priceChanged = () => t`The asking price has just changed. Please look again.`;
const wouldBuy = () => t`The asking price of this coupon would accept this bid at once.`;

/** Decides what follows for a bid of the caller's, writes it, and returns the bid as they now see it. */
async function change(
  trx: Trx,
  ctx: MemberContext,
  bid: store.BidRow,
  now: BidNow,
  happening: BidHappening,
): Promise<PlainBid> {
  const actorId = ctx.actor.id;
  await applyChanges(trx, ctx, { bid, actorId, at: now.at }, changesOf(decide(now, happening)));
  return toBid((await findOwn(trx, bid.id, actorId)).bid, actorId, termsNow(ctx.config));
}

/** @throws AppError conflict on `expectedAmount` unless this is the asking price */
function checkAskingPrice({ title, askingPrice }: LockedCoupon, expected: string): void {
  const price = askingPrice === null ? null : decimalToCents(askingPrice);
  if (price === decimalToCents(expected)) return;
  const now =
    price === null
      ? t`${quote(title)} no longer has an asking price. You can bid on it.`
      : t`The asking price of ${quote(title)} is now ${formatMoney(price, baseCurrency())}.`;
  throw fieldError('conflict', 'expectedAmount', now);
}

/**
 * Accepts, rejects or cancels a bid, as BID_TRANSITIONS allows. Accepting reserves the coupon and rejects all other
 * pending bids on it, and fixes the fees. A stale call fails with the bid's current state.
 * Only the side whose turn it is can accept, at the amount of the current round.
 * @throws AppError not_found (strangers too), forbidden (wrong side), deal_changed (also another amount than expected),
 *   bad_input (no expected amount after the first round), coupon_unavailable, coupon_reserved
 */
export async function setBidStatus(
  ctx: MemberContext,
  { id, status: to, expectedAmount }: SetBidStatusInput,
): Promise<PlainBid> {
  if (to === 'accepted') checkConfirmed(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const { bid, side, now } = await lockOwn(trx, ctx, id);
    const asked = { kind: 'asked', side, to, expectedAmount, fees: shownFeesRefusal(ctx) } as const;
    return change(trx, ctx, bid, now, asked);
  });
}

/**
 * Answers a pending bid, in the caller's turn, with another amount: the seller asks more, the bidder offers less. At
 * most ROUNDS_MAX rounds, each with COUNTER_HOURS to answer.
 * @throws AppError not_found (strangers too), deal_changed (not the caller's turn, or another amount than expected),
 *   conflict (no round left), bad_input (an amount on the wrong side), coupon_unavailable, forbidden, rate_limited
 */
export async function counterBid(
  ctx: MemberContext,
  { id, amount, expectedAmount }: CounterBidInput,
): Promise<PlainBid> {
  await admitBid(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const { bid, side, now } = await lockOwn(trx, ctx, id);
    const ban = await refusalOf(checkNotBanned(trx, ctx.actor.id));
    const fees = shownFeesRefusal(ctx);
    return change(trx, ctx, bid, now, { kind: 'countered', side, amount, expectedAmount, ban, fees });
  });
}

/** Each bid notifies the coupon's owner, so this limit keeps a person from flooding others. */
const bidsPerPerson = ({ bids: points }: OwnLimits): RateLimit => ({
  name: 'bids',
  text: () => t`Too many bids.`,
  ...LIMITS.bids,
  points,
});

/** Checks, before its transaction, that the caller may name an amount. @throws AppError address_unconfirmed, rate_limited */
async function admitBid(ctx: MemberContext): Promise<void> {
  checkConfirmed(ctx);
  await enforceLimit(ctx.limiter, bidsPerPerson(ctx.config.limits), String(ctx.actor.id));
}

/** The days of guarantee that a bid of the caller's has, or would be accepted with now. @throws AppError not_found, for strangers too */
export async function guaranteeDaysOfBid(ctx: MemberContext, id: number): Promise<number> {
  const bid = await store.findBid(ctx.db, id);
  if (!bid || sideOf(bid, ctx.actor.id) === null) throw notFound(t`Bid not found`);
  return termsOf(bid, termsNow(ctx.config)).guaranteeDays;
}

/** A bid of the caller's, and their side of it. @throws AppError not_found, for strangers too */
async function findOwn(trx: Trx, id: number, actorId: number): Promise<{ bid: store.BidRow; side: BidSide }> {
  const bid = await store.findBid(trx, id);
  const side = bid && sideOf(bid, actorId);
  if (!bid || !side) throw notFound(t`Bid not found`);
  return { bid, side };
}

/** Like `findOwn`, with its coupon and the bid locked. */
async function lockOwn(
  trx: Trx,
  ctx: MemberContext,
  id: number,
): Promise<{ bid: store.BidRow; side: BidSide; now: BidNow }> {
  const { bid, side } = await findOwn(trx, id, ctx.actor.id);
  const [coupon = null] = await lockCoupons(trx, [bid.couponId]);
  const locked = await store.lockBid(trx, id);
  const now = { bid: { ...bid, ...locked }, coupon, terms: termsNow(ctx.config), at: ctx.clock() };
  return { bid, side, now };
}

/** Nobody offers or agrees at other fees than their page shows. @returns conflict, or null */
export function shownFeesRefusal({
  shownFees,
  config,
}: Pick<Context, 'shownFees' | 'config'>): AppError | null {
  const feeRates = feeRatesSchema.parse(config.feeRates);
  if (shownFees == null || shownFees === JSON.stringify(feeRates)) return null;
  return new AppError(
    'conflict',
    t`The fees have changed: ${eachRateText(feeRates)}. Load this page again to see the new amounts, and then decide.`,
  );
}

/** The prices of the legs of an exchange, paid like bids: see leg-prices-store.ts. */
export const addPriceBids = prices.insertPriceBids;
export const setPricePaidAt = prices.setPaidAt;
export const completePriceBids = prices.completePriceBids;

/**
 * The buyer of an accepted bid has committed themselves at a provider, so the usual time to pay holds. Lock the bid first.
 */
export const noteBegun = store.endBeginBy;

export const takeAskingTurn = payable.takeAskingTurn;

/** The part of a bid that payments need; null if there is no such bid. */
export async function findPayableBid(db: Database | Trx, id: number): Promise<payable.PayableBid | null> {
  return payable.findPayableBid(db, id);
}

/**
 * Like findPayableBid, but locks the bid's coupon and then the bid until the transaction ends; for the price of a leg, all
 * coupons of the exchange, the exchange and then the bid.
 * @throws AppError not_found
 */
export async function lockPayableBid(trx: Trx, id: number): Promise<payable.PayableBid> {
  const bid = await payable.lockPayableBid(trx, id);
  if (!bid) throw notFound(t`Bid not found`);
  return bid;
}

/**
 * Completes a paid bid: the coupon and its code go to the bidder, and all other deals on the coupon end. Writes both
 * histories; the payment sends the notifications. The coupon stays reserved until the payment is released or refunded.
 * The caller must hold the locks of the coupon and of the bid.
 * @throws AppError deal_changed unless the bid is accepted
 */
export async function completeSale(
  trx: Trx,
  ctx: ApplyContext,
  bid: payable.PayableBid,
  at: Date,
): Promise<void> {
  await applyChanges(trx, ctx, { bid, actorId: null, at }, changesOf(decideSale(bid)));
}

/** Cancels a bid that was not paid in time, frees its coupon and notifies both. Same locks as completeSale. */
export async function cancelUnpaidBid(trx: Trx, bid: payable.PayableBid, at: Date): Promise<void> {
  const deals = [acceptedDeal({ bidId: bid.id })];
  const ended = await endDeals(trx, { reason: 'deadline', deals, couponIds: [], actorId: null, at });
  if (ended === 0) throw new AppError('deal_changed', stateText('bid', bid.status));
}

export { holdForReturn, releaseReturn, returnCoupon } from './returning.ts';
