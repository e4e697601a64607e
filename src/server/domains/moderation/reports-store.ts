import { type Insertable, sql } from 'kysely';
import type { ReportAction, ReportedThing, ReportReason, ReportStatus } from '#contract/moderation.ts';
import { COUNT_CAP } from '#contract/primitives.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, offsetOf, type Paging } from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';

/** Fails with a unique violation of user_reports_one_pending while an earlier report of the two waits. */
export async function insertReport(trx: Trx, values: Insertable<DB['userReports']>): Promise<number> {
  const row = await trx.insertInto('userReports').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

export async function countReport(trx: Trx, reportedUserId: number): Promise<void> {
  await trx
    .updateTable('users')
    .set({ reportCount: sql`report_count + 1` })
    .where('id', '=', reportedUserId)
    .execute();
}

/** What a person can know of, and so point at: what is public, and what they took part in. */
const KNOWN_THINGS: Record<
  ReportedThing,
  (id: number, viewerId: number, now: Date) => ReturnType<typeof sql>
> = {
  coupon: (id, viewerId) => sql`
    select from coupons where id = ${id} and (is_active or owner_id = ${viewerId}
      or exists (select from bids where bids.coupon_id = coupons.id and ${viewerId} in (bidder_id, bids.owner_id))
      or exists (select from exchanges where coupons.id in (requested_coupon_id, offered_coupon_id)
        and ${viewerId} in (requester_id, exchanges.owner_id)))`,
  exchange: (id, viewerId) => sql`
    select from exchanges where id = ${id} and ${viewerId} in (requester_id, owner_id)`,
  bid: (id, viewerId) => sql`select from bids where id = ${id} and ${viewerId} in (bidder_id, owner_id)`,
  message: (id, viewerId) => sql`
    select from messages where id = ${id} and ${viewerId} in (sender_id, receiver_id)`,
  rating: (id, viewerId, now) => sql`
    select from user_ratings where id = ${id} and (visible_at <= ${now} or rater_id = ${viewerId})`,
};

export async function isKnown(
  db: Database,
  thing: { type: ReportedThing; id: number; viewerId: number; now: Date },
): Promise<boolean> {
  const known = KNOWN_THINGS[thing.type](thing.id, thing.viewerId, thing.now);
  const { rows } = await sql<{ isKnown: boolean }>`select exists (${known}) as is_known`.execute(db);
  return rows[0]?.isKnown ?? false;
}

function selectReports(db: Database | Trx) {
  return db
    .selectFrom('userReports')
    .innerJoin('users as reporter', 'reporter.id', 'userReports.reporterId')
    .innerJoin('users as reported', 'reported.id', 'userReports.reportedUserId')
    .leftJoin('users as moderator', 'moderator.id', 'userReports.moderatorId')
    .select(['userReports.id', 'userReports.reason', 'userReports.reporterId', 'userReports.reportedUserId'])
    .select(['userReports.description', 'userReports.evidence', 'userReports.status'])
    .select(['userReports.relatedEntityType', 'userReports.relatedEntityId', 'userReports.actionTaken'])
    .select(['userReports.moderatorNotes', 'userReports.createdAt', 'userReports.updatedAt'])
    .select(['reporter.username as reporterUsername', 'reported.username as reportedUsername'])
    .select(['reported.status as reportedUserStatus', 'reported.reportCount'])
    .select('moderator.username as moderatorUsername')
    .$narrowType<{
      reason: ReportReason;
      status: ReportStatus;
      relatedEntityType: ReportedThing | null;
      actionTaken: ReportAction | null;
    }>();
}

export type ReportRow = NonNullable<Awaited<ReturnType<typeof findReport>>>;

export async function findReport(db: Database | Trx, id: number) {
  return selectReports(db).where('userReports.id', '=', id).executeTakeFirst();
}

/** Newest first. */
export async function listReports(db: Database, status: ReportStatus | 'all', paging: Paging) {
  const offset = offsetOf(paging, COUNT_CAP);
  const isAll = status === 'all';
  const rows = await selectReports(db)
    .$if(!isAll, (query) => query.where('userReports.status', '=', status))
    .orderBy('userReports.id', 'desc')
    .limit(paging.limit)
    .offset(offset)
    .execute();
  const counted = db
    .selectFrom('userReports')
    .select('id')
    .$if(!isAll, (query) => query.where('status', '=', status));
  return { rows, ...(await cappedTotal(db, counted, COUNT_CAP)) };
}

/** Compare-and-set: false when it was decided already. */
export async function decideReport(
  trx: Trx,
  given: {
    id: number;
    status: Exclude<ReportStatus, 'pending'>;
    actionTaken: ReportAction;
    moderatorId: number;
    moderatorNotes: string | null;
    at: Date;
  },
): Promise<boolean> {
  const { id, at, ...columns } = given;
  const decided = await trx
    .updateTable('userReports')
    .set({ ...columns, updatedAt: at })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return decided !== undefined;
}
