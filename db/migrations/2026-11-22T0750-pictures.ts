import { type Kysely, sql } from 'kysely';

/** Public pictures: of offers and of people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pictures (
      id text primary key check (id ~ '^[A-Za-z0-9_-]{22}-[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$'),
      uploader_id integer references users (id),
      kind text not null check (kind in ('offer', 'profile')),
      files text[] not null check (cardinality(files) > 0),
      created_at timestamptz not null,
      attached_at timestamptz,
      discarded_at timestamptz
    );
    comment on column pictures.id is 'a random name and the size in pixels: lists need no join to reserve its room';
    comment on column pictures.uploader_id is 'null: somebody who was not signed in, or the feed of a merchant';
    comment on column pictures.files is 'their names in the file storage';
    create index pictures_uploader on pictures (uploader_id);
    create index pictures_loose on pictures (created_at) where attached_at is null and discarded_at is null;
    create index pictures_discarded on pictures (id) where discarded_at is not null;

    alter table coupons add column picture_id text references pictures (id);
    create unique index coupons_picture on coupons (picture_id) where picture_id is not null;
    alter table users add column picture_id text references pictures (id);
    create unique index users_picture on users (picture_id) where picture_id is not null;
    alter table feed_offers add column image_url text check (length(image_url) <= 2000)`.execute(db);
}
