import { type Kysely, sql } from 'kysely';

/** The messages of the two parties of a deal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table messages (
      id integer generated always as identity primary key,
      exchange_id integer references exchanges (id),
      bid_id integer references bids (id),
      sender_id integer not null references users (id),
      receiver_id integer not null references users (id),
      content text not null check (length(content) between 1 and 2000),
      is_read boolean not null default false,
      client_key uuid,
      created_at timestamptz not null,
      constraint messages_one_deal check (num_nonnulls(exchange_id, bid_id) = 1),
      constraint messages_two_people check (sender_id <> receiver_id)
    )`.execute(db);
  await sql`comment on column messages.client_key is 'the sender''s own: the same message sent twice is one'`.execute(
    db,
  );
  await sql`create unique index messages_client_key on messages (sender_id, client_key)`.execute(db);
  await sql`create index messages_exchange on messages (exchange_id, id desc)`.execute(db);
  await sql`create index messages_bid on messages (bid_id, id desc)`.execute(db);
  await sql`create index messages_unread on messages (receiver_id, exchange_id, bid_id) where not is_read`.execute(
    db,
  );

  // Conversations are listed by their last change, either side of a deal in the order of its index.
  await sql`create index exchanges_requester_updated on exchanges (requester_id, updated_at desc, id desc)`.execute(
    db,
  );
  await sql`create index exchanges_owner_updated on exchanges (owner_id, updated_at desc, id desc)`.execute(
    db,
  );
  await sql`create index bids_bidder_updated on bids (bidder_id, updated_at desc, id desc)`.execute(db);
  await sql`create index bids_owner_updated on bids (owner_id, updated_at desc, id desc)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index exchanges_requester_updated, exchanges_owner_updated, bids_bidder_updated, bids_owner_updated`.execute(
    db,
  );
  await sql`drop table messages`.execute(db);
}
