import { type Kysely, sql } from 'kysely';

/** Pictures of offers in the merchants' feeds, taken when somebody imports an offer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pictures add column source_url text;
    comment on column pictures.source_url is
      'where a feed has it: all coupons made of such offers share the picture; null: uploaded';
    create index pictures_source on pictures using hash (source_url) where source_url is not null;
    drop index coupons_picture;
    create index coupons_picture on coupons (picture_id) where picture_id is not null;

    create table feed_picture_fetches (
      url text primary key,
      host text not null,
      tries integer not null default 0,
      due_at timestamptz,
      asked_at timestamptz not null
    );
    comment on table feed_picture_fetches is 'pictures that imported coupons wait for';
    comment on column feed_picture_fetches.due_at is 'when it is tried next; null: given up';
    comment on column feed_picture_fetches.asked_at is 'when a coupon last began to wait for it';
    create index feed_picture_fetches_due on feed_picture_fetches (due_at) where due_at is not null;

    create table feed_picture_waits (
      coupon_id integer primary key references coupons (id),
      url text not null references feed_picture_fetches (url)
    );
    create index feed_picture_waits_url on feed_picture_waits using hash (url)`.execute(db);
}
