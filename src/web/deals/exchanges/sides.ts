import { listed } from '#contract/base/locale.ts';
import { quoted } from '#contract/base/words.ts';
import type { CouponSummary } from '#contract/coupons/coupons.ts';
import {
  allowedMoves,
  type DealStatus,
  EXCHANGE_TRANSITIONS,
  type ExchangeSide,
  ROUNDS_MAX,
} from '#contract/deals/deals.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import type { Handover } from '#web/deals/core/handovers.tsx';
import { waitsForDeposits } from './deposit.ts';

/** What a person can do to an exchange: move it to another state, change what they offer, or answer with another offer. */
export type ExchangeAct = 'accept' | 'reject' | 'complete' | 'cancel' | 'revise' | 'counter';

/** An act that moves the exchange to another state. */
export type StatusAct = Exclude<ExchangeAct, 'revise' | 'counter'>;

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

/** The acts that the contract allows this viewer now. */
export function actsFor(exchange: Exchange, viewerId: number): ExchangeAct[] {
  const { kind, status, round } = exchange;
  const side = sideOf(exchange, viewerId);
  const moves = allowedMoves(EXCHANGE_TRANSITIONS, status, side);
  const acts: ExchangeAct[] = STATUS_ACTS.filter((act) => moves.includes(ACT_STATUS[act])).filter(
    (act) =>
      (act !== 'accept' || !hasAgreed(exchange, viewerId)) &&
      !(act === 'complete' && (hasPrice(exchange) || waitsForDeposits(exchange))),
  );
  // The table of moves does not contain another offer: a revision keeps the status (decisions 3.7).
  if (status !== 'pending' || kind === 'ring') return acts;
  if (side === 'requester') return ['revise', ...acts];
  return round < ROUNDS_MAX ? [...acts, 'counter'] : acts;
}

/** Whether somebody pays besides: then the last payment completes the exchange. */
function hasPrice({ legs }: Exchange): boolean {
  return legs.some(({ price }) => price !== null);
}

/** Whether somebody has agreed to the exchange. */
export function hasAgreed({ parties }: Exchange, userId: number): boolean {
  return parties.some(({ id, consentedAt }) => id === userId && consentedAt !== null);
}

/** The usernames of the other parties: 'Ana and Bo'. */
export function otherParties(exchange: Exchange, viewerId: number): string {
  return listed(othersOf(exchange, viewerId).map(({ username }) => username));
}

/** The other parties; of the many in a ring of market day, only who gave to this viewer and who got from them. */
export function othersOf({ parties, legs, marketDay }: Exchange, viewerId: number): Exchange['parties'] {
  const others = parties.filter(({ id }) => id !== viewerId);
  if (marketDay === null) return others;
  const neighbours = neighboursOf(legs, viewerId);
  return others.filter(({ id }) => neighbours.includes(id));
}

/** First those who gave to somebody, then those they gave to. */
function neighboursOf(legs: Exchange['legs'], userId: number): number[] {
  const givers = legs.filter(({ receiverId }) => receiverId === userId).map(({ giverId }) => giverId);
  const receivers = legs.filter(({ giverId }) => giverId === userId).map(({ receiverId }) => receiverId);
  return [...new Set([...givers, ...receivers])];
}

/** The coupons that a person gives away, and those that they get. */
export function couponsOf(
  { legs }: Exchange,
  userId: number,
): { gives: CouponSummary[]; gets: CouponSummary[] } {
  return {
    gives: legs.filter(({ giverId }) => giverId === userId).map(({ coupon }) => coupon),
    gets: legs.filter(({ receiverId }) => receiverId === userId).map(({ coupon }) => coupon),
  };
}

/** The quoted titles of what a person gives and gets: '“A” and “B”'. */
export function titlesOf(exchange: Exchange, userId: number): { gives: string; gets: string } {
  const { gives, gets } = couponsOf(exchange, userId);
  return { gives: quoted(gives.map(({ title }) => title)), gets: quoted(gets.map(({ title }) => title)) };
}

/** The first coupon that this viewer received in a completed exchange and that is still theirs, or null. */
export function receivedCoupon(exchange: Exchange, viewerId: number): CouponSummary | null {
  if (exchange.status !== 'completed') return null;
  return couponsOf(exchange, viewerId).gets.find(({ ownerId }) => ownerId === viewerId) ?? null;
}

/** Who gives what to whom in a ring, from the viewer on; of a ring of market day only what this viewer gives and gets. */
export function handoversOf({ legs: all, marketDay }: Exchange, viewerId: number): Handover[] {
  const gives = all.filter(({ giverId }) => giverId === viewerId);
  const gets = all.filter(({ receiverId }) => receiverId === viewerId);
  const legs = marketDay === null ? inOrder(all, viewerId) : [...gives, ...gets];
  return legs.map((leg) => ({
    coupon: leg.coupon,
    giver: leg.giverId === viewerId ? null : leg.giverUsername,
    receiver: leg.receiverId === viewerId ? null : leg.receiverUsername,
  }));
}

/** The legs of a ring, each after the one whose receiver gives it. */
function inOrder(legs: Exchange['legs'], viewerId: number): Exchange['legs'] {
  const ring: Exchange['legs'] = [];
  let giverId = viewerId;
  while (ring.length < legs.length) {
    const leg = legs.find((one) => one.giverId === giverId);
    if (!leg) break;
    ring.push(leg);
    giverId = leg.receiverId;
  }
  return ring;
}

/** The people that the viewer can rate: first those who gave to them, then those they gave to. */
export function ratedIn({ legs }: Exchange, viewerId: number): number[] {
  return neighboursOf(legs, viewerId);
}
