import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import { notOwnCase } from '#server/people/audit/own-cases-sql.ts';
import type { OpenClaimant } from './decide.ts';

/** Whether somebody has found that the code of a claim (`claim`) did not work; not a bank, or time alone. */
export const IS_GRANTED = sql`(claim.status in ('refunded', 'upheld') and exists (
  select from claims as ended where ended.id = claim.id and (ended.decided_by is not null or ended.is_default)))`;

/** Until when a moderator has looked at the claims about a giver (`giver`). */
const LOOKED_AT = sql`coalesce(giver.sales_checked_at, '-infinity')`;

/** The claims about what a person gave that were granted since an instant, and since a moderator looked. Only those that count. */
export async function countGranted(trx: Trx, giverId: number, since: Date): Promise<number> {
  const { rows } = await sql<{ granted: number }>`
    select count(*)::integer as granted from counted_claims as claim join users as giver on giver.id = claim.giver_id
    where claim.giver_id = ${giverId} and ${IS_GRANTED}
      and claim.decided_at > greatest(${since}::timestamptz, ${LOOKED_AT})`.execute(trx);
  return rows[0]?.granted ?? 0;
}

/**
 * Who has an open claim that counts about what a person gave, made since a moderator looked. Of those who may be one person
 * the first alone.
 */
export async function listOpenClaimants(trx: Trx, giverId: number): Promise<OpenClaimant[]> {
  const { rows } = await sql<OpenClaimant>`
    with claimants as (
      select distinct claim.claimant_id as id
      from counted_claims as claim join users as giver on giver.id = claim.giver_id
      where claim.giver_id = ${giverId} and claim.status = 'open' and claim.created_at > ${LOOKED_AT})
    select (
      select count(*) from counted_claims as earlier
      where earlier.claimant_id = claimants.id and earlier.status in ('released', 'refused'))::integer as declined
    from claimants
    where not exists (
      select from claimants as other join uncounted_pairs as pair
        on pair.lower_id = other.id and pair.higher_id = claimants.id)`.execute(trx);
  return rows;
}

/** Compare-and-set. @returns undefined when the person cannot sell already */
export async function stopSales(
  trx: Trx,
  userId: number,
  at: Date,
): Promise<{ username: string } | undefined> {
  return trx
    .updateTable('users')
    .set({ salesStoppedAt: at })
    .where('id', '=', userId)
    .where('salesStoppedAt', 'is', null)
    .where('deletedAt', 'is', null)
    .returning('username')
    .executeTakeFirst();
}

/** Counts a code that a person gave in a deal and that did not work. */
export async function addFailedCode(trx: Trx, userId: number): Promise<void> {
  await sql`update users set failed_codes = failed_codes + 1 where id = ${userId}`.execute(trx);
}

/** What moderators see at once of people in claims; only claims that count. @param since from when granted claims are counted */
export async function listSides(db: Database | Trx, userIds: readonly number[], since: Date) {
  const claimsBy = (column: 'claimantId' | 'giverId', condition: RawBuilder<unknown>) =>
    sql<number>`(select count(*)::integer from counted_claims as claim where ${sql.ref(`claim.${column}`)} = users.id and ${condition})`;
  const isGranted = sql`${IS_GRANTED} and claim.decided_at > ${since}`;
  return db
    .selectFrom('users')
    .select(['id', 'createdAt'])
    .select([
      claimsBy('giverId', isGranted).as('grantedAgainst'),
      claimsBy('claimantId', isGranted).as('granted'),
      claimsBy('claimantId', sql`claim.status in ('released', 'refused')`).as('declined'),
    ])
    .where('id', '=', sql<number>`any(${userIds})`)
    .execute();
}

/** Whom this judge may let sell again: who has no claim with the judge, the one who waits longest first. */
function selectStopped(db: Database | Trx, judgeId: number) {
  return db
    .selectFrom('users')
    .where('salesStoppedAt', 'is not', null)
    .where('deletedAt', 'is', null)
    .where(notOwnCase(judgeId, ['users.id']))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('claims')
            .whereRef('claims.giverId', '=', 'users.id')
            .where('claims.claimantId', '=', judgeId),
        ),
      ),
    );
}

/** Up to `limit` people who cannot sell. */
export async function listStopped(db: Database, judgeId: number, limit: number) {
  return selectStopped(db, judgeId)
    .select(['id', 'username', 'salesStoppedAt'])
    .orderBy('salesStoppedAt')
    .orderBy('id')
    .limit(limit)
    .$narrowType<{ salesStoppedAt: Date }>()
    .execute();
}

/** Compare-and-set. @returns false when the judge may not, or the person sells already */
export async function resumeSales(
  trx: Trx,
  { userId, judgeId, at }: { userId: number; judgeId: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ salesStoppedAt: null, salesCheckedAt: at })
    .where('id', 'in', selectStopped(trx, judgeId).select('users.id').where('users.id', '=', userId))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
