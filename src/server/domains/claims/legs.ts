import { t } from '@lingui/core/macro';
import type { Claim, DecideLegClaimInput, LegClaim, OpenLegClaimInput } from '#contract/claims.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { mailClaimIfBanned } from '../accounts/defence.ts';
import { audit } from '../audit/service.ts';
import type { MemberContext } from '../context.ts';
import { storeFailure } from '../coupons/code-feedback.ts';
import { lockCoupons } from '../coupons/reservations.ts';
import { stateText } from '../deals/service.ts';
import {
  addClaim,
  claimById,
  endClaim,
  findClaimOfParty,
  findClaimToDecide,
  tellOfClaim,
} from './service.ts';
import * as store from './store.ts';
import { toClaim, toLegClaim } from './view.ts';

/** What the caller gave and got in an exchange, with the claims about it. @throws AppError not_found, for strangers too */
export async function claimsOfExchange(ctx: MemberContext, exchangeId: number): Promise<LegClaim[]> {
  const [legs, at] = [await listOwnLegs(ctx, exchangeId), ctx.clock()];
  const isOwn = ({ giverId, receiverId }: store.LegClaimRow) => [giverId, receiverId].includes(ctx.actor.id);
  return legs.filter(isOwn).map((leg) => toLegClaim(leg, ctx.actor.id, at));
}

/**
 * Claims that the code of a coupon does not work that the caller got in an exchange, and asks the giver for their word.
 * @throws AppError not_found (strangers too), forbidden (who did not get it), deal_changed (not completed, or too late),
 *   conflict (a second claim),
 *   bad_input (a picture is not theirs or gone)
 */
export async function openLegClaim(
  ctx: MemberContext,
  { exchangeId, couponId, reason, pictures = [] }: OpenLegClaimInput,
): Promise<LegClaim[]> {
  const leg = (await listOwnLegs(ctx, exchangeId)).find((one) => one.couponId === couponId);
  if (!leg) throw notFound(t`Coupon not found`);
  if (leg.receiverId !== ctx.actor.id) {
    throw new AppError('forbidden', t`Only the person who got the coupon can say whether its code works.`);
  }
  if (leg.claimBy === null) {
    const state = stateText('exchange', leg.status);
    throw new AppError('deal_changed', t`${state} You can make a claim once it is completed.`);
  }
  const at = ctx.clock();
  if (at >= leg.claimBy) {
    throw new AppError('deal_changed', t`It is too late for a claim: this exchange is final.`);
  }
  await inTransaction(ctx.db, async (trx) => {
    const about = { exchangeId, couponId };
    await addClaim(
      trx,
      { about, reason, pictures, claimantId: ctx.actor.id, at },
      (cause) => new AppError('conflict', t`You can make only one claim for each coupon.`, { cause }),
    );
    await tellOfClaim(trx, { transition: 'open', claim: about, actorId: ctx.actor.id, at });
    await mailClaimIfBanned(trx, leg.giverId, at);
  });
  return claimsOfExchange(ctx, exchangeId);
}

/**
 * Takes a claim about an exchange back: the code works after all.
 * @throws AppError not_found (strangers too, or a claim about a sale), forbidden (the giver), deal_changed (not open)
 */
export async function withdrawLegClaim(ctx: MemberContext, id: number): Promise<void> {
  const { exchangeId, claimantId } = await findClaimOfParty(ctx, id);
  if (exchangeId === null) throw notFound(t`Claim not found`);
  if (claimantId !== ctx.actor.id) {
    throw new AppError('forbidden', t`Only the person who made the claim can withdraw it.`);
  }
  await inTransaction(ctx.db, async (trx) => {
    const at = ctx.clock();
    const end = { claim: { id }, status: 'withdrawn', note: null, decidedBy: null, at } as const;
    if (!(await endClaim(trx, end))) throw notOpen();
    await tellOfClaim(trx, { transition: 'withdraw', claim: { id }, actorId: ctx.actor.id, at });
  });
}

/**
 * Decides a claim about an exchange. The coupons stay where they are: an upheld claim counts on the giver's profile, and
 * as an answer to "Does the code work?".
 * @param refundPrice gives the claimant back what they paid for the coupon besides: money is on a higher floor
 * @throws AppError not_found (a claim about a sale, too), forbidden (a party), deal_changed (not open, or the giver's
 *   word is still awaited)
 */
export async function decideLegClaim(
  ctx: MemberContext,
  { id, decision, note }: DecideLegClaimInput,
  refundPrice: (trx: Trx, bidId: number, at: Date) => Promise<void>,
): Promise<Claim> {
  const { exchangeId, couponId, claimantId, giverId, paidBidId } = await findClaimToDecide(ctx, id);
  if (exchangeId === null) throw notFound(t`Claim not found`);
  const legs = await store.listLegs(ctx.db, exchangeId);
  const isUpheld = decision === 'upheld';
  await inTransaction(ctx.db, async (trx) => {
    await lockCoupons(
      trx,
      legs.map((leg) => leg.couponId),
    );
    const at = ctx.clock();
    const { answerBy } = await claimById(trx, id);
    if (answerBy !== null && at < answerBy) {
      throw new AppError('deal_changed', t`The other person can still answer. Please wait for their answer.`);
    }
    const end = { claim: { id }, status: decision, note, decidedBy: ctx.actor.id, at } as const;
    if (!(await endClaim(trx, end))) throw notOpen();
    await tellOfClaim(trx, {
      transition: isUpheld ? 'uphold' : 'refuse',
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
    if (!isUpheld) return;
    if (paidBidId !== null) await refundPrice(trx, paidBidId, at);
    await storeFailure(trx, { couponId, userId: claimantId, at });
    // Locks a person, so it comes last.
    await store.addFailedCode(trx, giverId);
  });
  return toClaim(await claimById(ctx.db, id), ctx.actor.id);
}

function notOpen(): AppError {
  return new AppError('deal_changed', t`This claim is no longer open.`);
}

/** The legs of an exchange of the caller's. */
async function listOwnLegs(ctx: MemberContext, exchangeId: number): Promise<store.LegClaimRow[]> {
  const legs = await store.listLegs(ctx.db, exchangeId);
  if (!legs.some(({ giverId }) => giverId === ctx.actor.id)) throw notFound(t`Exchange not found`);
  return legs;
}
