import { type Kysely, sql } from 'kysely';

/** Values that are read from an offer's title, and the times at which offers end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table feed_offers
      add column is_value_read boolean not null default false,
      add column end_time text,
      add constraint feed_offers_value_read check (value is not null or not is_value_read),
      add constraint feed_offers_end_time_written
        check (end_time is null or (expiry_date is not null and end_time ~ '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(Z|[+-]\\d\\d:\\d\\d)?$'));
    comment on column feed_offers.is_value_read is 'the value is read from the title: the feed has none of its own';
    comment on column feed_offers.end_time is 'ISO 8601, without a zone where the feed names none'`.execute(
    db,
  );
}
