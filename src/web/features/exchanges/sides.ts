import type { CouponSummary } from '#contract/coupons.ts';
import { allowedMoves, type DealStatus, EXCHANGE_TRANSITIONS, type ExchangeSide } from '#contract/deals.ts';
import type { Exchange } from '#contract/exchanges.ts';

/** What a person can do to an exchange: move it to another state, or change what they offer. */
export type ExchangeAct = 'accept' | 'reject' | 'complete' | 'cancel' | 'revise';

/** An act that moves the exchange to another state. */
export type StatusAct = Exclude<ExchangeAct, 'revise'>;

/** The state each act leads to. */
export const ACT_STATUS = {
  accept: 'accepted',
  reject: 'rejected',
  complete: 'completed',
  cancel: 'cancelled',
} as const satisfies Record<StatusAct, DealStatus>;

/** In the order of the buttons: acts that move the deal on come first. */
const STATUS_ACTS = ['accept', 'complete', 'reject', 'cancel'] as const satisfies readonly StatusAct[];

/** Whether an act moves the deal on rather than ends it. */
export function isAgreement(act: ExchangeAct): boolean {
  return act === 'accept' || act === 'complete';
}

/** The viewer's side of the exchange, by id. */
export function sideOf(exchange: Exchange, viewerId: number): ExchangeSide {
  return exchange.requesterId === viewerId ? 'requester' : 'owner';
}

/** The acts that the contract allows one side in a status. */
export function actsFor(status: DealStatus, side: ExchangeSide): ExchangeAct[] {
  const moves = allowedMoves(EXCHANGE_TRANSITIONS, status, side);
  const acts: ExchangeAct[] = STATUS_ACTS.filter((act) => moves.includes(ACT_STATUS[act]));
  // Revising does not change the status, so the table of moves does not contain it (decisions 3.7).
  return status === 'pending' && side === 'requester' ? ['revise', ...acts] : acts;
}

/** The username of the other party. */
export function otherParty(exchange: Exchange, side: ExchangeSide): string {
  return side === 'requester' ? exchange.requestedCouponOwnerUsername : exchange.requesterUsername;
}

/** The coupon a side gives away and the one it gets. */
export function couponsOf(
  exchange: Exchange,
  side: ExchangeSide,
): { gives: CouponSummary; gets: CouponSummary } {
  return side === 'requester'
    ? { gives: exchange.offeredCoupon, gets: exchange.requestedCoupon }
    : { gives: exchange.requestedCoupon, gets: exchange.offeredCoupon };
}

/** The coupon that this viewer received in a completed exchange, or null if it is no longer theirs. */
export function receivedCoupon(exchange: Exchange, viewerId: number): CouponSummary | null {
  if (exchange.status !== 'completed') return null;
  const { gets } = couponsOf(exchange, sideOf(exchange, viewerId));
  return gets.ownerId === viewerId ? gets : null;
}
