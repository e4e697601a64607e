import { sql } from 'kysely';
import type { ClaimStatus } from '#contract/money/claims.ts';
import type { ReportAction, ReportReason, ReportStatus } from '#contract/oversight/moderation.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { Database } from '#server/database/client.ts';
import { notOwnCase } from '#server/people/audit/own-cases-sql.ts';

const CLAIM_PARTIES = ['claims.claimantId', 'claims.giverId'];

/** Of each list of a record. */
const LATEST = 10;

export async function findPerson(db: Database, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'status', 'createdAt', 'failedCodes'])
    .where('id', '=', id)
    .$narrowType<{ status: UserStatus }>()
    .executeTakeFirst();
}

export interface ClaimOfPerson {
  readonly id: number;
  readonly status: ClaimStatus;
  readonly couponTitle: string;
  readonly note: string | null;
  readonly createdAt: Date;
  readonly side: 'claimant' | 'giver';
  readonly otherUsername: string;
}

/** The latest claims by a person, and about what they gave, without the judge's own. */
export async function listClaimsOf(db: Database, userId: number, judgeId: number): Promise<ClaimOfPerson[]> {
  const { rows } = await sql<ClaimOfPerson>`
    select claims.id, claims.status, claims.note, claims.created_at, coupons.title as coupon_title,
      case when claims.claimant_id = ${userId} then 'claimant' else 'giver' end as side, other.username as other_username
    from claims left join bids on bids.id = claims.bid_id
    join coupons on coupons.id = coalesce(bids.coupon_id, claims.coupon_id)
    join users as other
      on other.id = case when claims.claimant_id = ${userId} then claims.giver_id else claims.claimant_id end
    where (claims.claimant_id = ${userId} or claims.giver_id = ${userId}) and ${notOwnCase(judgeId, CLAIM_PARTIES)}
    order by claims.id desc limit ${LATEST}`.execute(db);
  return rows;
}

export async function listReportsOn(db: Database, userId: number, judgeId: number) {
  return db
    .selectFrom('userReports')
    .select(['id', 'reason', 'status', 'actionTaken', 'moderatorNotes', 'createdAt'])
    .where('reportedUserId', '=', userId)
    .where(notOwnCase(judgeId, ['userReports.reporterId']))
    .orderBy('id', 'desc')
    .limit(LATEST)
    .$narrowType<{ reason: ReportReason; status: ReportStatus; actionTaken: ReportAction | null }>()
    .execute();
}

export async function listStatusChanges(db: Database, userId: number) {
  return db
    .selectFrom('auditLog')
    .leftJoin('users as actor', 'actor.id', 'auditLog.actorId')
    .select(['auditLog.id', 'auditLog.details', 'auditLog.createdAt', 'actor.username'])
    .where('auditLog.targetUserId', '=', userId)
    .where('auditLog.action', 'like', 'status\\_%')
    .orderBy('auditLog.id', 'desc')
    .limit(LATEST)
    .execute();
}

/** A claim's deal, coupon with its owner, and merchant, and the moment from which its events count. */
export async function findSubject(db: Database, claimId: number) {
  return db
    .selectFrom('claims')
    .leftJoin('bids', 'bids.id', 'claims.bidId')
    .leftJoin('exchanges', 'exchanges.id', 'claims.exchangeId')
    .innerJoin('coupons', (join) =>
      join.on('coupons.id', '=', sql<number>`coalesce(bids.coupon_id, claims.coupon_id)`),
    )
    .innerJoin('users as owner', 'owner.id', 'coupons.ownerId')
    .select(['claims.bidId', 'claims.exchangeId', 'coupons.id as couponId', 'coupons.merchantText'])
    .select(['owner.username as ownerUsername', 'coupons.usedAt'])
    .select(sql<Date>`coalesce(bids.created_at, exchanges.created_at)`.as('since'))
    .where('claims.id', '=', claimId)
    .executeTakeFirst();
}

export type Subject = NonNullable<Awaited<ReturnType<typeof findSubject>>>;

/** At most, of one deal: more than any has. */
const EVENTS = 100;

/** The deal's lines in the history of a person. */
export async function listEvents(db: Database, { bidId, exchangeId, since }: Subject, userId: number) {
  return db
    .selectFrom('transactionLogs')
    .select(['id', 'details', 'text', 'createdAt'])
    .where('userId', '=', userId)
    .where('createdAt', '>=', since)
    .where((where) => (bidId === null ? where('exchangeId', '=', exchangeId) : where('bidId', '=', bidId)))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(EVENTS)
    .execute();
}

/** When these people saw the code. */
export async function listReveals(db: Database, { couponId, since }: Subject, userIds: readonly number[]) {
  return db
    .selectFrom('couponReveals')
    .innerJoin('users', 'users.id', 'couponReveals.userId')
    .select(['couponReveals.id', 'users.username', 'couponReveals.revealedAt'])
    .where('couponReveals.couponId', '=', couponId)
    .where('couponReveals.userId', 'in', userIds)
    .where('couponReveals.revealedAt', '>=', since)
    .orderBy('couponReveals.id')
    .limit(EVENTS)
    .execute();
}

/** Who besides these people saw the code, by their names. */
export async function listOtherViewers(
  db: Database,
  { couponId, since }: Subject,
  userIds: readonly number[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('couponReveals')
    .innerJoin('users', 'users.id', 'couponReveals.userId')
    .select('users.username')
    .distinct()
    .where('couponReveals.couponId', '=', couponId)
    .where('couponReveals.userId', 'not in', userIds)
    .where('couponReveals.revealedAt', '>=', since)
    .orderBy('users.username')
    .limit(EVENTS)
    .execute();
  return rows.map(({ username }) => username);
}

/** How many claims are looked through for similar ones, so that the query stays flat. */
const LOOKED_THROUGH = 2_000;

/** The latest decided claims about coupons of the same merchant, without this one and the judge's own. */
export async function listSimilar(
  db: Database,
  { merchantText }: Subject,
  { claimId, judgeId }: { claimId: number; judgeId: number },
) {
  return db
    .selectFrom(db.selectFrom('claims').selectAll().orderBy('id', 'desc').limit(LOOKED_THROUGH).as('claims'))
    .leftJoin('bids', 'bids.id', 'claims.bidId')
    .innerJoin('coupons', (join) =>
      join.on('coupons.id', '=', sql<number>`coalesce(bids.coupon_id, claims.coupon_id)`),
    )
    .select(['claims.id', 'claims.status', 'claims.reason', 'claims.note', 'claims.decidedAt'])
    .select('coupons.title as couponTitle')
    .where('coupons.merchantText', '=', merchantText)
    .where('claims.status', 'not in', ['open', 'withdrawn'])
    .where('claims.id', '<>', claimId)
    .where(notOwnCase(judgeId, CLAIM_PARTIES))
    .orderBy('claims.id', 'desc')
    .limit(LATEST)
    .$narrowType<{ status: ClaimStatus }>()
    .execute();
}
