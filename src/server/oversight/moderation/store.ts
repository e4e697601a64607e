import { type Insertable, sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import { partsOf } from '#contract/base/tables.ts';
import type {
  ReportAction,
  ReportedThing,
  ReportFilters,
  ReportReason,
  ReportStatus,
  UserFilters,
} from '#contract/oversight/moderation.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { UserRole } from '#contract/people/roles.ts';
import { addDays } from '#server/core/clock.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { likePattern } from '#server/database/like-pattern.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import { personNamed } from '#server/database/person-named.ts';
import type { DB } from '#server/database/types.ts';
import { notOwnCase } from '#server/people/audit/own-cases-sql.ts';

/** Serialises status changes, so that people who judge each other cannot deadlock. */
export async function takeTurn(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('clipswap status'))`.execute(trx);
}

const PERSON_COLUMNS = [
  'id',
  'username',
  'email',
  'role',
  'status',
  'reportCount',
  'deletedAt',
  'lastLoginAt',
  'createdAt',
] as const;

export type PersonRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

function selectPeople(db: Database | Trx) {
  return db
    .selectFrom('users')
    .select(PERSON_COLUMNS)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('secondFactors')
          .select('userId')
          .whereRef('secondFactors.userId', '=', 'users.id')
          .where('enabledAt', 'is not', null),
      )
        .$castTo<boolean>()
        .as('hasSecondFactor'),
    )
    .$narrowType<{ role: UserRole; status: UserStatus }>();
}

export async function findPerson(db: Database | Trx, id: number) {
  return selectPeople(db).where('id', '=', id).executeTakeFirst();
}

/**
 * Locks a person `for update`: a new listing or bid of theirs is either committed before, or waits and then sees the new
 * status. Lock deals first.
 */
export async function lockPerson(trx: Trx, id: number): Promise<PersonRow | undefined> {
  return selectPeople(trx).where('id', '=', id).forUpdate().executeTakeFirst();
}

const NAME = sql`lower(username collate "C")`;

/** What people can be sorted by; an index carries each. */
const PEOPLE: Record<'joined' | 'name' | 'reports', ListOrder['by']> = {
  joined: [
    ['createdAt', 'timestamptz'],
    ['id', 'integer'],
  ],
  name: [[NAME, 'text']],
  reports: [
    ['reportCount', 'integer'],
    ['id', 'integer'],
  ],
};

/** '#12', or the address of a coupon's page. */
const COUPON = /(?:^#|\/coupons\/)(\d{1,9})$/;

/** People with `search` in their name or address, or who have that coupon. An empty search finds all. */
function findPeople(db: Database, { search = '', status, role, from, to }: UserFilters) {
  const [, couponId] = COUPON.exec(search) ?? [];
  return selectPeople(db)
    .$if(couponId !== undefined, (query) =>
      query.where('id', '=', (where) =>
        where.selectFrom('coupons').select('ownerId').where('coupons.id', '=', Number(couponId)),
      ),
    )
    .$if(search !== '' && couponId === undefined, (query) =>
      query.where((where) =>
        where.or([
          where(sql<string>`${NAME}`, 'like', likePattern(search.toLowerCase())),
          where(sql<string>`lower(email collate "C")`, 'like', likePattern(search.toLowerCase())),
        ]),
      ),
    )
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'active'))
    .$if(role !== undefined, (query) => query.where('role', '=', role ?? 'user'))
    .$if(from !== undefined, (query) => query.where('createdAt', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (query) => query.where('createdAt', '<', addDays(new Date(to ?? 0), 1)));
}

/** A page of people without a count, of any length. */
export async function readPeople(db: Database, filters: UserFilters, paging: Paging) {
  const sort = filters.sort ?? 'joined-desc';
  const { column, direction } = partsOf(sort);
  const page = openPage(paging, { name: `people ${sort}`, direction, by: PEOPLE[column] }, COUNT_CAP);
  return page.finish(await page.select(findPeople(db, filters)).execute());
}

export async function listPeople(db: Database, filters: UserFilters, paging: Paging) {
  const page = await readPeople(db, filters, paging);
  return { ...page, ...(await cappedTotal(db, findPeople(db, filters), COUNT_CAP)) };
}

/** People whose suspension has ended by `at`, or `id` alone if it is among them. */
export async function listEndedSuspensions(
  db: Database | Trx,
  at: Date,
  limit: number,
  id?: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('statusUntil', '<=', at)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .orderBy('statusUntil')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Counts active admins, except this one. */
export async function hasOtherAdmin(trx: Trx, id: number): Promise<boolean> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', 'in', ['active', 'warned'])
    .where('deletedAt', 'is', null)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/**
 * Up to `limit` people whose status has missing effects: banned people with a listing or an open deal that is not being
 * paid, and others with listings that a past ban still hides.
 */
export async function listUnfinished(db: Database, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    (select id from users where status = 'banned' and (
      exists (select from coupons where owner_id = users.id and is_active)
      or exists (select from exchange_parties where user_id = users.id and status in ('pending', 'accepted'))
      or exists (select from bids where users.id in (bidder_id, owner_id) and status in ('pending', 'accepted')
        and not exists (select from payment_transactions p where p.bid_id = bids.id and p.status = 'processing')))
      limit ${limit})
    union
    (select distinct owner_id from coupons join users on users.id = owner_id
      where is_withheld and waiting_since is null and users.status <> 'banned' and users.deleted_at is null
        and users.email_verified_at is not null limit ${limit})`.execute(db);
  return rows.map(({ id }) => id);
}

/** Violates user_reports_one_pending while an earlier report of the same pair is pending. */
export async function insertReport(trx: Trx, values: Insertable<DB['userReports']>): Promise<number> {
  const row = await trx.insertInto('userReports').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** Whether two people have or had a deal, whoever began it. They can write to each other in deals only. */
export async function haveDealt(trx: Trx, one: number, other: number): Promise<boolean> {
  const { rows } = await sql<{ haveDealt: boolean }>`
    select exists (
      select from exchange_parties as party join exchange_parties as partner on partner.exchange_id = party.exchange_id
      where party.user_id = ${one} and partner.user_id = ${other})
    or exists (select from bids where bidder_id = ${one} and owner_id = ${other})
    or exists (select from bids where bidder_id = ${other} and owner_id = ${one}) as have_dealt`.execute(trx);
  return rows[0]?.haveDealt === true;
}

/** Whether the person's profile or a coupon of theirs shows the picture. */
export async function showsPicture(db: Database, userId: number, pictureId: string): Promise<boolean> {
  const { rows } = await sql<{ isShown: boolean }>`
    select exists (select from users where id = ${userId} and picture_id = ${pictureId})
      or exists (select from coupons where owner_id = ${userId} and picture_id = ${pictureId} and deleted_at is null)
      as is_shown`.execute(db);
  return rows[0]?.isShown ?? false;
}

export async function countReport(trx: Trx, reportedUserId: number): Promise<void> {
  await trx
    .updateTable('users')
    .set({ reportCount: sql`report_count + 1` })
    .where('id', '=', reportedUserId)
    .execute();
}

/** Whether the person can see the subject: it is public, or they took part in it. */
const KNOWN_THINGS: Record<
  ReportedThing,
  (id: number, viewerId: number, now: Date) => ReturnType<typeof sql>
> = {
  coupon: (id, viewerId) => sql`
    select from coupons where id = ${id} and (is_active or owner_id = ${viewerId}
      or exists (select from bids where bids.coupon_id = coupons.id and ${viewerId} in (bidder_id, bids.owner_id))
      or exists (select from exchange_legs as leg join exchange_parties as party using (exchange_id)
        where leg.coupon_id = coupons.id and party.user_id = ${viewerId}))`,
  exchange: (id, viewerId) => sql`
    select from exchange_parties where exchange_id = ${id} and user_id = ${viewerId}`,
  bid: (id, viewerId) => sql`select from bids where id = ${id} and ${viewerId} in (bidder_id, owner_id)`,
  message: (id, viewerId) => sql`
    select from messages where id = ${id} and (${viewerId} in (sender_id, receiver_id)
      or exists (select from message_receipts where message_id = messages.id and user_id = ${viewerId}))`,
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
    .select([
      'userReports.isOfStranger',
      'userReports.moderatorNotes',
      'userReports.createdAt',
      'userReports.updatedAt',
    ])
    .select(['reporter.username as reporterUsername', 'reported.username as reportedUsername'])
    .select(['reported.status as reportedUserStatus', 'reported.reportCount'])
    .select('moderator.username as moderatorUsername')
    .select(['reporter.pictureId as reporterPictureId', 'reported.pictureId as reportedPictureId'])
    .leftJoin('pictures', (join) =>
      join.onRef('pictures.id', '=', 'userReports.pictureId').on('pictures.discardedAt', 'is', null),
    )
    .select(['userReports.pictureId', sql<boolean>`pictures.id is not null`.as('hasPicture')])
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

function filterReports(db: Database, judgeId: number, { status, reason, person }: ReportFilters) {
  return selectReports(db)
    .where(notOwnCase(judgeId, ['userReports.reporterId', 'userReports.reportedUserId']))
    .$if(status !== 'all', (query) => query.where('userReports.status', '=', status))
    .$if(reason !== undefined, (query) => query.where('userReports.reason', '=', reason ?? 'other'))
    .$if(person !== undefined && person !== '', (query) =>
      query.where((where) =>
        where.or([
          where('userReports.reporterId', '=', personNamed(person ?? '')),
          where('userReports.reportedUserId', '=', personNamed(person ?? '')),
        ]),
      ),
    );
}

/** A page of the reports that a judge may read without a count, of any length. */
export async function readReports(db: Database, judgeId: number, filters: ReportFilters, paging: Paging) {
  const sort = filters.sort ?? 'date-desc';
  const { direction } = partsOf(sort);
  const page = openPage(paging, { name: `reports ${sort}`, direction, by: [['id', 'integer']] }, COUNT_CAP);
  return page.finish(await page.select(filterReports(db, judgeId, filters), 'userReports').execute());
}

export async function listReports(db: Database, judgeId: number, filters: ReportFilters, paging: Paging) {
  const page = await readReports(db, judgeId, filters, paging);
  const counted = filterReports(db, judgeId, filters).clearSelect().select('userReports.id');
  return { ...page, ...(await cappedTotal(db, counted, COUNT_CAP)) };
}

/** Compare-and-set: false if it was already decided. */
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

export interface PendingDeal {
  readonly kind: 'exchange' | 'bid';
  readonly id: number;
  /** The requester or bidder. */
  readonly initiatorId: number;
}

/** The pending deals between two people, whoever began them. */
export async function listPendingDeals(
  db: Database | Trx,
  one: number,
  other: number,
): Promise<PendingDeal[]> {
  const { rows } = await sql<PendingDeal>`
    select 'exchange' as kind, exchange_id as id, requester_id as initiator_id
    from exchange_parties as party join exchanges on exchanges.id = exchange_id
    where party.status = 'pending' and user_id = ${one}
      and exists (select from exchange_parties where exchange_id = exchanges.id and user_id = ${other})
    union all
    select 'bid', id, bidder_id from bids
    where status = 'pending'
      and (bidder_id = ${one} and owner_id = ${other} or bidder_id = ${other} and owner_id = ${one})`.execute(
    db,
  );
  return rows;
}
