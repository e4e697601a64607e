import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/** Whose coupons can be shown, when, and how many. */
interface AtTill {
  readonly ownerId: number;
  readonly at: Date;
  readonly limit: number;
}

/** A person's coupons that can be shown at a till: those first that expire first. */
function selectAtTill(db: Database | Trx, { ownerId, at, limit }: AtTill) {
  const isCode = sql<boolean>`(coupon_secrets.coupon_id is not null
    or exists (select from images where images.coupon_id = coupons.id))`;
  return db
    .selectFrom('coupons')
    .leftJoin('couponSecrets', 'couponSecrets.couponId', 'coupons.id')
    .where('ownerId', '=', ownerId)
    .where('deletedAt', 'is', null)
    .where('usedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      // The merchant retires its code: a device forgets it, and asks again.
      not(
        exists(
          selectFrom('reissues')
            .select('reissues.id')
            .whereRef('reissues.couponId', '=', 'coupons.id')
            .where('reissues.nextTryAt', 'is not', null),
        ),
      ),
    )
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>=', at)]))
    .where(isCode)
    .orderBy('expiresAt', (order) => order.asc().nullsLast())
    .orderBy('id')
    .limit(limit);
}

/** Those coupons, with their sealed codes; `only` these. Locks them (shared) until the transaction ends. */
export async function listKeepable(trx: Trx, given: AtTill & { readonly only: readonly number[] | null }) {
  const { only } = given;
  return selectAtTill(trx, given)
    .select(['id', 'title', 'merchant', 'expiryDate', 'updatedAt', 'couponSecrets.isDrawable'])
    .select(['couponSecrets.code as sealedCode', 'couponSecrets.pin as sealedPin'])
    .$if(only !== null, (query) => query.where('id', '=', sql<number>`any(${[...(only ?? [])]}::integer[])`))
    .forShare('coupons')
    .execute();
}

/** Those of the merchant of one of a person's coupons, in any spelling of its name. */
export async function listAtTill(db: Database, given: AtTill & { readonly couponId: number }) {
  const rows = await selectAtTill(db, given)
    .select('id')
    .where(
      sql<boolean>`merchant_text = (select merchant_text from coupons as shown
        where shown.id = ${given.couponId} and shown.owner_id = ${given.ownerId})`,
    )
    .execute();
  return rows.map(({ id }) => id);
}

export async function noteKept(
  trx: Trx,
  { couponIds, userId, at }: { couponIds: readonly number[]; userId: number; at: Date },
): Promise<void> {
  if (couponIds.length === 0) return;
  await trx
    .insertInto('keptCodes')
    // In the order in which everybody locks chains of exposures.
    .values(couponIds.toSorted((a, b) => a - b).map((couponId) => ({ couponId, userId, keptAt: at })))
    .onConflict((conflict) => conflict.columns(['couponId', 'userId']).doUpdateSet({ keptAt: at }))
    .execute();
}

export interface ReportedView {
  readonly couponId: number;
  readonly revealedAt: Date;
}

/** Records views of codes that a person's devices were given, not earlier than that. */
export async function insertReportedViews(
  db: Database,
  given: {
    views: readonly ReportedView[];
    userId: number;
    at: Date;
    address: string | null;
    userAgent: string | null;
  },
): Promise<void> {
  const { views, userId, at, address, userAgent } = given;
  await sql`
    insert into coupon_reveals (coupon_id, user_id, address, user_agent, revealed_at, reported_at)
    select kept.coupon_id, kept.user_id, ${address}, ${userAgent}, least(greatest(seen.at, kept.kept_at), ${at}), ${at}
    from unnest(${views.map(({ couponId }) => couponId)}::integer[],
      ${views.map(({ revealedAt }) => revealedAt)}::timestamptz[]) as seen (coupon_id, at)
    join kept_codes as kept on kept.coupon_id = seen.coupon_id and kept.user_id = ${userId}
    order by kept.coupon_id, seen.at`.execute(db);
}
