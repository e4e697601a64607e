import type { HealthReason } from '#contract/coupons/health.ts';

/**
 * How likely a code is to work, as one figure from 0 to 100 (docs/health.md).
 *
 * What is known of a code is a number of votes for it and against it. The figure is the lower bound of the share of votes
 * for it (Wilson's, 90 % sure), so that little evidence gives a low figure and not an extreme one.
 *
 * - **The merchant's own programme.** Its latest answer is 12 votes: for the code while it is fresh, fewer as it ages. A
 *   "no" stays at 24 votes against it, whatever its age.
 * - **A new code**, which the programme made for the present owner, is 10 votes for it; they age, too.
 * - **Reports.** What a person says of a code is one vote at most. It counts as much as we know of the person: they were
 *   right in a share `a` of the cases in which a programme or a moderator said so later, and their vote is 2a - 1 of a
 *   vote, nothing below a half. Newcomers begin with 70 %, as if that were four cases. A report ages. It counts a tenth
 *   if it is the present owner's, and less if the reporter deals mostly with the owner and the owner's regulars.
 * - **The seller** has a fifth of a vote for each person they have dealt with, up to ten, a quarter for each claim won, up
 *   to four, and one and a half against them for each claim lost, up to four.
 * - **Age.** A code that has been listed for more than 90 days, and of which nobody has said anything since, gets half a
 *   vote against it; after 180 days, one.
 * - **What we expect** of any code are two votes, 80 % of them for it.
 *
 * A code of which too little is known has no figure. The seller and the age alone say nothing of a code.
 */

/** What a person said of a code. */
export interface Report {
  readonly worked: boolean;
  readonly ageDays: number;
  /** How often a programme or a moderator said the same as this person, and how often the contrary. */
  readonly agreed: number;
  readonly disagreed: number;
  readonly isByOwner: boolean;
  /** In how many deals the reporter has met the present owner. */
  readonly dealsWithOwner: number;
  /** The reporter's other deals, and how many of them were with others than the owner's regulars. */
  readonly otherDeals: number;
  readonly outsideDeals: number;
}

/** All that is known of a code. Ages are in days. */
export interface Evidence {
  /** The latest answer of the merchant's own programme. */
  readonly verdict: { readonly isValid: boolean; readonly ageDays: number } | null;
  /** How long ago the code was made for its owner; null: it was not. */
  readonly reissuedDays: number | null;
  readonly listedDays: number;
  readonly seller: { readonly partners: number; readonly claimsLost: number; readonly claimsWon: number };
  readonly reports: readonly Report[];
}

/** Votes for a code, and against it. */
export interface Votes {
  readonly worked: number;
  readonly failed: number;
}

const VERDICT = 12;
const REFUSAL = 24;
const REISSUE = 10;
const EXPECTED: Votes = { worked: 1.6, failed: 0.4 };
/** Less than this of a vote about the code itself is no news. */
const LEAST = 0.3;
/** One side of 90 %. */
const Z = 1.2816;

/** Newcomers are right in 70 % of four cases. */
const NEWCOMER = { right: 2.8, cases: 4 };
const OF_OWNER = 0.1;
/** Of somebody who has dealt with nobody but the owner's regulars. */
const LEAST_INDEPENDENCE = 0.1;
/** Of somebody without another deal. */
const UNKNOWN_INDEPENDENCE = 0.25;

type Steps = readonly (readonly [days: number, share: number])[];
/** In steps, so that figures change on few days. */
const VERDICT_AGES: Steps = [
  [2, 1],
  [7, 0.8],
  [30, 0.5],
  [90, 0.25],
];
const REPORT_AGES: Steps = [
  [30, 1],
  [90, 0.6],
  [365, 0.3],
];
const OLDEST = 0.1;

function shareAt(steps: Steps, ageDays: number): number {
  return steps.find(([days]) => ageDays <= days)?.[1] ?? OLDEST;
}

/** How much the word of a person counts, from 0 to 1, by how often it was right. */
export function trustIn({ agreed, disagreed }: Pick<Report, 'agreed' | 'disagreed'>): number {
  const accuracy = (NEWCOMER.right + agreed) / (NEWCOMER.cases + agreed + disagreed);
  return Math.max(0, 2 * accuracy - 1);
}

/** How independent a reporter is of the owner, from 0 to 1. */
function independenceOf(report: Report): number {
  if (report.isByOwner) return OF_OWNER;
  const { dealsWithOwner, otherDeals, outsideDeals } = report;
  const share = otherDeals === 0 ? UNKNOWN_INDEPENDENCE : outsideDeals / otherDeals;
  return Math.max(LEAST_INDEPENDENCE, share) / Math.max(1, dealsWithOwner);
}

/** How much of a vote a report is. */
export function weightOf(report: Report): number {
  return trustIn(report) * independenceOf(report) * shareAt(REPORT_AGES, report.ageDays);
}

/** The lower bound of the share of votes for a code, from 0 to 1 (Wilson's score interval). Needs a vote. */
export function lowerBound({ worked, failed }: Votes): number {
  const votes = worked + failed;
  const share = worked / votes;
  const spread = Z * Math.sqrt((share * (1 - share)) / votes + Z ** 2 / (4 * votes ** 2));
  return Math.max(0, (share + Z ** 2 / (2 * votes) - spread) / (1 + Z ** 2 / votes));
}

/** A figure from 0 to 100 from votes, beside those that we expect of any code. */
export function figureOf(votes: readonly Votes[]): number {
  const sum = [EXPECTED, ...votes].reduce((all, { worked, failed }) => ({
    worked: all.worked + worked,
    failed: all.failed + failed,
  }));
  return Math.round(100 * lowerBound(sum));
}

function sellerVotes({ partners, claimsLost, claimsWon }: Evidence['seller']): Votes {
  return {
    worked: 0.2 * Math.min(partners, 10) + 0.25 * Math.min(claimsWon, 4),
    failed: 1.5 * Math.min(claimsLost, 4),
  };
}

function programmeVotes({ verdict, reissuedDays }: Evidence): Votes {
  const isRefused = verdict?.isValid === false;
  const confirmed = verdict?.isValid ? VERDICT * shareAt(VERDICT_AGES, verdict.ageDays) : 0;
  const reissued = reissuedDays === null || isRefused ? 0 : REISSUE * shareAt(REPORT_AGES, reissuedDays);
  return { worked: confirmed + reissued, failed: isRefused ? REFUSAL : 0 };
}

function reportVotes(reports: readonly Report[]): Votes {
  const sum = (worked: boolean) =>
    reports.filter((report) => report.worked === worked).reduce((all, report) => all + weightOf(report), 0);
  return { worked: sum(true), failed: sum(false) };
}

/** Votes against a code of which nobody has said anything for long. */
function ageVotes({ listedDays, verdict, reissuedDays, reports }: Evidence): number {
  const ages = [verdict?.ageDays, reissuedDays, ...reports.map(({ ageDays }) => ageDays)];
  const silent = Math.min(listedDays, ...ages.filter((age) => age != null));
  if (silent > 180) return 1;
  return silent > 90 ? 0.5 : 0;
}

/** The figure of a code, null if too little is known of it; and the reasons, those that weigh most first. */
export function healthOf(evidence: Evidence): { health: number | null; reasons: HealthReason[] } {
  const programme = programmeVotes(evidence);
  const said = reportVotes(evidence.reports);
  const seller = sellerVotes(evidence.seller);
  const old = ageVotes(evidence);
  const known = [programme, said].reduce((sum, { worked, failed }) => sum + worked + failed, 0);
  if (known < LEAST) return { health: null, reasons: [] };
  const reasons = reasonsFor(evidence, { said, old }).sort((one, other) => other.votes - one.votes);
  return {
    health: figureOf([programme, said, seller, { worked: 0, failed: old }]),
    reasons: reasons.map(({ reason }) => reason),
  };
}

/** Lists sort by figures in steps of so much. */
const STEP = 5;

/**
 * The figure that lists sort by, from that of a code: the nearest step. A stored one stays while it is at most half a step
 * away, since each change is written in every index of a coupon.
 */
export function listedFigure(health: number | null, stored: number | null): number | null {
  if (health === null) return null;
  if (stored !== null && Math.abs(health - stored) <= STEP / 2) return stored;
  return STEP * Math.round(health / STEP);
}

function reasonsFor(evidence: Evidence, { said, old }: { said: Votes; old: number }) {
  const { verdict, reissuedDays, reports, seller } = evidence;
  const [worked, failed] = [true, false].map(
    (kind) => reports.filter((report) => !report.isByOwner && report.worked === kind).length,
  );
  const { partners, claimsLost } = seller;
  const by = sellerVotes(seller);
  const isRefused = verdict?.isValid === false;
  const found: (false | { votes: number; reason: HealthReason })[] = [
    verdict !== null && {
      votes: isRefused ? REFUSAL : VERDICT * shareAt(VERDICT_AGES, verdict.ageDays),
      reason: { kind: isRefused ? 'refused' : 'confirmed', days: Math.floor(verdict.ageDays) },
    },
    reissuedDays !== null && { votes: REISSUE, reason: { kind: 'reissued', days: Math.floor(reissuedDays) } },
    (worked ?? 0) > 0 && { votes: said.worked, reason: { kind: 'worked', people: worked ?? 0 } },
    (failed ?? 0) > 0 && { votes: said.failed, reason: { kind: 'failed', people: failed ?? 0 } },
    claimsLost > 0 && { votes: by.failed, reason: { kind: 'claimsLost', claims: claimsLost } },
    partners > 0 && { votes: by.worked, reason: { kind: 'deals', people: partners } },
    old > 0 && { votes: old, reason: { kind: 'old', days: Math.floor(evidence.listedDays) } },
  ];
  return found.filter((one) => one !== false);
}
