import type { DealStatus } from '#contract/deals/deals.ts';
import type { LegClaimStatus } from '#contract/money/claims.ts';
import { DEPOSIT_LAPSE_DAYS, type DepositStatus } from '#contract/money/deposits.ts';
import { addDays } from '#server/core/clock.ts';
import type { DepositState } from '#server/providers/payments.ts';

/* What becomes of a deposit (decisions 3.20). docs/deposits.md tells it in words. */

/** What somebody who put up a deposit gave to another. */
export interface GivenLeg {
  readonly receiverId: number;
  /** The state of the claim about it; null: there is none. */
  readonly claim: LegClaimStatus | null;
  /** Until when it can be claimed; null before it has moved. */
  readonly claimBy: Date | null;
}

/** All that decides about a deposit, as it is at one time. */
export interface DepositFacts {
  readonly status: DepositStatus;
  readonly authorisedAt: Date | null;
  readonly exchange: DealStatus;
  /** What whoever put it up gave in the exchange. */
  readonly given: readonly GivenLeg[];
  /** Whether everybody in the exchange has said after it that what they got works. */
  readonly isConfirmed: boolean;
  readonly at: Date;
}

/** What has to be done at the provider; wait: nothing now. */
export type DepositStep = 'wait' | 'release' | 'capture' | 'refund' | 'payOut';

/**
 * The next step of a deposit. While its exchange waits, it waits. A claim against whoever put it up captures it; a granted
 * one pays it to the claimant; where none was granted and none can come, it goes back. Without a claim it is released after
 * the 72 hours, or when everybody in the exchange has said that what they got works; at the latest when a card's
 * authorisation lapses.
 */
export function nextStep(facts: DepositFacts): DepositStep {
  const { status, authorisedAt, exchange, given, at } = facts;
  const isClaimed = given.some(({ claim }) => claim === 'open' || claim === 'upheld');
  switch (status) {
    case 'open':
      return exchange === 'accepted' ? 'wait' : 'release';
    case 'authorised': {
      if (exchange === 'completed' && isClaimed) return 'capture';
      const isLapsed = authorisedAt !== null && addDays(authorisedAt, DEPOSIT_LAPSE_DAYS) <= at;
      if (isLapsed) return 'release';
      if (exchange === 'accepted') return 'wait';
      return exchange !== 'completed' || areSettled(facts) ? 'release' : 'wait';
    }
    case 'captured':
      if (claimantOf(given) !== null) return 'payOut';
      return !isClaimed && areSettled(facts) ? 'refund' : 'wait';
    default:
      return 'wait';
  }
}

/** Whether no claim about what somebody gave is open, or is still to be expected. */
function areSettled({ given, isConfirmed, at }: DepositFacts): boolean {
  return given.every(
    ({ claim, claimBy }) =>
      claim !== 'open' && (claim !== null || isConfirmed || claimBy === null || claimBy <= at),
  );
}

/** Who gets the deposit of whoever gave these: the first whose claim was granted; null: nobody. */
export function claimantOf(given: readonly GivenLeg[]): number | null {
  return given.find(({ claim }) => claim === 'upheld')?.receiverId ?? null;
}

/** What has moved for a deposit at its provider, in cents. */
export interface Moved {
  readonly amount: number;
  readonly refunded: number;
  readonly transferred: number;
  readonly lost: number;
}

/**
 * The status after a provider's report, which only moves forward: what was captured stays so until the money is where it
 * belongs.
 */
export function statusAfter(
  before: DepositStatus,
  provider: DepositState['status'],
  { amount, refunded, transferred, lost }: Moved,
): DepositStatus {
  const isPending = before === 'open' || before === 'authorised' || before === 'captured';
  if (!isPending) return before;
  if (provider !== 'captured') return before === 'captured' ? before : provider;
  if (transferred >= amount) return 'paid_out';
  if (refunded >= amount) return 'refunded';
  return lost >= amount ? 'charged_back' : 'captured';
}

/** Why a report is not of what we have asked for; null: it is. A person has to look at it then. */
export function mismatchOf(
  asked: { readonly publicId: string; readonly ref: string | null; readonly amount: number },
  state: Pick<DepositState, 'publicId' | 'ref' | 'amount' | 'currency'>,
  currency: string,
): string | null {
  if (state.publicId !== asked.publicId || (asked.ref !== null && asked.ref !== state.ref))
    return 'It is another deposit';
  if (state.currency !== currency) return `Its currency is ${state.currency}`;
  return state.amount === asked.amount ? null : `Its amount is ${state.amount} cents`;
}
