import { type Kysely, sql } from 'kysely';

/**
 * Wishes are told of the coupons of a minute together, and in another order for each coupon, so that no program that is fast
 * or whose wish is old is always the first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table want_queue
      add column queued_at timestamptz not null default now(),
      add column seed uuid not null default gen_random_uuid(),
      add column after_place text not null default '';
    comment on column want_queue.seed is 'by chance: a wish has the place md5(seed, id of the wish)';
    comment on column want_queue.after_place is 'the wishes up to this place are done';
    comment on column want_queue.after_want_id is 'no longer read; processes of the version before still write it';
    comment on column webhook_endpoints.busy_until is 'until when a process has it for itself, or its receiver wants nothing'`.execute(
    db,
  );
}
