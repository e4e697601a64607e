import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import { DEFAULT_DAYS, type Side } from './defaults.ts';
import { IS_GRANTED } from './records-store.ts';

/**
 * Open claims that were made until an instant or whose announced end has come, the oldest first, without those whose
 * announced end has not come, and those that do not end by themselves and of which admins were told after `toldBefore`.
 */
export async function listDue(
  db: Database,
  { madeBefore, toldBefore, now, limit }: { madeBefore: Date; toldBefore: Date; now: Date; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('claims')
    .select('id')
    .where('status', '=', 'open')
    .where(({ eb, or }) => or([eb('createdAt', '<=', madeBefore), eb('defaultAt', '<=', now)]))
    .where(sql<boolean>`(default_at <= ${now} or default_at is null or appealed_at is not null)`)
    .where(
      sql<boolean>`(told_admins_at <= ${toldBefore} or told_admins_at is null or default_at is not null)`,
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Locks an open claim. @returns false when it is no longer open */
export async function lockOpen(trx: Trx, id: number): Promise<boolean> {
  const locked = await trx
    .selectFrom('claims')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'open')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked !== undefined;
}

export async function markReminded(trx: Trx, id: number, at: Date): Promise<void> {
  await trx.updateTable('claims').set({ remindedAt: at }).where('id', '=', id).execute();
}

export async function markAdminsTold(trx: Trx, id: number, at: Date): Promise<void> {
  await trx.updateTable('claims').set({ toldAdminsAt: at }).where('id', '=', id).execute();
}

export async function setDefault(
  trx: Trx,
  id: number,
  end: { defaultFor: Side; defaultAt: Date },
): Promise<void> {
  await trx.updateTable('claims').set(end).where('id', '=', id).execute();
}

/** Takes the announced end of an open claim back: admins, who were told of it, are told each day again. */
export async function withdrawDefault(db: Database, id: number): Promise<void> {
  await db
    .updateTable('claims')
    .set({ defaultFor: null, defaultAt: null })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('appealedAt', 'is', null)
    .execute();
}

/** Compare-and-set. @returns false when the claim has no announced end any more, or it was appealed before */
export async function appeal(trx: Trx, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('claims')
    .set({ appealedAt: at, toldAdminsAt: null })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('defaultFor', 'is not', null)
    .where('appealedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What is known of a person for a claim that nobody has decided, but for their deals. Only claims that count. */
export async function countRecord(
  trx: Trx,
  userId: number,
  at: Date,
): Promise<{ failed: number; declined: number; defaults: number }> {
  const { rows } = await sql<{ failed: number; declined: number; defaults: number }>`
    select
      (select count(*)::integer from counted_claims as claim
        where claim.giver_id = ${userId} and ${IS_GRANTED}) as failed,
      (select count(*)::integer from counted_claims as claim
        where claim.claimant_id = ${userId} and claim.status in ('released', 'refused')) as declined,
      (select count(*)::integer from claims where is_default and finding_for is null and decided_at > ${at}::timestamptz - make_interval(days => ${DEFAULT_DAYS})
        and case default_for when 'claimant' then claimant_id else giver_id end = ${userId}
        and ${userId} in (claimant_id, giver_id)) as defaults`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('A sum has no row');
  return row;
}
