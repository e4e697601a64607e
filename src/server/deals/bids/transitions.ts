import { t } from '@lingui/core/macro';
import { LIMITS } from '#contract/base/limits.ts';
import { type Cents, decimalToCents } from '#contract/base/money.ts';
import { type BidSide, turnOf } from '#contract/deals/deals.ts';
import type { OwnLimits } from '#contract/people/settings.ts';
import type { MemberContext } from '#server/context/context.ts';
import { notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { reserveCoupons } from '#server/coupons/core/service.ts';
import type { Trx } from '#server/database/client.ts';
import { endDeals } from '#server/deals/lifecycle/service.ts';
import { checkConfirmed } from '#server/people/accounts/service.ts';
import { notifyParties } from '#server/people/notifications/service.ts';
import { BID_TEXTS, COUNTER_BID_TEXTS } from '#server/texts/bids.ts';
import type { StoredText } from '#server/texts/stored.ts';
import { type BidTransition, sideOf, TRANSITIONS } from './rules.ts';
import { shownFeesRefusal } from './shown-fees.ts';
import * as store from './store.ts';
import { type PlainBid, toBid } from './view.ts';

/** Each bid notifies the coupon's owner, so this limit keeps a person from flooding others. */
const bidsPerPerson = ({ bids: points }: OwnLimits): RateLimit => ({
  name: 'bids',
  text: () => t`Too many bids.`,
  ...LIMITS.bids,
  points,
});

/** Checks, before its transaction, that the caller may name an amount. @throws AppError address_unconfirmed, rate_limited */
export async function admitBid(ctx: MemberContext): Promise<void> {
  checkConfirmed(ctx);
  await enforceLimit(ctx.limiter, bidsPerPerson(ctx.config.limits), String(ctx.actor.id));
}

/** A bid of the caller's, and their side of it. @throws AppError not_found, for strangers too */
export async function findOwn(
  trx: Trx,
  id: number,
  actorId: number,
): Promise<{ bid: store.BidRow; side: BidSide }> {
  const bid = await store.findBid(trx, id);
  const side = bid && sideOf(bid, actorId);
  if (!bid || !side) throw notFound(t`Bid not found`);
  return { bid, side };
}

/**
 * Accepts a pending bid: reserves its coupon, fixes the fees and rejects all other pending bids. The caller must hold
 * the coupon's lock and have checked that it can still be traded. Does not notify the two parties.
 * @param atOnce the asking price accepts it: until when its bidder has to begin to pay
 * @throws AppError coupon_reserved, conflict (the page shows other fees)
 */
export async function acceptBid(
  trx: Trx,
  ctx: MemberContext,
  { id, couponId, ownerId }: Pick<store.BidRow, 'id' | 'couponId' | 'ownerId'>,
  at: Date,
  atOnce?: { readonly beginBy: Date | null },
): Promise<void> {
  const refusal = shownFeesRefusal(ctx);
  if (refusal) throw refusal;
  await reserveCoupons(trx, { deal: { bidId: id }, couponIds: [couponId], at });
  await store.setFeeRates(trx, id, ctx.config.feeRates);
  await store.moveBid(trx, id, { from: 'pending', to: 'accepted', reason: null, at, atOnce });
  await endDeals(trx, { reason: 'rival_accepted', deals: [], couponIds: [couponId], actorId: ownerId, at });
}

/** Notifies the parties and returns the bid as the actor now sees it. */
export async function afterTransitions(
  trx: Trx,
  ctx: MemberContext,
  id: number,
  transitions: readonly BidTransition[],
  at: Date,
): Promise<PlainBid> {
  const { bid } = await findOwn(trx, id, ctx.actor.id);
  await notifyOfBid(trx, { ...bid, amount: decimalToCents(bid.amount) }, transitions, at, ctx.actor.id);
  return toBid(bid, ctx.actor.id, ctx.config.feeRates);
}

type ToldBid = Pick<
  store.BidRow,
  'id' | 'couponId' | 'bidderId' | 'ownerId' | 'bidderUsername' | 'ownerUsername' | 'couponTitle'
> & {
  readonly amount: Cents;
  /** The rounds after the first. */
  readonly counters?: readonly { readonly round: number; readonly from: string; readonly to: string }[];
};

/**
 * Writes transitions of a bid into both histories, and notifies the party who did not act of the last one. Notifications of a
 * completed sale come from its payment.
 */
export async function notifyOfBid(
  trx: Trx,
  bid: ToldBid,
  transitions: readonly BidTransition[],
  at: Date,
  actorId: number | null = null,
): Promise<void> {
  const deal = { dealType: 'bid', dealId: bid.id } as const;
  const news = transitions.map((transition, index) => {
    const { action, event, status, isQuiet = false, isAutomatic = false } = TRANSITIONS[transition];
    const data = { couponIds: [bid.couponId], status };
    const { subject: mailSubject, bidder, owner } = textsOf(transition, bid);
    const quiet = (isQuiet || index < transitions.length - 1) && { notice: null };
    const parties = [
      { userId: bid.bidderId, text: bidder, ...quiet },
      { userId: bid.ownerId, text: owner, ...quiet },
    ];
    return { deal, parties, actorId: isAutomatic ? null : actorId, action, event, data, mailSubject, at };
  });
  await notifyParties(trx, news);
}

/** What both parties read of a transition. */
function textsOf(
  transition: BidTransition,
  { bidderUsername: bidder, ownerUsername: owner, couponTitle: coupon, amount, counters = [] }: ToldBid,
): Record<'subject' | 'bidder' | 'owner', StoredText> {
  const people = { bidder, owner, coupon };
  if (transition !== 'counter') {
    const texts = BID_TEXTS[transition];
    const facts = { ...people, amount };
    return { subject: texts.subject(), bidder: texts.bidder(facts), owner: texts.owner(facts) };
  }
  const last = counters.at(-1);
  if (!last) throw new Error('There is no counter-offer to tell of');
  const texts = COUNTER_BID_TEXTS[turnOf(last.round - 1)];
  const facts = { ...people, from: decimalToCents(last.from), to: decimalToCents(last.to) };
  return { subject: texts.subject(), bidder: texts.bidder(facts), owner: texts.owner(facts) };
}
