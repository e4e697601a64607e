import { sql } from 'kysely';
import type { CouponConsent, WantConsent } from '#contract/deals/market-days.ts';
import { couponSummary } from '#server/coupons/core/coupon-summary-sql.ts';
import type { Database, Trx } from '#server/database/client.ts';

/** A wish as far as agreeing asks; undefined if it is not this person's. Locked until the transaction ends. */
export async function lockWant(trx: Trx, { id, userId }: { id: number; userId: number }) {
  const { rows } = await sql<{ gives: string; agreedAt: Date | null }>`
    select gives, (select created_at from want_consents where want_id = wants.id) as agreed_at
    from wants where id = ${id} and user_id = ${userId} for no key update`.execute(trx);
  return rows[0];
}

export async function putWantConsent(
  trx: Trx,
  { wantId, ...values }: WantConsent & { readonly createdAt: Date },
): Promise<void> {
  await trx
    .insertInto('wantConsents')
    .values({ wantId, ...values })
    .onConflict((conflict) => conflict.column('wantId').doUpdateSet(values))
    .execute();
}

export async function deleteWantConsent(trx: Trx, wantId: number): Promise<void> {
  await trx.deleteFrom('wantConsents').where('wantId', '=', wantId).execute();
}

/** When these coupons were agreed to be given, those that were. Lock the coupons first. */
export async function listAgreed(trx: Trx, couponIds: readonly number[]) {
  return trx
    .selectFrom('couponConsents')
    .select(['couponId', 'createdAt'])
    .where('couponId', '=', sql<number>`any(${couponIds}::integer[])`)
    .execute();
}

export async function putCouponConsent(
  trx: Trx,
  given: { couponId: number; ownerId: number; minValue: number | null; until: string; createdAt: Date },
): Promise<void> {
  const { couponId, ...values } = given;
  await trx
    .insertInto('couponConsents')
    .values(given)
    .onConflict((conflict) => conflict.column('couponId').doUpdateSet(values))
    .execute();
}

export async function deleteCouponConsent(trx: Trx, couponId: number): Promise<void> {
  await trx.deleteFrom('couponConsents').where('couponId', '=', couponId).execute();
}

/** What a person has agreed to that is not over on `day`. */
export async function listConsents(
  db: Database,
  { userId, day }: { userId: number; day: string },
): Promise<{ wants: WantConsent[]; coupons: CouponConsent[] }> {
  const { rows: wants } = await sql<WantConsent>`
    select want_id, consent.min_value, min_health, times, until::text
    from want_consents as consent join wants on wants.id = consent.want_id
    where wants.user_id = ${userId} and until >= ${day}::date order by want_id`.execute(db);
  const { rows: coupons } = await sql<CouponConsent>`
    select ${couponSummary('coupons')} as coupon, min_value, until::text
    from coupon_consents as consent join coupons on coupons.id = consent.coupon_id
    where consent.owner_id = ${userId} and until >= ${day}::date and deleted_at is null order by coupon_id`.execute(
    db,
  );
  return { wants, coupons };
}
