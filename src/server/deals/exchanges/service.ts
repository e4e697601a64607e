import { t } from '@lingui/core/macro';
import { listed } from '#contract/base/locale.ts';
import type { Page } from '#contract/base/primitives.ts';
import { quote } from '#contract/base/words.ts';
import type { DealStatus } from '#contract/deals/deals.ts';
import type { Exchange, ListExchangesInput, SetExchangeStatusInput } from '#contract/deals/exchanges.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { askAgain, checkNotReissuing, checkUnchanged } from '#server/coupons/codes/service.ts';
import type { AskedCode } from '#server/coupons/codes/validation.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { shownFeesRefusal } from '#server/deals/bids/service.ts';
import {
  changesOf,
  checkDealLimit,
  endRefusedDeal,
  refusalOf,
  termsNow,
} from '#server/deals/lifecycle/service.ts';
import { checkConfirmed } from '#server/people/accounts/service.ts';
import { type ApplyContext, applyChanges } from './apply.ts';
import { decide } from './decide.ts';
import { findOwn, lockOwn } from './own.ts';
import { mintAndComplete } from './reissuing.ts';
import { couponIdsOf, pricesOf } from './rules.ts';
import * as store from './store.ts';
import { toExchange } from './view.ts';

/** The caller's exchanges, newest first. @throws AppError bad_input on `page` beyond the counted rows */
export async function listExchanges(
  ctx: MemberContext,
  { tab, search = '', ...paging }: ListExchangesInput,
): Promise<Page<Exchange>> {
  const filter = { userId: ctx.actor.id, tab, search };
  const { rows, ...page } = await store.listExchanges(ctx.db, filter, paging);
  return { items: rows.map((row) => toExchange(row, ctx.actor.id, termsNow(ctx.config))), ...page };
}

/** The caller's exchanges with these ids, in no order. @throws AppError not_found if one is somebody else's */
export async function exchangesByIds(ctx: MemberContext, ids: readonly number[]): Promise<Exchange[]> {
  const rows = await store.findExchanges(ctx.db, ids);
  return rows.map((row) => toExchange(row, ctx.actor.id, termsNow(ctx.config)));
}

/** @throws AppError not_found, for strangers too */
export async function exchangeById(ctx: MemberContext, id: number): Promise<Exchange> {
  const row = await store.findExchange(ctx.db, id);
  if (!row) throw notFound(t`Exchange not found`);
  return toExchange(row, ctx.actor.id, termsNow(ctx.config));
}

/**
 * The rounds of the negotiation that an exchange is part of, the first one first: one, unless there are counter-offers.
 * @throws AppError not_found, for strangers too
 */
export async function roundsOf(ctx: MemberContext, id: number): Promise<Exchange[]> {
  const rounds = await store.listRounds(ctx.db, id);
  if (rounds.length === 0) throw notFound(t`Exchange not found`);
  return rounds.map((row) => toExchange(row, ctx.actor.id, termsNow(ctx.config)));
}

/**
 * Accepts, rejects, cancels or completes an exchange, as EXCHANGE_TRANSITIONS allows. In a ring, `accepted` is the
 * caller's consent, and the last one accepts it. A stale call fails with the exchange's current state.
 * @param from the only state to move it from; by default any that allows the move
 * @throws AppError not_found (strangers too), forbidden (wrong side), deal_changed, coupon_unavailable, coupon_reserved;
 *   bad_input (no prices or no deposit given); code_on_its_way (new codes are being made for it); when it would be completed: conflict
 *   (not everything is paid, a deposit is missing, or a programme gave no new code), code_refused, code_unchecked, rate_limited
 */
export async function setExchangeStatus(
  ctx: MemberContext,
  { id, status: to, acknowledgeUnchecked = false, ...seen }: SetExchangeStatusInput,
  from?: DealStatus,
): Promise<Exchange> {
  const asked = to === 'completed' ? await askAboutCodes(ctx, id, acknowledgeUnchecked) : [];
  if (to === 'accepted') checkConfirmed(ctx);
  const actorId = ctx.actor.id;
  const moved = await inTransaction(ctx.db, async (trx) => {
    const { exchange, side, coupons } = await lockOwn(trx, id, actorId);
    const at = ctx.clock();
    const refusals = {
      deals: to === 'accepted' ? await refusalOf(checkDealLimit(trx, actorId, at)) : null,
      fees: to === 'accepted' ? shownFeesRefusal(ctx) : null,
      codes: exchange.status === 'accepted' ? await refusalOf(checkCodes(trx, ctx, exchange, asked)) : null,
    };
    const mintable = mintableOf(ctx, asked);
    const happening = { kind: 'asked', actorId, side, to, from, seen, refusals, mintable } as const;
    const changes = changesOf(decide({ exchange, coupons, at }, happening));
    await applyChanges(trx, ctx, { exchange, actorId, at }, changes);
    if (changes.some(({ kind }) => kind === 'mint')) return null;
    return toExchange((await findOwn(trx, id, actorId)).exchange, actorId, termsNow(ctx.config));
  });
  if (moved) return moved;
  await mintAndComplete(ctx, { id, actorId, isAcknowledged: acknowledgeUnchecked });
  return exchangeById(ctx, id);
}

/** @throws AppError deal_changed (a code is another one than was asked about), code_on_its_way */
async function checkCodes(
  trx: Trx,
  ctx: MemberContext,
  exchange: store.ExchangeRow,
  asked: readonly AskedCode[],
): Promise<void> {
  await checkUnchanged(trx, ctx, asked);
  await checkNotReissuing(trx, couponIdsOf(exchange));
}

/** The coupons whose codes their programmes have just called fine, and can replace. */
function mintableOf({ providers }: MemberContext, asked: readonly AskedCode[]): number[] {
  return asked
    .filter(({ answer, merchant }) => answer === 'fine' && providers.validators.canReissue(merchant))
    .map(({ couponId }) => couponId);
}

/**
 * Completes an accepted exchange all of whose prices are paid, and notifies everybody. If one of its coupons has expired
 * meanwhile, it ends instead. The caller must hold the locks of its coupons and of the exchange.
 * @returns whether it was completed; not while somebody has to pay, or if a coupon can no longer change hands
 */
export async function completePaidExchange(
  trx: Trx,
  ctx: ApplyContext,
  id: number,
  at: Date,
): Promise<boolean> {
  const exchange = await store.findLocked(trx, id);
  if (!exchange) return false;
  const coupons = await lockCoupons(trx, couponIdsOf(exchange));
  const changes = changesOf(decide({ exchange, coupons, at }, { kind: 'paid' }));
  await applyChanges(trx, ctx, { exchange, actorId: null, at }, changes);
  return changes.some(({ kind }) => kind === 'transfer');
}

/**
 * Asks about the codes of an exchange of the caller's that they are about to complete (decisions 3.17). A "no" cancels it,
 * takes the coupon off the lists and tells everybody whose code it is.
 * @returns nothing for an exchange that cannot be completed: the completion says why
 * @throws AppError code_refused, code_unchecked (unless acknowledged), rate_limited
 */
async function askAboutCodes(ctx: MemberContext, id: number, acknowledged: boolean): Promise<AskedCode[]> {
  const exchange = await store.findExchange(ctx.db, id);
  const isOwn = exchange?.parties.some((party) => party.id === ctx.actor.id);
  if (!exchange || !isOwn || exchange.status !== 'accepted' || pricesOf(exchange).length > 0) return [];
  if (exchange.deposit !== null && exchange.parties.some(({ depositAt }) => depositAt === null)) return [];
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

export { noteDeposit } from './deposits.ts';
export { tradeOnMarketDay } from './market-day.ts';
export { addRing, addSwap, admitProposal } from './proposing.ts';
export { continueReissues } from './reissuing.ts';
