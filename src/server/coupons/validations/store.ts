import { type Insertable, type RawBuilder, sql } from 'kysely';
import { PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

export async function insertValidation(db: Database, values: Insertable<DB['validations']>): Promise<void> {
  await db.insertInto('validations').values(values).execute();
}

/** A person's latest record of the same question. */
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

/** The records in which a merchant's own programme has confirmed or refused a code, latest first. */
function confirmedVerdicts(db: Database | Trx, codeHash: string) {
  return db
    .selectFrom('validations')
    .select(['isValid', 'userId', 'couponId'])
    .where('codeHash', '=', codeHash)
    .where((where) =>
      where.or([where('isConfirmed', '=', true), where(sql`verdict ->> 'confirmed'`, '=', 'true')]),
    )
    .orderBy('id', 'desc');
}

/** Whether the latest such verdict is "valid", for whoever it was given; null if there is none. */
export async function lastConfirmedVerdict(db: Database | Trx, codeHash: string): Promise<boolean | null> {
  const last = await confirmedVerdicts(db, codeHash).limit(1).executeTakeFirst();
  return last?.isValid ?? null;
}

/**
 * As SQL: whether the code was confirmed as valid to this person after they entered it, not by a check of a listed
 * coupon, and the latest such verdict is still "valid".
 */
export function isConfirmedTo(
  db: Database | Trx,
  asked: { userId: number; codeHash: string; since: Date },
): RawBuilder<boolean> {
  const verdicts = confirmedVerdicts(db, asked.codeHash);
  const toThem = verdicts
    .where('isValid', '=', true)
    .where('userId', '=', asked.userId)
    .where('couponId', 'is', null)
    .where('createdAt', '>=', asked.since);
  return sql<boolean>`(exists ${toThem} and (select is_valid from ${verdicts.limit(1)} as latest))`;
}

/**
 * Removes up to `limit` records older than `before` that belong to no coupon and are not about the code of a listed
 * one.
 */
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
