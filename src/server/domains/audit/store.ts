import { COUNT_CAP } from '#contract/bounds.ts';
import type { DenialKind } from '#contract/errors.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';

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

const NEWEST: ListOrder = { name: 'audit', direction: 'desc', by: [['id', 'integer']] };

/** Newest first. */
export async function listEntries(db: Database, paging: Paging) {
  const page = openPage(paging, NEWEST, COUNT_CAP);
  const entries = db
    .selectFrom('auditLog')
    .leftJoin('users as actor', 'actor.id', 'auditLog.actorId')
    .leftJoin('users as target', 'target.id', 'auditLog.targetUserId')
    .select(['auditLog.id', 'auditLog.createdAt', 'auditLog.action', 'auditLog.details'])
    .select(['auditLog.targetUserId', 'actor.username', 'target.username as targetUsername']);
  const rows = await page.select(entries, 'auditLog').execute();
  return {
    ...page.finish(rows),
    ...(await cappedTotal(db, db.selectFrom('auditLog').select('id'), COUNT_CAP)),
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

const LATEST: ListOrder = {
  name: 'deniedRequests',
  direction: 'desc',
  by: [
    ['lastAt', 'timestamptz'],
    ['id', 'integer'],
  ],
};

/** The latest first. */
export async function listDeniedRequests(db: Database, paging: Paging) {
  const page = openPage(paging, LATEST, COUNT_CAP);
  const denied = db
    .selectFrom('deniedRequests')
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
  const rows = await page.select(denied, 'deniedRequests').execute();
  return {
    ...page.finish(rows),
    ...(await cappedTotal(db, db.selectFrom('deniedRequests').select('id'), COUNT_CAP)),
  };
}

export async function deleteBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('deniedRequests').where('lastAt', '<', before).execute();
}

export async function deleteOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('deniedRequests').where('userId', '=', userId).execute();
}
