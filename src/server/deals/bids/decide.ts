import { t } from '@lingui/core/macro';
import { BEGIN_MINUTES } from '#contract/base/limits.ts';
import {
  baseCurrency,
  type Cents,
  centsToDecimal,
  decimalToCents,
  formatMoney,
} from '#contract/base/money.ts';
import type { SetBidStatusInput } from '#contract/deals/bids.ts';
import {
  BID_TRANSITIONS,
  type BidReason,
  type BidSide,
  COUNTER_HOURS,
  type DealStatus,
  ROUNDS_MAX,
  turnOf,
} from '#contract/deals/deals.ts';
import { feesOf } from '#contract/money/fees.ts';
import { addHours, addMinutes } from '#server/core/clock.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import type { LockedCoupon } from '#server/coupons/core/reservations.ts';
import type { CouponMove, DealKey } from '#server/coupons/core/reservations-store.ts';
import {
  agreedTerms,
  type Decision,
  giveObstacle,
  judgeMove,
  saleObstacle,
  stateText,
  type Terms,
} from '#server/deals/lifecycle/service.ts';
import type { PayableBid } from './payable-store.ts';
import {
  answerOfAskingPrice,
  type BidTransition,
  bindingText,
  counterProblem,
  forbiddenText,
  type PastBids,
} from './rules.ts';
import type { BidRow } from './store.ts';

/** Whom and what a bid is about, in words. */
export type Named = Pick<PayableBid, 'bidderUsername' | 'ownerUsername' | 'couponTitle'>;

/** The same for the texts. */
interface Names {
  readonly bidder: string;
  readonly owner: string;
  readonly coupon: string;
}

/** A bid and its coupon, as they are while both are locked. */
export interface BidNow {
  readonly bid: Named &
    Pick<BidRow, 'status' | 'round' | 'amount' | 'counterAmount' | 'bidderTerms' | 'ownerTerms' | 'ownerId'>;
  /** Null once it is gone. */
  readonly coupon:
    | (Parameters<typeof giveObstacle>[0] & Pick<LockedCoupon, 'askingPrice' | 'isSaleStopped'>)
    | null;
  /** The terms in force. */
  readonly terms: Terms;
  readonly at: Date;
}

/** What people do to a bid. `fees`, `ban`: the refusals of others, as the fees have changed or the caller is banned. */
export type BidHappening =
  | {
      readonly kind: 'placed';
      readonly bid: Pick<BidRow, 'isSellerReady' | 'isBelowFloor'>;
      readonly past: PastBids;
      readonly fees: AppError | null;
    }
  | {
      readonly kind: 'asked';
      readonly side: BidSide;
      readonly to: SetBidStatusInput['status'];
      readonly expectedAmount: string | undefined;
      readonly fees: AppError | null;
    }
  | {
      readonly kind: 'countered';
      readonly side: BidSide;
      readonly amount: string;
      readonly expectedAmount: string;
      readonly fees: AppError | null;
      readonly ban: AppError | null;
    };

/** What is written, in this order. */
export type BidChange =
  | { readonly kind: 'reserve' | 'free' | 'addSoldPrice' | 'removeSoldPrice' }
  | { readonly kind: 'setTerms'; readonly terms: Terms }
  | { readonly kind: 'delist' | 'remove' | 'endClaim' }
  | {
      readonly kind: 'move';
      readonly from: DealStatus;
      readonly to: DealStatus;
      readonly reason: BidReason | null;
      /** A price that the owner had set does it: until when the bidder has to begin to pay. */
      readonly atOnce?: { readonly beginBy: Date | null };
    }
  | {
      readonly kind: 'setRound';
      readonly round: number;
      readonly amount?: string;
      readonly counterAmount: string | null;
      /** What whoever names the amount was shown. */
      readonly bidderTerms?: Terms;
      readonly ownerTerms?: Terms;
      readonly answerBy: Date;
    }
  | { readonly kind: 'transfer'; readonly moves: readonly CouponMove[]; readonly isReturn: boolean }
  /** @param paid the coupons of these that their receivers have paid for */
  | { readonly kind: 'queueCodes'; readonly moves: readonly CouponMove[]; readonly paid: readonly number[] }
  | { readonly kind: 'count'; readonly by: 1 | -1 }
  | { readonly kind: 'rejectRivals' }
  /** @param overtaken the accepted deal that holds the coupon; null: none does */
  | { readonly kind: 'endRivals'; readonly overtaken: DealKey | null }
  | {
      readonly kind: 'tell';
      readonly transitions: readonly Exclude<BidTransition, 'counter'>[];
      /** `total`: what the bidder pays in all, of an accepted bid. */
      readonly facts: Names & { readonly amount: Cents; readonly total?: Cents };
    }
  | {
      readonly kind: 'tellCounter';
      readonly by: BidSide;
      readonly facts: Names & { readonly from: Cents; readonly to: Cents };
    };

/**
 * What follows for a bid from what people do.
 * @returns a refusal: forbidden, deal_changed, bad_input, conflict, not_found, coupon_unavailable, or that of another room
 */
export function decide(now: BidNow, happening: BidHappening): Decision<BidChange> {
  switch (happening.kind) {
    case 'placed':
      return decidePlaced(now, happening);
    case 'asked':
      return decideAsked(now, happening);
    case 'countered':
      return decideCountered(now, happening);
  }
}

type Happened<Kind extends BidHappening['kind']> = Extract<BidHappening, { kind: Kind }>;

/** The asking price accepts it at once, or it waits for the owner. */
function decidePlaced(now: BidNow, placed: Happened<'placed'>): Decision<BidChange> {
  if (placed.fees) return placed.fees;
  const { bid, coupon, at } = now;
  const { isSellerReady, isBelowFloor } = placed.bid;
  const facts = { ...namesOf(bid), amount: decimalToCents(bid.amount) };
  const askingPrice = coupon?.askingPrice ?? null;
  const answer =
    askingPrice === null
      ? 'wait'
      : answerOfAskingPrice({ amount: bid.amount, isSellerReady }, askingPrice, placed.past);
  if (answer === 'wait')
    return [{ kind: 'tell', transitions: [isBelowFloor ? 'placeBelowFloor' : 'place'], facts }];
  const isToBegin = answer === 'begin';
  return [
    ...acceptance(now, { atOnce: { beginBy: isToBegin ? addMinutes(at, BEGIN_MINUTES) : null } }),
    {
      kind: 'tell',
      transitions: ['place', isToBegin ? 'acceptToBegin' : 'acceptAtOnce'],
      facts: { ...facts, total: totalOf(now) },
    },
  ];
}

function decideAsked(now: BidNow, asked: Happened<'asked'>): Decision<BidChange> {
  const { bid } = now;
  const { side, to } = asked;
  const { status: from, round } = bid;
  const verdict = judgeMove(BID_TRANSITIONS, { from, to, side });
  // The bidder accepts counter-offers only.
  const isOwnBid = to === 'accepted' && round === 1 && side === 'bidder';
  if (verdict === 'forbidden' || isOwnBid) return new AppError('forbidden', forbiddenText(to));
  if (verdict === 'stale') {
    const isBinding = from === 'accepted' && to === 'cancelled';
    return new AppError('deal_changed', isBinding ? bindingText() : stateText('bid', from));
  }
  if (to === 'accepted') return decideAcceptance(now, asked);
  const ending = turnOf(round) === 'bidder' ? 'declineCounter' : 'withdraw';
  return [
    { kind: 'move', from, to, reason: `by_${side}` },
    {
      kind: 'tell',
      transitions: [to === 'rejected' ? 'reject' : ending],
      facts: { ...namesOf(bid), amount: decimalToCents(bid.amount) },
    },
  ];
}

/** Only the side whose turn it is accepts, at the amount of the round. */
function decideAcceptance(now: BidNow, asked: Happened<'asked'>): Decision<BidChange> {
  const { bid, coupon, at } = now;
  const { side, fees } = asked;
  if (turnOf(bid.round) !== side) return notYourTurn();
  if (bid.round > 1 && asked.expectedAmount === undefined)
    return fieldError('bad_input', 'expectedAmount', t`Enter the amount that you accept`);
  const changed = otherAmount(bid, asked.expectedAmount ?? bid.amount);
  if (changed) return changed;
  if (!coupon) return couponGone();
  const refusal = obstacleOf(bid, coupon, at) ?? fees;
  if (refusal) return refusal;
  const transition = side === 'owner' ? 'accept' : 'acceptCounter';
  const facts = { ...namesOf(bid), amount: standingAmount(bid), total: totalOf(now) };
  return [...acceptance(now), { kind: 'tell', transitions: [transition], facts }];
}

/** What a bid is accepted at: its bidder has offered, and its owner if they have made a counter-offer. */
export function termsOf(
  bid: Pick<BidNow['bid'], 'amount' | 'counterAmount' | 'bidderTerms' | 'ownerTerms'>,
  now: Terms,
): Terms {
  return agreedTerms(standingAmount(bid), { buyer: bid.bidderTerms, seller: bid.ownerTerms }, now);
}

/** What the bidder then pays in all. */
const totalOf = ({ bid, terms }: BidNow): Cents =>
  feesOf(standingAmount(bid), termsOf(bid, terms).feeRates).buyerTotal;

/** The coupon is reserved, the terms are fixed, and all other pending bids are rejected. */
function acceptance(
  { bid, terms }: BidNow,
  atOnce: Pick<Extract<BidChange, { kind: 'move' }>, 'atOnce'> = {},
): BidChange[] {
  return [
    { kind: 'reserve' },
    { kind: 'setTerms', terms: termsOf(bid, terms) },
    { kind: 'move', from: 'pending', to: 'accepted', reason: null, ...atOnce },
    { kind: 'rejectRivals' },
  ];
}

function decideCountered(now: BidNow, countered: Happened<'countered'>): Decision<BidChange> {
  const { bid, coupon, at } = now;
  const { side } = countered;
  if (bid.status !== 'pending') return new AppError('deal_changed', stateText('bid', bid.status));
  if (turnOf(bid.round) !== side) return notYourTurn();
  const changed = otherAmount(bid, countered.expectedAmount);
  if (changed) return changed;
  if (bid.round === ROUNDS_MAX)
    return new AppError(
      'conflict',
      t`After ${ROUNDS_MAX} rounds you cannot counter again: accept the offer or end the bid.`,
    );
  if (!coupon) return couponGone();
  const obstacle = obstacleOf(bid, coupon, at) ?? countered.ban ?? countered.fees;
  if (obstacle) return obstacle;
  const to = decimalToCents(countered.amount);
  const problem = counterProblem(side, to, { ...bid, askingPrice: coupon.askingPrice });
  if (problem !== null) return fieldError('bad_input', 'amount', problem);
  const named = centsToDecimal(to);
  return [
    {
      kind: 'setRound',
      round: bid.round + 1,
      ...(side === 'owner'
        ? { counterAmount: named, ownerTerms: now.terms }
        : { amount: named, counterAmount: null, bidderTerms: now.terms }),
      answerBy: addHours(at, COUNTER_HOURS),
    },
    { kind: 'tellCounter', by: side, facts: { ...namesOf(bid), from: standingAmount(bid), to } },
  ];
}

export function namesOf({ bidderUsername: bidder, ownerUsername: owner, couponTitle: coupon }: Named): Names {
  return { bidder, owner, coupon };
}

const notYourTurn = () => new AppError('deal_changed', t`It is the other side’s turn.`);

const standingAmount = ({ amount, counterAmount }: Pick<BidNow['bid'], 'amount' | 'counterAmount'>) =>
  decimalToCents(counterAmount ?? amount);

/** The refusal unless this is the amount that stands. */
function otherAmount(bid: BidNow['bid'], expected: string): AppError | null {
  const standing = standingAmount(bid);
  if (standing === decimalToCents(expected)) return null;
  return new AppError('deal_changed', t`It is now ${formatMoney(standing, baseCurrency())}.`);
}

const couponGone = () => notFound(t`Coupon not found`);

/** The refusal if the coupon can no longer change hands. */
function obstacleOf(
  { ownerId }: BidNow['bid'],
  coupon: NonNullable<BidNow['coupon']>,
  at: Date,
): AppError | null {
  const obstacle = giveObstacle(coupon, ownerId, at) ?? saleObstacle(coupon);
  return obstacle === null ? null : new AppError('coupon_unavailable', obstacle);
}
