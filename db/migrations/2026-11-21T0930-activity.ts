import { type Kysely, sql } from 'kysely';

/** What happened, who is told, and the mail that waits to go out: written with the act they tell of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table transaction_logs (
      id integer generated always as identity primary key,
      user_id integer not null references users (id),
      actor_id integer references users (id),
      action text not null check (action in
        ('created', 'accepted', 'completed', 'rejected', 'cancelled', 'verified', 'expired', 'updated',
         'payment', 'refund', 'signup', 'login', 'profile')),
      details text not null check (length(details) <= 1000),
      exchange_id integer references exchanges (id),
      coupon_id integer references coupons (id),
      created_at timestamptz not null
    )`.execute(db);
  await sql`comment on column transaction_logs.user_id is 'whose history the line stands in'`.execute(db);
  await sql`comment on column transaction_logs.actor_id is 'who did it; null when a rule did'`.execute(db);
  await sql`create index transaction_logs_user on transaction_logs (user_id, created_at desc, id desc)`.execute(
    db,
  );

  await sql`
    create table notifications (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      type text not null check (type in ('exchange_request', 'exchange_accepted', 'exchange_rejected',
        'exchange_completed', 'message', 'other')),
      content text not null check (length(content) between 1 and 1000),
      related_id integer,
      link text not null check (link like '/%'),
      is_read boolean not null default false,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index notifications_user on notifications (user_id, created_at desc, id desc)`.execute(db);
  await sql`create index notifications_unread on notifications (user_id) where not is_read`.execute(db);

  await sql`
    create table mail_outbox (
      id integer generated always as identity primary key,
      notification_id integer not null unique references notifications (id) on delete cascade,
      user_id integer not null references users (id) on delete cascade,
      subject text not null check (length(subject) between 1 and 200),
      body text not null,
      attempts integer not null default 0 check (attempts >= 0),
      sent_at timestamptz,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index mail_outbox_waiting on mail_outbox (id) where sent_at is null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table mail_outbox, notifications, transaction_logs`.execute(db);
}
