import { t } from '@lingui/core/macro';
import type { Claim, DecideLegClaimInput, LegClaim, OpenLegClaimInput } from '#contract/money/claims.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { storeFailure } from '#server/coupons/codes/service.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import { holdForReturn } from '#server/deals/bids/service.ts';
import { endClaim } from '#server/deals/lifecycle/service.ts';
import { findPaymentOfBid, follow, lockPaymentWithDeal } from '#server/money/payments/service.ts';
import { mailClaimIfBanned } from '#server/people/accounts/service.ts';
import { audit } from '#server/people/audit/service.ts';
import {
  addClaim,
  claimById,
  findClaimOfParty,
  findClaimToDecide,
  shownClaim,
  tellOfClaim,
} from './claims.ts';
import { answerObstacle, endOfLegClaim, legObstacle, returnOfLegText } from './decide.ts';
import { countFailedCode, stopSalesIfDue } from './sale-stop.ts';
import * as store from './store.ts';
import { toLegClaim } from './view.ts';

/** What the caller gave and got in an exchange, with the claims about it. @throws AppError not_found, for strangers too */
export async function claimsOfExchange(ctx: MemberContext, exchangeId: number): Promise<LegClaim[]> {
  const [legs, at] = [await listOwnLegs(ctx.db, ctx.actor.id, exchangeId), ctx.clock()];
  const isOwn = ({ giverId, receiverId }: store.LegClaimRow) => [giverId, receiverId].includes(ctx.actor.id);
  return legs.filter(isOwn).map((leg) => toLegClaim(leg, ctx.actor.id, at));
}

/**
 * Claims that the code of a coupon does not work that the caller got in an exchange, and asks the giver for their word. A
 * coupon that was paid for is reserved until the decision.
 * @throws AppError not_found (strangers too), forbidden (who did not get it), deal_changed (not completed, too late, or
 *   paid for, but used, passed on or in another deal), conflict (a second claim),
 *   bad_input (a picture is not theirs or gone)
 */
export async function openLegClaim(
  ctx: MemberContext,
  { exchangeId, couponId, reason, pictures = [] }: OpenLegClaimInput,
): Promise<LegClaim[]> {
  await inTransaction(ctx.db, async (trx) => {
    await lockCoupons(trx, [couponId]);
    const leg = (await listOwnLegs(trx, ctx.actor.id, exchangeId)).find((one) => one.couponId === couponId);
    if (!leg) throw notFound(t`Coupon not found`);
    if (leg.receiverId !== ctx.actor.id) {
      throw new AppError('forbidden', t`Only the person who got the coupon can say whether its code works.`);
    }
    const at = ctx.clock();
    refuse(legObstacle(leg, at));
    const about = { exchangeId, couponId };
    await addClaim(
      trx,
      { about, reason, pictures, claimantId: ctx.actor.id, at },
      (cause) => new AppError('conflict', t`You can make only one claim for each coupon.`, { cause }),
    );
    await storeFailure(trx, { couponId, userId: ctx.actor.id, at });
    if (leg.priceBidId !== null) await holdPaid(trx, { ...leg, priceBidId: leg.priceBidId, at });
    await tellOfClaim(trx, { transition: 'open', claim: about, actorId: ctx.actor.id, at });
    await mailClaimIfBanned(trx, leg.giverId, at);
    await stopSalesIfDue(trx, leg.giverId, at);
  });
  return claimsOfExchange(ctx, exchangeId);
}

/** Reserves a coupon that was paid for: its price goes back only with it. @throws AppError deal_changed */
async function holdPaid(
  trx: Trx,
  leg: store.LegClaimRow & { readonly priceBidId: number; readonly at: Date },
): Promise<void> {
  const { priceBidId: id, couponId, exchangeId, giverId: ownerId, receiverId: bidderId, at } = leg;
  const purchase = { id, couponId, exchangeId, ownerId, bidderId };
  refuse(returnOfLegText(await holdForReturn(trx, purchase, at)));
}

/**
 * Takes a claim about an exchange back: the code works after all.
 * @throws AppError not_found (strangers too, or a claim about a sale), forbidden (the giver), deal_changed (not open)
 */
export async function withdrawLegClaim(ctx: MemberContext, id: number): Promise<void> {
  const { exchangeId, claimantId, paidBidId } = await findClaimOfParty(ctx, id);
  if (exchangeId === null) throw notFound(t`Claim not found`);
  if (claimantId !== ctx.actor.id) {
    throw new AppError('forbidden', t`Only the person who made the claim can withdraw it.`);
  }
  await inTransaction(ctx.db, async (trx) => {
    await lockLegs(trx, exchangeId);
    const at = ctx.clock();
    const end = { claim: { id }, status: 'withdrawn', note: null, decidedBy: null, at } as const;
    if (!(await endClaim(trx, end))) refuse(t`This claim is no longer open.`);
    if (paidBidId !== null) await settlePrice(trx, ctx, { bidId: paidBidId, isUpheld: false, at });
    await tellOfClaim(trx, { transition: 'withdraw', claim: { id }, actorId: ctx.actor.id, at });
  });
}

/**
 * Decides a claim about an exchange. An upheld one counts on the giver's profile, and as an answer to "Does the code
 * work?". What the claimant paid for the coupon goes back to them, and the coupon with it; other coupons stay where they are.
 * @throws AppError not_found (a claim about a sale, too), forbidden (a party), deal_changed (not open, or the giver's
 *   word is still awaited), payment_changed (the coupon cannot go back with the money)
 */
export async function decideLegClaim(
  ctx: MemberContext,
  { id, decision, note }: DecideLegClaimInput,
): Promise<Claim> {
  const { exchangeId, couponId, claimantId, giverId, paidBidId } = await findClaimToDecide(ctx, id);
  if (exchangeId === null) throw notFound(t`Claim not found`);
  const isUpheld = decision === 'upheld';
  await inTransaction(ctx.db, async (trx) => {
    await lockLegs(trx, exchangeId);
    const at = ctx.clock();
    refuse(answerObstacle((await claimById(trx, id)).answerBy, at));
    const end = { claim: { id }, status: decision, note, decidedBy: ctx.actor.id, at } as const;
    if (!(await endClaim(trx, end))) refuse(t`This claim is no longer open.`);
    await tellOfClaim(trx, {
      transition: !isUpheld ? 'refuse' : paidBidId === null ? 'uphold' : 'upholdPaid',
      claim: { id },
      actorId: ctx.actor.id,
      at,
    });
    await audit(trx, ctx, {
      actorId: ctx.actor.id,
      action: `claim_${decision}`,
      details: `Claim ${id} on exchange ${exchangeId}. ${note}`,
      targetUserId: isUpheld ? giverId : claimantId,
      at,
    });
    if (paidBidId !== null) await settlePrice(trx, ctx, { bidId: paidBidId, isUpheld, at });
    if (!isUpheld) return;
    await storeFailure(trx, { couponId, userId: claimantId, at });
    await countFailedCode(trx, giverId, at);
  });
  return shownClaim(ctx, id);
}

/**
 * Settles what was paid for a coupon in an exchange after a claim about it: an upheld one gives the payer all of it back, and
 * the giver the coupon; after another one the coupon is free again. Does nothing if the payer has the money back.
 * @throws AppError payment_changed when the payer no longer has the coupon
 */
async function settlePrice(
  trx: Trx,
  ctx: MemberContext,
  { bidId, isUpheld, at }: { bidId: number; isUpheld: boolean; at: Date },
): Promise<void> {
  const payment = await findPaymentOfBid(trx, bidId);
  if (!payment) return;
  const locked = await lockPaymentWithDeal(trx, payment.id);
  const end = endOfLegClaim(locked.payment, isUpheld);
  if (end !== null) await follow(trx, ctx, locked, end, at);
}

/** Locks the coupons of a completed exchange: its price locks them all, in id order. */
async function lockLegs(trx: Trx, exchangeId: number): Promise<void> {
  const legs = await store.listLegs(trx, exchangeId);
  await lockCoupons(
    trx,
    legs.map(({ couponId }) => couponId),
  );
}

/** @throws AppError deal_changed unless null */
function refuse(obstacle: string | null): void {
  if (obstacle !== null) throw new AppError('deal_changed', obstacle);
}

/** The legs of an exchange of this person's. */
async function listOwnLegs(
  db: Database | Trx,
  actorId: number,
  exchangeId: number,
): Promise<store.LegClaimRow[]> {
  const legs = await store.listLegs(db, exchangeId);
  if (!legs.some(({ giverId }) => giverId === actorId)) throw notFound(t`Exchange not found`);
  return legs;
}
