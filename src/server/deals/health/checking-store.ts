import { sql } from 'kysely';
import { PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import { ENDS_AT } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Database } from '#server/database/client.ts';

/**
 * Coupons on offer of these merchants that no deal holds and that get no new code now, and about whose code nobody has asked since `before`: those that
 * have waited longest come first.
 */
export async function listDue(
  db: Database,
  given: { merchants: readonly string[]; before: Date; now: Date; limit: number },
): Promise<number[]> {
  const { merchants, before, now, limit } = given;
  const askedAt = sql`greatest(coupons.checked_at, coupon_checks.asked_at)`;
  const { rows } = await sql<{ id: number }>`
    select coupons.id from coupons
    join coupon_secrets on coupon_secrets.coupon_id = coupons.id
    left join coupon_checks on coupon_checks.coupon_id = coupons.id
    where is_active and ${ENDS_AT} >= ${now} and category <> all(${PERSONAL_CATEGORIES}::text[])
      and merchant_text = any(array(select fold_text(name) from unnest(${merchants}::text[]) as name))
      and not exists (select from coupon_reservations where coupon_reservations.coupon_id = coupons.id)
      and not exists (select from reissues where reissues.coupon_id = coupons.id and next_try_at is not null)
      and (${askedAt} is null or ${askedAt} < ${before})
    order by ${askedAt} nulls first, coupons.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Of these coupons, those of these merchants. */
export async function listOf(
  db: Database,
  { merchants, couponIds }: { merchants: readonly string[]; couponIds: readonly number[] },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from coupons where id = any(${couponIds}::integer[])
      and merchant_text = any(array(select fold_text(name) from unnest(${merchants}::text[]) as name))
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Takes one question of a day's budget, before it is asked. @returns false when none is left */
export async function spend(
  db: Database,
  { account, day, budget }: { account: string; day: string; budget: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into validator_budgets (account, day, asked) select ${account}, ${day}::date, 1 where ${budget} > 0
    on conflict (account, day) do update set asked = validator_budgets.asked + 1
      where validator_budgets.asked < ${budget}
    returning asked`.execute(db);
  return rows.length > 0;
}

/** Notes that a job asks about the code of a coupon. */
export async function noteAsked(db: Database, couponId: number, at: Date): Promise<void> {
  await db
    .insertInto('couponChecks')
    .values({ couponId, askedAt: at })
    .onConflict((conflict) => conflict.column('couponId').doUpdateSet({ askedAt: at }))
    .execute();
}

/** Forgets the budgets of days before `day`. */
export async function forgetBudgets(db: Database, day: string): Promise<void> {
  await db.deleteFrom('validatorBudgets').where('day', '<', day).execute();
}
