import { t } from '@lingui/core/macro';
import { decimalToCents } from '#contract/base/money.ts';
import type { FirstSteps, PublicProfile, UserStats } from '#contract/oversight/profiles.ts';
import { pictureUrl } from '#contract/people/picture-addresses.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import { couponById } from '#server/coupons/core/service.ts';
import { type Reputation, scoresOf } from '#server/oversight/leaderboard/service.ts';
import type { PersonRow, SavingsRow } from './store.ts';
import * as store from './store.ts';

/** The caller's current statistics. */
export async function ownStats(ctx: MemberContext): Promise<UserStats> {
  const { id } = ctx.actor;
  const newYear = new Date(`${utcDay(ctx.clock()).slice(0, 4)}-01-01T00:00:00Z`);
  const [coupons, usedValue, savings, reputation] = await Promise.all([
    store.countCoupons(ctx.db, id),
    store.sumUsed(ctx.db, id, newYear),
    store.sumSavings(ctx.db, id),
    reputationOf(ctx, id),
  ]);
  return { ...toUserStats(coupons, savings, reputation), usedValue };
}

/** Which of a new member's first steps the caller has taken. */
export function firstSteps({ db, actor }: MemberContext): Promise<FirstSteps> {
  return store.findFirstSteps(db, actor.id);
}

/**
 * The public profile of a person, also of a suspended one.
 * @throws AppError not_found if there is no such person, or they are banned or deleted
 */
export async function profileById(ctx: Context, id: number): Promise<PublicProfile> {
  const now = ctx.clock();
  const { days, overdueDays, least } = ANSWERS;
  const found = await store.findPerson(ctx.db, id, {
    viewerId: ctx.actor?.id ?? null,
    answers: { since: addDays(now, -days), overdueBefore: addDays(now, -overdueDays), least },
  });
  if (!found) throw notFound(t`User not found`);
  const { answerSeconds, ...person } = found;
  const isAway = person.awayUntil !== null && person.awayUntil > utcDay(now);
  const awayUntil = isAway ? person.awayUntil : null;
  const reputation = await reputationOf(ctx, id);
  return {
    ...toPublicProfile({ ...person, awayUntil }, reputation),
    answersWithinHours: answerHours(answerSeconds),
  };
}

/** The public profile of the person who has this coupon. @throws AppError not_found */
export async function profileOfCouponOwner(ctx: Context, couponId: number): Promise<PublicProfile> {
  return profileById(ctx, (await couponById(ctx, couponId)).ownerId);
}

const ANSWERS = { days: 90, overdueDays: 2, least: 3, mostHours: 72 };

/** In how many hours a person usually answers; null if that is not known, or worth no mention. */
function answerHours(seconds: number | null): number | null {
  if (seconds === null) return null;
  const hours = Math.max(1, Math.ceil(seconds / 3_600));
  return hours <= ANSWERS.mostHours ? hours : null;
}

async function reputationOf(ctx: Context, id: number): Promise<Reputation> {
  const reputation = (await scoresOf(ctx.db, [id], ctx.clock())).get(id);
  if (!reputation) throw notFound(t`User not found`);
  return reputation;
}

function toPublicProfile(
  { pictureId, lastSeenAt, ...person }: Omit<PersonRow, 'answerSeconds'>,
  reputation: Reputation,
): Omit<PublicProfile, 'answersWithinHours'> {
  return {
    ...person,
    ...reputation,
    profileImageUrl: pictureUrl(pictureId),
    createdAt: person.createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  };
}

/** The statistics on the person's own profile page; savings are in cents. */
function toUserStats(
  totalCoupons: number,
  savings: SavingsRow,
  reputation: Reputation,
): Omit<UserStats, 'usedValue'> {
  const saved = savings.swapped + savings.bought - decimalToCents(savings.paid);
  return {
    totalCoupons,
    totalExchanges: reputation.successfulExchanges,
    totalBids: reputation.acceptedBids,
    reputation: reputation.scores.overall,
    savingsGenerated: Math.max(0, saved),
    scores: reputation.scores,
  };
}
