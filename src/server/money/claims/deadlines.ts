import { t } from '@lingui/core/macro';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays, addHours, utcDay } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { countGoneWell } from '#server/deals/lifecycle/service.ts';
import { countInWorkers, findPaymentOfBid } from '#server/money/payments/service.ts';
import { OUR_NOTES } from '#server/texts/claim-notes.ts';
import { CLAIM_DEADLINE_TEXTS } from '#server/texts/claims.ts';
import type { StoredText } from '#server/texts/stored.ts';
import { claimById, findClaimOfParty, notifyOfClaim } from './claims.ts';
import * as due from './deadlines-store.ts';
import {
  type ClaimRecord,
  decideBy,
  defaultFor,
  dueSince,
  dueStep,
  endOfAnnounced,
  type Side,
} from './defaults.ts';
import { contestFinding, endsByFinding } from './findings.ts';
import { refundBeforePaypalPays } from './holds.ts';
import { type ClaimRow, listDeciders } from './store.ts';
import { endExchangeClaim, endSaleClaim } from './verdicts.ts';

const AT_ONCE = 200;

/**
 * Every claim ends: takes the steps that are due for open claims (defaults.ts), and refunds what PayPal would pay.
 * @returns the number of steps and refunds
 */
export async function keepClaimDeadlines(ctx: Context): Promise<number> {
  const now = ctx.clock();
  const madeBefore = dueSince(ctx.config.claimDays, now);
  const ids = await due.listDue(ctx.db, { madeBefore, toldBefore: addDays(now, -1), now, limit: AT_ONCE });
  const steps = await countInWorkers(ctx, 'claimId', ids, (id) => takeStep(ctx, id));
  return steps + (await refundBeforePaypalPays(ctx));
}

/** Takes the step that is due for a claim. @returns whether there was one */
async function takeStep(ctx: Context, id: number): Promise<boolean> {
  const step = await inTransaction(ctx.db, async (trx) => {
    if (!(await due.lockOpen(trx, id))) return null;
    const claim = await claimById(trx, id);
    const payment = claim.paidBidId === null ? null : await findPaymentOfBid(trx, claim.paidBidId);
    const at = ctx.clock();
    const next = dueStep({ ...claim, isDisputed: payment?.isDisputed ?? false }, ctx.config.claimDays, at);
    if (next === 'remind') await remind(trx, ctx, claim, at);
    if (next === 'announce') await announce(trx, claim, at);
    if (next === 'tell') await tellAdmins(trx, claim, at);
    return next;
  });
  return step === 'end' ? end(ctx, id) : step !== null;
}

async function remind(trx: Trx, ctx: Context, claim: ClaimRow, at: Date): Promise<void> {
  await due.markReminded(trx, claim.id, at);
  const day = utcDay(decideBy(claim.createdAt, ctx.config.claimDays));
  await notifyOfClaim(trx, claim, await listDeciders(trx, [claim.claimantId, claim.giverId]), {
    subject: CLAIM_DEADLINE_TEXTS.reminder.subject(),
    text: CLAIM_DEADLINE_TEXTS.reminder.text({ coupon: claim.couponTitle, day }),
    at,
  });
}

/** Tells both sides how the claim will end, and admins; where it cannot end by itself, admins alone. */
async function announce(trx: Trx, claim: ClaimRow, at: Date): Promise<void> {
  const { id, claimantId, giverId, couponTitle: coupon } = claim;
  const winner = claim.findingFor ?? (await winnerByRecords(trx, claim, at));
  if (winner === null) return tellAdmins(trx, claim, at);
  const defaultAt = endOfAnnounced(at);
  await due.setDefault(trx, id, { defaultFor: winner, defaultAt });
  const announced = { coupon, at: defaultAt.toISOString(), isGranted: winner === 'claimant' };
  const { announced: texts, toAdmins } = CLAIM_DEADLINE_TEXTS;
  const [winnerId, loserId] = winner === 'claimant' ? [claimantId, giverId] : [giverId, claimantId];
  const said = { subject: texts.subject(), at };
  await notifyOfClaim(trx, claim, [winnerId], { ...said, text: texts.winner(announced) });
  await notifyOfClaim(trx, claim, [loserId], { ...said, text: texts.loser(announced) });
  await tellAdmins(trx, claim, at, toAdmins.announced(announced));
}

async function winnerByRecords(
  trx: Trx,
  { claimantId, giverId, answer }: ClaimRow,
  at: Date,
): Promise<Side | null> {
  const records = [await recordOf(trx, claimantId, at), await recordOf(trx, giverId, at)] as const;
  return defaultFor(...records, answer !== null);
}

async function recordOf(trx: Trx, userId: number, at: Date): Promise<ClaimRecord> {
  const counts = await due.countRecord(trx, userId, at);
  return { ...counts, wellWith: await countGoneWell(trx, userId, addHours(at, -CLAIM_HOURS)) };
}

async function tellAdmins(trx: Trx, claim: ClaimRow, at: Date, text?: StoredText): Promise<void> {
  const { subject, waits } = CLAIM_DEADLINE_TEXTS.toAdmins;
  await due.markAdminsTold(trx, claim.id, at);
  await notifyOfClaim(trx, claim, await listDeciders(trx, [claim.claimantId, claim.giverId], ['admin']), {
    subject: subject(),
    text: text ?? waits({ coupon: claim.couponTitle }),
    at,
  });
}

/**
 * Ends a claim as it was announced. Where that is not possible, as the coupon can no longer go back, an admin has to decide.
 * @returns false if it has not ended so
 */
async function end(ctx: Context, id: number): Promise<boolean> {
  const { bidId, exchangeId, defaultFor: winner, findingFor } = await claimById(ctx.db, id);
  const note = findingFor === null ? OUR_NOTES.byDefault : OUR_NOTES.byFinding;
  const verdict = { isGranted: winner === 'claimant', note, decidedBy: null };
  try {
    await inTransaction(ctx.db, async (trx) => {
      if (exchangeId !== null) return endExchangeClaim(trx, ctx, { id, exchangeId, verdict });
      const sale = bidId === null ? null : await findPaymentOfBid(trx, bidId);
      if (!sale) throw new Error(`Claim ${id} is about no deal`);
      return endSaleClaim(trx, ctx, { id, paymentId: sale.id, verdict });
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await due.withdrawDefault(ctx.db, id);
    return false;
  }
  return true;
}

/**
 * Whoever would lose a claim by its announced end asks for a person, once: a moderator where the merchant's word would end
 * it; else an admin, and it does not end by itself any more.
 * @throws AppError not_found (strangers too), forbidden (whoever would win), deal_changed (no end is announced, it has ended, or
 *   was appealed before)
 */
export async function appealClaim(ctx: MemberContext, id: number): Promise<void> {
  const claim = await findClaimOfParty(ctx, id);
  const { claimantId, giverId, defaultFor: winner } = claim;
  const winnerId = winner === 'claimant' ? claimantId : winner === 'giver' ? giverId : null;
  if (winnerId === ctx.actor.id) throw new AppError('forbidden', t`This claim would end in your favor.`);
  if (endsByFinding(claim)) return contestFinding(ctx, claim);
  await inTransaction(ctx.db, async (trx) => {
    if (!(await due.appeal(trx, id, ctx.clock())))
      throw new AppError(
        'deal_changed',
        t`You can ask an admin once, after we have told you how the claim will end.`,
      );
  });
}
