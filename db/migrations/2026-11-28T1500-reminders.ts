import { type Kysely, sql } from 'kysely';

/** The second reminder, on the day before the last one, counts days as the coupon does: 2 are left. It was named 1. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table expiry_reminders drop constraint expiry_reminders_days_check,
      add constraint expiry_reminders_days_check check (days in (1, 2, 7));
    insert into expiry_reminders (coupon_id, user_id, days, expiry_date, created_at)
      select coupon_id, user_id, 2, expiry_date, created_at from expiry_reminders where days = 1
      on conflict do nothing`.execute(db);
}
