import { addDays } from '#server/core/clock.ts';

/*
 * Every claim ends (decisions 4.3): what becomes of one that nobody decides in time. docs/claims.md explains the figures.
 */

/** Days between the steps: moderators are reminded so long before the last day to decide, and a claim ends so long after it. */
const DAYS_BETWEEN = 2;
/** Admins are told of a claim that does not end by itself this often. */
const TELL_DAYS = 1;
/** In how many days a person can win only one claim that nobody has decided. */
export const DEFAULT_DAYS = 90;
/** By how much the better record has to be better, in percentage points. */
const MARGIN = 10;

/** For whom a claim ends. */
export type Side = 'claimant' | 'giver';

/** What is known of one side. Only what counts is counted. */
export interface ClaimRecord {
  /** With how many people a deal has gone well. */
  readonly wellWith: number;
  /** How many codes they gave did not work, by granted claims. */
  readonly failed: number;
  /** How many claims of theirs were declined. */
  readonly declined: number;
  /** How many claims have ended for them in DEFAULT_DAYS because nobody decided. */
  readonly defaults: number;
}

/** How many percent of a person's deals go well, as far as it is known: 50 for somebody new. */
const percentOf = ({ wellWith, failed }: ClaimRecord) =>
  Math.round((100 * (wellWith + 1)) / (wellWith + failed + 2));

/**
 * For whom a claim ends that nobody decides: for the better record. Of two that are about equal, for the claimant if the
 * giver has not answered, else for the giver.
 * @returns null if a person has to decide: the winner has had a default lately, or has made claims that were declined
 */
export function defaultFor(claimant: ClaimRecord, giver: ClaimRecord, isAnswered: boolean): Side | null {
  const better = percentOf(claimant) - percentOf(giver);
  const isClaimants = isAnswered ? better >= MARGIN : better > -MARGIN;
  const { declined, defaults } = isClaimants ? claimant : giver;
  if (declined > 0 || defaults > 0) return null;
  return isClaimants ? 'claimant' : 'giver';
}

/** An open claim. */
export interface OpenClaim {
  readonly createdAt: Date;
  /** Until when the giver's word is awaited; null: it is not. */
  readonly answerBy: Date | null;
  readonly remindedAt: Date | null;
  readonly toldAdminsAt: Date | null;
  readonly defaultAt: Date | null;
  readonly appealedAt: Date | null;
  /** Whether a bank looks into the payment: the claim waits for it. */
  readonly isDisputed: boolean;
}

/**
 * What is due for an open claim: moderators are reminded (`remind`); both sides and the admins are told how it will end
 * (`announce`); it ends so (`end`); admins are told again of one that does not end by itself (`tell`). Null: nothing yet.
 * @param days in which moderators have to decide
 */
export function dueStep(
  claim: OpenClaim,
  days: number,
  at: Date,
): 'remind' | 'announce' | 'end' | 'tell' | null {
  const { createdAt, answerBy, remindedAt, toldAdminsAt, defaultAt, appealedAt } = claim;
  if (claim.isDisputed || (answerBy !== null && answerBy > at)) return null;
  if (defaultAt !== null && appealedAt === null) return isDefaultDue(claim, at) ? 'end' : null;
  if (addDays(createdAt, days) <= at) {
    if (toldAdminsAt === null && appealedAt === null) return 'announce';
    return toldAdminsAt === null || addDays(toldAdminsAt, TELL_DAYS) <= at ? 'tell' : null;
  }
  return remindedAt === null && remindFrom(createdAt, days) <= at ? 'remind' : null;
}

/** Whether the announced end of a claim has come, and nobody has asked an admin. */
export function isDefaultDue(
  { defaultAt, appealedAt }: Pick<OpenClaim, 'defaultAt' | 'appealedAt'>,
  at: Date,
): boolean {
  return defaultAt !== null && appealedAt === null && defaultAt <= at;
}

/** From when moderators are reminded of a claim. */
const remindFrom = (createdAt: Date, days: number) => addDays(createdAt, days - DAYS_BETWEEN);

/** The claims that were made until then may have something due. */
export const dueSince = (days: number, at: Date) => addDays(at, DAYS_BETWEEN - days);

/** When a claim ends whose end is announced now. */
export const endOfAnnounced = (at: Date) => addDays(at, DAYS_BETWEEN);

/** The last day for moderators to decide, before both sides are told how it will end. */
export const decideBy = (createdAt: Date, days: number) => addDays(createdAt, days);
