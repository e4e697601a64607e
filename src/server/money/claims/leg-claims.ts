import { t } from '@lingui/core/macro';
import type { Claim, DecideLegClaimInput, LegClaim, OpenLegClaimInput } from '#contract/money/claims.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { storeFailure } from '#server/coupons/codes/service.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import { holdForReturn } from '#server/deals/bids/service.ts';
import { endClaim } from '#server/deals/lifecycle/service.ts';
import { hurryDeposits } from '#server/money/deposits/service.ts';
import { mailClaimIfBanned } from '#server/people/accounts/service.ts';
import { addClaim, findClaimOfParty, findClaimToDecide, shownClaim, tellOfClaim } from './claims.ts';
import { legObstacle, returnOfLegText } from './decide.ts';
import { stopSalesIfDue } from './sale-stop.ts';
import * as store from './store.ts';
import { endExchangeClaim, lockLegs, settlePrice } from './verdicts.ts';
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
    await hurryDeposits(trx, exchangeId, at);
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
    await hurryDeposits(trx, exchangeId, at);
    if (paidBidId !== null) await settlePrice(trx, ctx, { bidId: paidBidId, isUpheld: false, at });
    await tellOfClaim(trx, { transition: 'withdraw', claim: { id }, actorId: ctx.actor.id, at });
  });
}

/**
 * Decides a claim about an exchange.
 * @throws AppError not_found (a claim about a sale, too), forbidden (a party), and as endExchangeClaim
 */
export async function decideLegClaim(
  ctx: MemberContext,
  { id, decision, note }: DecideLegClaimInput,
): Promise<Claim> {
  const { exchangeId } = await findClaimToDecide(ctx, id);
  if (exchangeId === null) throw notFound(t`Claim not found`);
  const verdict = { isGranted: decision === 'upheld', note, decidedBy: ctx.actor.id };
  await inTransaction(ctx.db, (trx) => endExchangeClaim(trx, ctx, { id, exchangeId, verdict }));
  return shownClaim(ctx, id);
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
