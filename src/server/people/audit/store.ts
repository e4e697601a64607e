import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { DenialKind } from '#contract/base/errors.ts';
import { partsOf } from '#contract/base/tables.ts';
import type { AuditFilters, DeniedRequestFilters } from '#contract/oversight/moderation.ts';
import { addDays } from '#server/core/clock.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import { personNamed } from '#server/database/person-named.ts';
import { notOwnCase } from './own-cases-sql.ts';

/** One action of a moderator, an admin or the operator. */
export interface AuditEntry {
  /** Null if the operator did it on the command line. */
  readonly actorId: number | null;
  /** An identifier for programs: 'ban', 'claim_refunded'. */
  readonly action: string;
  /** What was done and why, for people to read. */
  readonly details: string;
  readonly targetUserId: number | null;
  readonly at: Date;
}

export async function insertEntry(trx: Trx, { at, ...columns }: AuditEntry): Promise<void> {
  await trx
    .insertInto('auditLog')
    .values({ ...columns, createdAt: at })
    .execute();
}

export type AuditRow = Awaited<ReturnType<typeof listEntries>>['rows'][number];

const BY_DATE: ListOrder['by'] = [
  ['createdAt', 'timestamptz'],
  ['id', 'integer'],
];

/** Lines about the reader are the work of others about them; what they did to themselves they know. */
function filterEntries(db: Database, readerId: number, { person, action, from, to }: AuditFilters) {
  return db
    .selectFrom('auditLog')
    .where((where) =>
      where.or([notOwnCase(readerId, ['auditLog.targetUserId']), where('auditLog.actorId', '=', readerId)]),
    )
    .$if(person !== undefined && person !== '', (query) =>
      query.where((where) =>
        where.or([
          where('auditLog.actorId', '=', personNamed(person ?? '')),
          where('auditLog.targetUserId', '=', personNamed(person ?? '')),
        ]),
      ),
    )
    .$if(action !== undefined, (query) => query.where('auditLog.action', '=', action ?? ''))
    .$if(from !== undefined, (query) => query.where('auditLog.createdAt', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (query) => query.where('auditLog.createdAt', '<', addDays(new Date(to ?? 0), 1)));
}

/** A page of the audit log without a count, of any length. */
export async function readEntries(db: Database, readerId: number, filters: AuditFilters, paging: Paging) {
  const sort = filters.sort ?? 'date-desc';
  const { direction } = partsOf(sort);
  const page = openPage(paging, { name: `audit ${sort}`, direction, by: BY_DATE }, COUNT_CAP);
  const entries = filterEntries(db, readerId, filters)
    .leftJoin('users as actor', 'actor.id', 'auditLog.actorId')
    .leftJoin('users as target', 'target.id', 'auditLog.targetUserId')
    .select(['auditLog.id', 'auditLog.createdAt', 'auditLog.action', 'auditLog.details'])
    .select(['auditLog.targetUserId', 'actor.username', 'target.username as targetUsername']);
  return page.finish(await page.select(entries, 'auditLog').execute());
}

export async function listEntries(db: Database, readerId: number, filters: AuditFilters, paging: Paging) {
  const counted = filterEntries(db, readerId, filters).select('auditLog.id');
  return {
    ...(await readEntries(db, readerId, filters, paging)),
    ...(await cappedTotal(db, counted, COUNT_CAP)),
  };
}

export interface DeniedRequestCount {
  readonly hour: Date;
  readonly kind: DenialKind;
  readonly userId: number | null;
  readonly address: string;
  readonly call: string;
  readonly count: number;
  readonly lastAt: Date;
}

/** Adds to the counts of the hour, in one statement. The rows are ordered, so that processes cannot deadlock. */
export async function addCounts(db: Database, counts: readonly DeniedRequestCount[]): Promise<void> {
  const keyed = counts.map((row) => ({
    row,
    key: JSON.stringify([row.hour, row.kind, row.userId, row.address, row.call]),
  }));
  await db
    .insertInto('deniedRequests')
    .values(keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ row }) => row))
    .onConflict((conflict) =>
      conflict.columns(['hour', 'kind', 'userId', 'address', 'call']).doUpdateSet((at) => ({
        count: at('deniedRequests.count', '+', at.ref('excluded.count')),
        lastAt: at.fn('greatest', ['deniedRequests.lastAt', 'excluded.lastAt']),
      })),
    )
    .execute();
}

const BY_LAST: ListOrder['by'] = [
  ['lastAt', 'timestamptz'],
  ['id', 'integer'],
];

function filterDenied(db: Database, { kind }: DeniedRequestFilters) {
  return db
    .selectFrom('deniedRequests')
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'forbidden'));
}

/** A page of what people were refused without a count, of any length. */
export async function readDeniedRequests(db: Database, filters: DeniedRequestFilters, paging: Paging) {
  const sort = filters.sort ?? 'date-desc';
  const { direction } = partsOf(sort);
  const page = openPage(paging, { name: `deniedRequests ${sort}`, direction, by: BY_LAST }, COUNT_CAP);
  const denied = filterDenied(db, filters)
    .leftJoin('users', 'users.id', 'deniedRequests.userId')
    .select([
      'deniedRequests.id',
      'hour',
      'kind',
      'userId',
      'users.username',
      'address',
      'call',
      'count',
      'lastAt',
    ])
    .$narrowType<{ kind: DenialKind }>();
  return page.finish(await page.select(denied, 'deniedRequests').execute());
}

export type DeniedRequestRow = Awaited<ReturnType<typeof readDeniedRequests>>['rows'][number];

export async function listDeniedRequests(db: Database, filters: DeniedRequestFilters, paging: Paging) {
  const counted = filterDenied(db, filters).select('id');
  return {
    ...(await readDeniedRequests(db, filters, paging)),
    ...(await cappedTotal(db, counted, COUNT_CAP)),
  };
}

export async function deleteBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('deniedRequests').where('lastAt', '<', before).execute();
}

export async function deleteOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('deniedRequests').where('userId', '=', userId).execute();
}
