import { paths } from '#contract/pages.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { inTransaction } from '#server/database/client.ts';
import { audit } from '../audit/service.ts';
import { claimOfSale, endClaim } from '../claims/service.ts';
import type { Context } from '../context.ts';
import { notifyAll } from '../notifications/service.ts';
import { CLAIM_REMINDER } from '../notifications/texts/money.ts';
import { countInLanes } from './acts.ts';
import { askPerson } from './acts-store.ts';
import * as claims from './claims-store.ts';
import { lockPaymentWithDeal } from './locking.ts';
import { undo } from './protection.ts';
import { CLAIM_DAYS } from './rules.ts';

const AT_ONCE = 200;

/**
 * Claims about sales by PayPal must be decided before PayPal pays the seller by itself: reminds the moderators once, and
 * grants what nobody has decided. During a dispute PayPal pays nothing, and a refund would pay the buyer twice; so claims
 * wait for its end.
 * The hold of a buyer who is banned and could not be given their link lasts longer (deadlines.ts): at PayPal such a payment
 * is refunded at the same time, at Stripe an admin is asked.
 * @returns the number of reminders, granted claims and refunds
 */
export async function keepClaimDeadlines(ctx: Context): Promise<number> {
  const now = ctx.clock();
  const late = (days: number, isNew: boolean) =>
    claims.listLateClaims(ctx.db, { paidBefore: addDays(now, -days), isNew, limit: AT_ONCE });
  const granted = await countInLanes(ctx, 'paymentId', await late(CLAIM_DAYS.grant, false), (id) =>
    grant(ctx, id),
  );
  const reminded = await countInLanes(ctx, 'paymentId', await late(CLAIM_DAYS.remind, true), (id) =>
    remind(ctx, id),
  );
  const unheard = await claims.listUnheard(ctx.db, {
    now,
    paidBefore: addDays(now, -CLAIM_DAYS.grant),
    limit: AT_ONCE,
  });
  const returned = await countInLanes(ctx, 'paymentId', unheard, (id) => endUnheard(ctx, id));
  return granted + reminded + returned;
}

function remind(ctx: Context, paymentId: number): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const at = ctx.clock();
    const { bid, payment } = await lockPaymentWithDeal(trx, paymentId);
    if (!(await claims.markReminded(trx, paymentId, at))) return false;
    const end = payment.paidAt && utcDay(addDays(payment.paidAt, CLAIM_DAYS.grant));
    const deciders = await claims.listDeciders(trx, [payment.senderId, payment.receiverId]);
    await notifyAll(
      trx,
      deciders.map((userId) => ({
        userId,
        type: 'other',
        content: CLAIM_REMINDER.text({ coupon: bid.couponTitle, day: end }),
        relatedId: null,
        link: paths.claims,
        mailSubject: CLAIM_REMINDER.subject,
        at,
      })),
    );
    return true;
  });
}

function grant(ctx: Context, paymentId: number): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const at = ctx.clock();
    const locked = await lockPaymentWithDeal(trx, paymentId);
    const { status, isDisputed, receiverId } = locked.payment;
    if (status !== 'held' || isDisputed) return false;
    const note = 'Nobody decided this claim in time.';
    const end = { claim: { paymentId }, status: 'refunded', note, decidedBy: null, at } as const;
    if (!(await endClaim(trx, end))) return false;
    await undo(trx, locked, 'claim_overdue', at);
    const details = `Claim on bid ${locked.bid.id}. ${note}`;
    await audit(trx, { actorId: null, action: 'claim_refunded', details, targetUserId: receiverId, at });
    return true;
  });
}

const UNHEARD =
  'The buyer is banned, and our mail with the link to claim has not reached them. The money waits for them.';

function endUnheard(ctx: Context, paymentId: number): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const at = ctx.clock();
    const locked = await lockPaymentWithDeal(trx, paymentId);
    const { status, isDisputed, holdUntil, provider } = locked.payment;
    const isUnheard = status === 'held' && !isDisputed && holdUntil !== null && holdUntil > at;
    if (!isUnheard || (await claimOfSale(trx, paymentId))?.status === 'open') return false;
    if (provider === 'paypal') await undo(trx, locked, 'unheard', at);
    else await askPerson(trx, locked.payment, UNHEARD, at);
    return true;
  });
}
