import { COUNTER_HOURS, ROUNDS_MAX } from '#contract/deals.ts';
import type { CounterExchangeInput, Exchange } from '#contract/exchanges.ts';
import { addHours } from '#server/core/clock.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import { checkNotAway } from '../away/service.ts';
import { checkNotBlocked } from '../blocks/service.ts';
import type { MemberContext } from '../context.ts';
import { lockCoupons, stateText } from '../deals/service.ts';
import { afterAct, couponIdsOf, findOwn, isSameSet, isSeen, offerChanged } from './acts.ts';
import { checkOffered, checkRequested, swapLegs } from './offers.ts';
import { addProposal, admitProposal } from './proposing.ts';
import * as store from './store.ts';

/**
 * Answers a pending swap with another proposal to the same person, which ends it. The other has COUNTER_HOURS to answer.
 * @returns the new round
 * @throws AppError not_found, forbidden (the author; a ring), deal_changed, conflict (the last round; a person whom the
 *   caller has blocked or who is away), bad_input (nothing changed), coupon_unavailable, coupon_reserved,
 *   exchange_exists, rate_limited
 */
export async function counterExchange(
  ctx: MemberContext,
  { id, requestedCouponIds, offeredCouponIds, message, couponIds }: CounterExchangeInput,
): Promise<Exchange> {
  await admitProposal(ctx);
  const requested = { ids: requestedCouponIds, path: 'requestedCouponIds' };
  const offered = { ids: offeredCouponIds, path: 'offeredCouponIds' };
  return inTransaction(ctx.db, async (trx) => {
    const { exchange, side } = await findOwn(trx, id, ctx.actor.id);
    if (exchange.kind === 'ring') throw new AppError('forbidden', 'A ring takes no counter-offers.');
    if (side === 'requester') {
      throw new AppError('forbidden', 'This offer is yours. You can change it until it is answered.');
    }
    const before = couponIdsOf(exchange);
    const coupons = await lockCoupons(trx, [...new Set([...before, ...requested.ids, ...offered.ids])]);
    const at = ctx.clock();
    const { status, version } = await store.lockExchange(trx, id);
    if (status !== 'pending') throw new AppError('deal_changed', stateText('exchange', status));
    if (version !== exchange.version || !isSeen(exchange, { couponIds })) throw offerChanged();
    if (exchange.round >= ROUNDS_MAX) {
      throw new AppError('conflict', `This is round ${ROUNDS_MAX} of ${ROUNDS_MAX}: accept or decline it.`);
    }
    const sideOf = (userId: number) =>
      exchange.legs.filter(({ giverId }) => giverId === userId).map(({ coupon }) => coupon.id);
    const theirs = sideOf(exchange.requesterId);
    if (isSameSet(requested.ids, theirs) && isSameSet(offered.ids, sideOf(ctx.actor.id))) {
      throw fieldError('bad_input', offered.path, 'Change a coupon, or accept the offer');
    }
    const only = { ownerId: exchange.requesterId, offeredIds: theirs };
    const [asked] = checkRequested(coupons, requested, ctx.actor.id, at, only);
    checkOffered(coupons, offered, ctx.actor.id, at);
    await checkNotBlocked(trx, { actorId: ctx.actor.id, coupon: asked, path: requested.path });
    await checkNotAway(trx, { userIds: [asked.ownerId], path: requested.path, at });
    const end = {
      from: 'pending',
      to: 'cancelled',
      reason: 'countered',
      endedById: ctx.actor.id,
      at,
    } as const;
    await store.moveExchange(trx, id, end);
    const proposal = {
      kind: 'swap',
      requesterId: ctx.actor.id,
      message,
      consentBy: addHours(at, COUNTER_HOURS),
      replacesId: id,
      legs: swapLegs(requested.ids, offered.ids, ctx.actor.id, exchange.requesterId),
      at,
    } as const;
    const newId = await addProposal(trx, proposal, offered.path);
    return afterAct(trx, newId, 'counter', ctx.actor.id, at);
  });
}
