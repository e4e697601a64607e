import { type Kysely, sql } from 'kysely';

/** Mails to people's private addresses, and the drafts of coupons that are made from them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table inbound_mails (
      id integer generated always as identity primary key,
      user_id integer not null references users (id),
      message_key text not null check (length(message_key) = 64),
      received_at timestamptz not null,
      due_at timestamptz,
      attempts smallint not null default 0,
      unique (user_id, message_key)
    );
    comment on column inbound_mails.message_key is 'keyed hash of its Message-ID, or of all of it: each mail counts once';
    comment on column inbound_mails.due_at is 'when it is read, or read again; null: it has been';
    create index inbound_mails_due on inbound_mails (due_at) where due_at is not null;
    create index inbound_mails_received on inbound_mails (received_at);

    create table inbound_mail_parts (
      id integer generated always as identity primary key,
      mail_id integer not null references inbound_mails (id) on delete cascade,
      sealed bytea not null
    );
    comment on table inbound_mail_parts is 'what is still to be read, until it has become drafts';
    create index inbound_mail_parts_mail on inbound_mail_parts (mail_id, id);

    create table coupon_drafts (
      id integer generated always as identity primary key,
      user_id integer not null references users (id),
      place smallint not null check (place between 1 and 100),
      mail_id integer not null references inbound_mails (id) on delete cascade,
      image_id text references images (id) on delete set null,
      sealed bytea not null,
      created_at timestamptz not null,
      unique (user_id, place)
    );
    comment on column coupon_drafts.place is 'no two drafts of a person have the same: there are at most 100';
    create index coupon_drafts_created on coupon_drafts (created_at);
    create index coupon_drafts_mail on coupon_drafts (mail_id);
    create index coupon_drafts_image on coupon_drafts (image_id);

    alter table images add column kept_until timestamptz;
    comment on column images.kept_until is 'an upload of a draft stays until then'`.execute(db);
}
