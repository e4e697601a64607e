import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

export interface Feedback {
  readonly codeHash: string;
  readonly userId: number;
  /** Null when the feedback is about a public offer. */
  readonly couponId: number | null;
  readonly worked: boolean;
  readonly at: Date;
}

export async function putFeedback(
  trx: Trx,
  { codeHash, userId, couponId, worked, at }: Feedback,
): Promise<void> {
  await sql`
    insert into code_feedback (code_hash, user_id, coupon_id, worked, given_at)
    values (${codeHash}, ${userId}, ${couponId}, ${worked}, ${at})
    on conflict (code_hash, user_id, (coalesce(coupon_id, 0))) do update set worked = excluded.worked,
      given_at = excluded.given_at`.execute(trx);
}

/** Counts what was said of a coupon's present code. Few people have owned it, so counting on each call is cheap. */
export async function countFeedback(db: Database, { couponId, since }: { couponId: number; since: Date }) {
  return db
    .selectFrom('countedReports')
    .innerJoin('coupons', (join) =>
      join
        .onRef('coupons.id', '=', 'countedReports.couponId')
        .onRef('coupons.codeHash', '=', 'countedReports.codeHash'),
    )
    .where('countedReports.couponId', '=', couponId)
    .select((select) => [
      select.fn
        .countAll<number>()
        .filterWhere('worked', '=', true)
        .filterWhere('givenAt', '>', since)
        .as('worked'),
      select.fn
        .countAll<number>()
        .filterWhere('worked', '=', false)
        .filterWhere('givenAt', '>', since)
        .as('failed'),
      select.fn.max('givenAt').filterWhere('worked', '=', true).as('lastWorkedAt'),
      sql<Date | null>`(select max(validations.created_at) from validations join coupons as checked using (code_hash)
        where checked.id = ${couponId} and checked.is_verified and is_confirmed)`.as('confirmedAt'),
    ])
    .executeTakeFirstOrThrow();
}

/** What a person said of a coupon's present code, whether it counts or not; null: nothing. */
export async function findSaid(
  db: Database,
  { couponId, userId }: { couponId: number; userId: number },
): Promise<boolean | null> {
  const row = await db
    .selectFrom('codeFeedback')
    .innerJoin('coupons', (join) =>
      join
        .onRef('coupons.id', '=', 'codeFeedback.couponId')
        .onRef('coupons.codeHash', '=', 'codeFeedback.codeHash'),
    )
    .select('codeFeedback.worked')
    .where('codeFeedback.couponId', '=', couponId)
    .where('codeFeedback.userId', '=', userId)
    .executeTakeFirst();
  return row?.worked ?? null;
}

/**
 * Returns the hash of a coupon's code if this person got it by a completed deal and has not edited it since.
 */
export async function codeGotByDeal(
  db: Database | Trx,
  { couponId, userId }: { couponId: number; userId: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('coupons')
    .innerJoin('couponTransfers', 'couponTransfers.couponId', 'coupons.id')
    .select(['coupons.codeHash', 'couponTransfers.isReturn'])
    .where('coupons.id', '=', couponId)
    .where('coupons.ownerId', '=', userId)
    .where('coupons.deletedAt', 'is', null)
    .where('couponTransfers.toUserId', '=', userId)
    .whereRef('couponTransfers.createdAt', '>=', 'coupons.updatedAt')
    .orderBy('couponTransfers.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.isReturn === false && row.codeHash) || undefined;
}
