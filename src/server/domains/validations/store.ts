import { type Insertable, sql } from 'kysely';
import { PERSONAL_CATEGORIES } from '#contract/coupons.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

export async function insertValidation(db: Database, values: Insertable<DB['validations']>): Promise<void> {
  await db.insertInto('validations').values(values).execute();
}

/** Somebody's latest record of the same question. */
export async function findLatest(
  db: Database,
  asked: { userId: number; codeHash: string; source: string; couponId: number | null; since: Date },
) {
  return db
    .selectFrom('validations')
    .select(['validatedWith', 'verdict'])
    .where('codeHash', '=', asked.codeHash)
    .where('userId', '=', asked.userId)
    .where('source', '=', asked.source)
    .where('couponId', 'is not distinct from', asked.couponId)
    .where('createdAt', '>=', asked.since)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The records in which a merchant's own programme has said yes or no to a code, the latest first. */
function confirmedWords(db: Database | Trx, codeHash: string) {
  return db
    .selectFrom('validations')
    .select(['isValid', 'userId', 'couponId'])
    .where('codeHash', '=', codeHash)
    .where((where) =>
      where.or([where('isConfirmed', '=', true), where(sql`verdict ->> 'confirmed'`, '=', 'true')]),
    )
    .orderBy('id', 'desc');
}

/** What was confirmed last about a code, whoever has asked; null where nothing was. */
export async function lastWord(db: Database | Trx, codeHash: string): Promise<boolean | null> {
  const last = await confirmedWords(db, codeHash).limit(1).executeTakeFirst();
  return last?.isValid ?? null;
}

/** Whether somebody who has brought the code, rather than asked about a listed coupon, was told that it is good. */
export async function hasBroughtGood(
  db: Database | Trx,
  asked: { userId: number; codeHash: string; since: Date },
): Promise<boolean> {
  const row = await confirmedWords(db, asked.codeHash)
    .where('isValid', '=', true)
    .where('userId', '=', asked.userId)
    .where('couponId', 'is', null)
    .where('createdAt', '>=', asked.since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes up to `limit` records from before `before` that belong to no coupon, nor are about a listed code. */
export async function removeOld(db: Database, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('validations')
    .where('id', 'in', (select) =>
      select
        .selectFrom('validations')
        .select('id')
        .where('createdAt', '<', before)
        .where('couponId', 'is', null)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('coupons')
                .select('coupons.id')
                .whereRef('coupons.codeHash', '=', 'validations.codeHash')
                .where('coupons.isActive', '=', true)
                .where('coupons.category', 'not in', PERSONAL_CATEGORIES),
            ),
          ),
        )
        .orderBy('createdAt')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
