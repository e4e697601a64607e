import { COUNT_CAP } from '#contract/primitives.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, offsetOf, type Paging } from '#server/database/paging.ts';

/** Something that a person with power over others has done. */
export interface AuditEntry {
  /** Null when the operator's command line did it. */
  readonly actorId: number | null;
  /** A word for programs: 'ban', 'claim_refunded'. */
  readonly action: string;
  /** What it was, and why, in words. */
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

/** Newest first. */
export async function listEntries(db: Database, paging: Paging) {
  const offset = offsetOf(paging, COUNT_CAP);
  const rows = await db
    .selectFrom('auditLog')
    .leftJoin('users as actor', 'actor.id', 'auditLog.actorId')
    .leftJoin('users as target', 'target.id', 'auditLog.targetUserId')
    .select(['auditLog.id', 'auditLog.createdAt', 'auditLog.action', 'auditLog.details'])
    .select(['auditLog.targetUserId', 'actor.username', 'target.username as targetUsername'])
    .orderBy('auditLog.id', 'desc')
    .limit(paging.limit)
    .offset(offset)
    .execute();
  return { rows, ...(await cappedTotal(db, db.selectFrom('auditLog').select('id'), COUNT_CAP)) };
}
