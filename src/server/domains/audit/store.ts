import { COUNT_CAP } from '#contract/bounds.ts';
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
