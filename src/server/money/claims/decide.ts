import { t } from '@lingui/core/macro';
import { utcDayAndTime } from '#contract/base/locale.ts';
import type { Cents } from '#contract/base/money.ts';
import type { DealStatus } from '#contract/deals/deals.ts';
import { LATE_CLAIM_DAYS, LATE_CLAIMS_MAX } from '#contract/money/guarantee.ts';
import type { ReturnObstacle } from '#server/deals/bids/rules.ts';
import { stateText } from '#server/deals/lifecycle/service.ts';
import type { Happening } from '#server/money/payments/decide.ts';
import { saleOf } from '#server/money/payments/service.ts';
import type { Payment } from '#server/money/payments/store.ts';

/*
 * Who may claim, and until when; what is held; and what the end of a hold or of a claim is for the payment. An obstacle is
 * a text that says why not; null: nothing speaks against it.
 */

/** What the locked payment is, and whether a claim about what it has paid for is open. */
interface Held {
  readonly payment: Payment;
  readonly hasOpenClaim: boolean;
  readonly at: Date;
}

const isHeld = ({ status, isDisputed }: Payment) => status === 'held' && !isDisputed;
const isHoldOver = ({ holdUntil }: Payment, at: Date) => holdUntil !== null && holdUntil <= at;

/** The end of a hold: the sale is final, unless a claim or a dispute keeps the money. Null: nothing happens yet. */
export function endOfHold({ payment, hasOpenClaim, at }: Held): Happening | null {
  if (!isHeld(payment) || hasOpenClaim || !isHoldOver(payment, at)) return null;
  return { what: 'final', notice: 'released' };
}

/** Whether a claim that nobody has decided in time gives the money back; during a dispute it waits. */
export function isOverdue({ payment, hasOpenClaim }: Omit<Held, 'at'>): boolean {
  return isHeld(payment) && hasOpenClaim;
}

const UNHEARD =
  'The buyer is banned, and our mail with the link to claim has not reached them. The money waits for them.';

/** Whether a payment is held only because its buyer could not act. */
export function isUnheard({ payment, hasOpenClaim, at }: Held): boolean {
  return isHeld(payment) && !hasOpenClaim && payment.holdUntil !== null && payment.holdUntil > at;
}

/** What becomes of it before PayPal pays. @param canReturn at PayPal, with the coupon; else a person decides */
export function endOfUnheard(canReturn: boolean): Happening {
  return canReturn ? { what: 'undone', notice: 'unheard' } : { what: 'unclear', why: UNHEARD };
}

/** Why the money is not held. */
function heldObstacle({ status }: Payment): string | null {
  return status === 'held' ? null : t`We no longer hold the money of this sale.`;
}

/** Why nothing can be paid out or refunded. */
function disputeObstacle({ isDisputed }: Payment): string | null {
  if (!isDisputed) return null;
  return t`The buyer’s bank disputes this payment. We cannot pay out or refund anything until it has decided.`;
}

/** Why the buyer cannot confirm that the code works. */
export function confirmObstacle({ payment, hasOpenClaim }: Omit<Held, 'at'>): string | null {
  const claimed = hasOpenClaim ? t`You made a claim about this code. Withdraw it first.` : null;
  return heldObstacle(payment) ?? disputeObstacle(payment) ?? claimed;
}

/** Why the buyer cannot claim while, or because, the money is held. */
export function claimObstacle(payment: Payment, at: Date): string | null {
  const over = isHoldOver(payment, at) ? t`It is too late for a claim: this sale is final.` : null;
  return heldObstacle(payment) ?? over;
}

/** Whether the guarantee of a sale that is not undone has not ended. */
export function isCovered({ coverUntil, holdUntil, status }: Payment, at: Date): boolean {
  const isSale = ['held', 'final'].includes(saleOf(status));
  return isSale && coverUntil !== null && holdUntil !== null && coverUntil > holdUntil && coverUntil > at;
}

/** What a final sale has put into the reserve at most. */
export const reservePartOf = ({ platformFee, reservePercent }: Payment): Cents =>
  Math.floor((platformFee * reservePercent) / 100);

/** Why the guarantee of a final sale hears no claim. */
export function coverObstacle(payment: Payment, at: Date): string | null {
  if (payment.coverUntil === null) return t`We no longer hold the money of this sale.`;
  return isCovered(payment, at) ? null : t`It is too late for a claim: the guarantee of this sale has ended.`;
}

/** Why a coupon cannot go back under the guarantee. */
export function returnOfSaleText(obstacle: ReturnObstacle | null): string | null {
  if (obstacle === 'gone') return t`You have used this coupon or passed it on, so the guarantee has ended.`;
  return obstacle === 'promised' ? promisedText() : null;
}

const promisedText = () => t`This coupon is part of another deal of yours. Cancel that deal first.`;

/** Why a person cannot make one more claim under the guarantee. @param claims of theirs in the last days, open or upheld */
export function lateClaimsObstacle(claims: number): string | null {
  if (claims < LATE_CLAIMS_MAX) return null;
  return t`You already have ${LATE_CLAIMS_MAX} open or upheld claims under the guarantee in the last ${LATE_CLAIM_DAYS} days.`;
}

/** Somebody with an open claim about what another person gave. */
export interface OpenClaimant {
  /** How many claims of theirs were declined. */
  readonly declined: number;
}

/** How many granted claims, and how many open ones of independent people, stop somebody's sales until a moderator has looked. */
const STOPS_AT = { granted: 2, open: 3 } as const;

/** The claim of somebody whose claims were declined before weighs less. */
const weightOf = ({ declined }: OpenClaimant) => 1 / (1 + declined);

/** Whether somebody sells nothing more until a moderator has looked at the claims about what they gave. */
export function isSaleToStop(claims: { granted: number; open: readonly OpenClaimant[] }): boolean {
  const weight = claims.open.reduce((sum, claimant) => sum + weightOf(claimant), 0);
  return claims.granted >= STOPS_AT.granted || weight >= STOPS_AT.open;
}

/** Why a claim cannot be decided yet: nobody is judged unheard, and its giver can still answer (ANSWER_DEADLINE). */
export function answerObstacle(answerBy: Date | null, at: Date): string | null {
  if (answerBy === null || at >= answerBy) return null;
  const [day, time] = utcDayAndTime(answerBy.toISOString());
  return t`The other person can answer until ${day}, ${time} UTC. You can decide after that, or once they have answered.`;
}

/** A moderator's word on a claim about a sale. `isLate`: under the guarantee. */
interface Verdict {
  readonly isLate: boolean;
  readonly isRefund: boolean;
}

/** Why a claim about a sale cannot be decided so. @param given `isOpen`, `answerBy`: of the claim */
export function verdictObstacle(
  payment: Payment,
  { isLate, isRefund }: Verdict,
  { isOpen, answerBy, at }: { isOpen: boolean; answerBy: Date | null; at: Date },
): string | null {
  const disputed = isRefund ? disputeObstacle(payment) : null;
  const awaited = answerObstacle(answerBy, at);
  const canEnd = isOpen && saleOf(payment.status) === (isLate ? 'final' : 'held');
  return disputed ?? awaited ?? (canEnd ? null : t`This claim is no longer open.`);
}

/** What a decided claim about a sale is for its payment. */
export function endOfSaleClaim({ isLate, isRefund }: Verdict, note: string): Happening {
  if (isLate)
    return isRefund ? { what: 'awarded', note } : { what: 'claim_ended', notice: 'late_refused', note };
  return isRefund
    ? { what: 'undone', notice: 'claim_refunded', note }
    : { what: 'final', notice: 'claim_released', note };
}

/** What the end of a claim about an exchange is for what was paid there; null: the payer has the money back already. */
export function endOfLegClaim({ status }: Pick<Payment, 'status'>, isUpheld: boolean): Happening | null {
  if (!isUpheld) return { what: 'claim_ended', notice: null };
  return saleOf(status) === 'undone' ? null : { what: 'undone', notice: 'claim_refunded' };
}

/** Why the receiver of a coupon cannot claim: its exchange is not completed, or it is too late. */
export function legObstacle(
  { status, claimBy }: { readonly status: DealStatus; readonly claimBy: Date | null },
  at: Date,
): string | null {
  if (claimBy === null) {
    const state = stateText('exchange', status);
    return t`${state} You can make a claim once it is completed.`;
  }
  return at >= claimBy ? t`It is too late for a claim: this exchange is final.` : null;
}

/** Why the price of a leg cannot go back with its coupon. */
export function returnOfLegText(obstacle: ReturnObstacle | null): string | null {
  if (obstacle === 'gone')
    return t`You have used this coupon or passed it on, so we cannot refund what you paid for it.`;
  return obstacle === 'promised' ? promisedText() : null;
}
