import { t } from '@lingui/core/macro';
import { listed } from '#contract/base/locale.ts';
import type { Page } from '#contract/base/primitives.ts';
import { quote } from '#contract/base/words.ts';
import {
  type DealReason,
  type DealStatus,
  EXCHANGE_TRANSITIONS,
  type ExchangeKind,
  type ExchangeSide,
} from '#contract/deals/deals.ts';
import type { Exchange, ListExchangesInput, SetExchangeStatusInput } from '#contract/deals/exchanges.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { askAgain, checkNotReissuing, checkUnchanged } from '#server/coupons/codes/service.ts';
import type { AskedCode } from '#server/coupons/codes/validation.ts';
import { releaseReservation, reserveCoupons } from '#server/coupons/core/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { addPriceBids, checkShownFees } from '#server/deals/bids/service.ts';
import { checkDealLimit, endRefusedDeal, judgeMove, stateText } from '#server/deals/lifecycle/service.ts';
import { checkConfirmed } from '#server/people/accounts/service.ts';
import { checkTradable, completeLegs, refuseUnpaid } from './completing.ts';
import { beginMinting, mintAndComplete } from './reissuing.ts';
import { forbiddenText, transitionOf } from './rules.ts';
import * as store from './store.ts';
import { afterTransition, couponIdsOf, isSeen, lockOwn, offerChanged, pricesOf } from './transitions.ts';
import { toExchange } from './view.ts';

export { completePaidExchange } from './completing.ts';

/** The caller's exchanges, newest first. @throws AppError bad_input on `page` beyond the counted rows */
export async function listExchanges(
  ctx: MemberContext,
  { tab, search = '', ...paging }: ListExchangesInput,
): Promise<Page<Exchange>> {
  const filter = { userId: ctx.actor.id, tab, search };
  const { rows, ...page } = await store.listExchanges(ctx.db, filter, paging);
  return { items: rows.map((row) => toExchange(row, ctx.actor.id, ctx.config.feeRates)), ...page };
}

/** The caller's exchanges with these ids, in no order. @throws AppError not_found if one is somebody else's */
export async function exchangesByIds(ctx: MemberContext, ids: readonly number[]): Promise<Exchange[]> {
  const rows = await store.findExchanges(ctx.db, ids);
  return rows.map((row) => toExchange(row, ctx.actor.id, ctx.config.feeRates));
}

/** @throws AppError not_found, for strangers too */
export async function exchangeById(ctx: MemberContext, id: number): Promise<Exchange> {
  const row = await store.findExchange(ctx.db, id);
  if (!row) throw notFound(t`Exchange not found`);
  return toExchange(row, ctx.actor.id, ctx.config.feeRates);
}

/**
 * The rounds of the negotiation that an exchange is part of, the first one first: one, unless there are counter-offers.
 * @throws AppError not_found, for strangers too
 */
export async function roundsOf(ctx: MemberContext, id: number): Promise<Exchange[]> {
  const rounds = await store.listRounds(ctx.db, id);
  if (rounds.length === 0) throw notFound(t`Exchange not found`);
  return rounds.map((row) => toExchange(row, ctx.actor.id, ctx.config.feeRates));
}

/**
 * Accepts, rejects, cancels or completes an exchange, as EXCHANGE_TRANSITIONS allows. In a ring, `accepted` is the
 * caller's consent, and the last one accepts it. A stale call fails with the exchange's current state.
 * @param from the only state to move it from; by default any that allows the move
 * @throws AppError not_found (strangers too), forbidden (wrong side), deal_changed, coupon_unavailable, coupon_reserved;
 *   bad_input (no prices given); code_on_its_way (new codes are being made for it); when it would be completed: conflict
 *   (not everything is paid, or a programme gave no new code), code_refused, code_unchecked, rate_limited
 */
export async function setExchangeStatus(
  ctx: MemberContext,
  { id, status: to, acknowledgeUnchecked = false, ...seen }: SetExchangeStatusInput,
  from?: DealStatus,
): Promise<Exchange> {
  const asked = to === 'completed' ? await checkCodes(ctx, id, acknowledgeUnchecked) : [];
  if (to === 'accepted') checkConfirmed(ctx);
  const moved = await inTransaction(ctx.db, async (trx) => {
    const { exchange, side, coupons, isChanged } = await lockOwn(trx, id, ctx.actor.id);
    const { status } = exchange;
    const at = ctx.clock();
    const verdict = judgeMove(EXCHANGE_TRANSITIONS, { from: status, to, side });
    if (verdict === 'forbidden') throw new AppError('forbidden', forbiddenText(to, exchange.kind));
    if (verdict === 'stale' || (from && from !== status))
      throw new AppError('deal_changed', stateText('exchange', status));
    if (isChanged || !isSeen(exchange, seen)) throw offerChanged();
    if (to === 'accepted') {
      if (seen.prices === undefined && pricesOf(exchange).length > 0) {
        throw fieldError('bad_input', 'prices', t`Enter the prices that you agree to`);
      }
      return agree(trx, ctx, { exchange, coupons, at });
    }
    if (to === 'completed') refuseUnpaid(exchange);
    await checkUnchanged(trx, ctx, asked);
    if (status === 'accepted') await checkNotReissuing(trx, couponIdsOf(exchange));
    if (to === 'completed' && (await beginMinting(trx, ctx, { exchange, coupons, asked, at }))) return null;
    const reason = to === 'completed' ? null : reasonFor(exchange.kind, side);
    const endedById = to === 'completed' ? null : ctx.actor.id;
    await store.moveExchange(trx, id, { from: status, to, reason, endedById, at });
    if (to === 'completed') await completeLegs(trx, exchange, coupons, { actorId: ctx.actor.id, at });
    if (to === 'cancelled' && status === 'accepted') await releaseReservation(trx, { exchangeId: id });
    return afterTransition(trx, ctx, id, transitionOf(status, to), at);
  });
  if (moved) return moved;
  await mintAndComplete(ctx, { id, actorId: ctx.actor.id, isAcknowledged: acknowledgeUnchecked });
  return exchangeById(ctx, id);
}

/** Stores the caller's consent. The last one reserves all coupons; rival deals stay pending, but cannot be accepted. */
async function agree(
  trx: Trx,
  ctx: MemberContext,
  given: { exchange: store.ExchangeRow; coupons: readonly store.TradedCoupon[]; at: Date },
): Promise<Exchange> {
  const { exchange, coupons, at } = given;
  const actorId = ctx.actor.id;
  checkTradable(exchange, coupons, at);
  await checkDealLimit(trx, actorId, at);
  const status = await store.consent(trx, { id: exchange.id, userId: actorId, at });
  if (!status) throw new AppError('deal_changed', t`You have already agreed to this exchange.`);
  if (status === 'accepted') {
    const couponIds = coupons.map((coupon) => coupon.id);
    await reserveCoupons(trx, { deal: { exchangeId: exchange.id }, couponIds, at });
    const isPriced = pricesOf(exchange).length > 0;
    if (isPriced) checkShownFees(ctx);
    if (isPriced) await addPriceBids(trx, { exchangeId: exchange.id, rates: ctx.config.feeRates, at });
  }
  return afterTransition(trx, ctx, exchange.id, status === 'accepted' ? 'accept' : 'consent', at);
}

/** The reason that is stored when a person ends an exchange. */
function reasonFor(kind: ExchangeKind, side: ExchangeSide): DealReason {
  if (side === 'requester') return 'by_requester';
  return kind === 'ring' ? 'by_party' : 'by_owner';
}

/**
 * Asks about the codes of an exchange of the caller's that they are about to complete (decisions 3.17). A "no" cancels it,
 * takes the coupon off the lists and tells everybody whose code it is.
 * @returns nothing for an exchange that cannot be completed: the completion says why
 * @throws AppError code_refused, code_unchecked (unless acknowledged), rate_limited
 */
async function checkCodes(ctx: MemberContext, id: number, acknowledged: boolean): Promise<AskedCode[]> {
  const exchange = await store.findExchange(ctx.db, id);
  const isOwn = exchange?.parties.some((party) => party.id === ctx.actor.id);
  if (!exchange || !isOwn || exchange.status !== 'accepted' || pricesOf(exchange).length > 0) return [];
  const asked = await askAgain(ctx, couponIdsOf(exchange), acknowledged);
  const refused = asked.filter(({ answer }) => answer === 'refused');
  if (refused.length === 0) return asked;
  await inTransaction(ctx.db, async (trx) => {
    await lockOwn(trx, id, ctx.actor.id);
    await checkUnchanged(trx, ctx, refused);
    const couponIds = refused.map(({ couponId }) => couponId);
    await endRefusedDeal(trx, { deal: { exchangeId: id }, couponIds, at: ctx.clock() });
  });
  const whose = refused.map(({ couponId, title }) => {
    const giverId = exchange.legs.find(({ coupon }) => coupon.id === couponId)?.giverId;
    const giver = exchange.parties.find((party) => party.id === giverId)?.username ?? '';
    return giverId === ctx.actor.id ? t`your ${quote(title)}` : t`${giver}’s ${quote(title)}`;
  });
  throw new AppError(
    'code_refused',
    t`The merchant says that the code of ${listed(whose)} does not work, so this exchange was cancelled. No code was shown.`,
  );
}

export { addRing, addSwap, admitProposal } from './proposing.ts';
export { continueReissues } from './reissuing.ts';
