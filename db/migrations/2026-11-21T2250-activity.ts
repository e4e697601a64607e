import { type Kysely, sql } from 'kysely';

/** What happened and who is told: history, notifications, mail, and the messages of a deal's two parties. */
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
      bid_id integer references bids (id),
      coupon_id integer references coupons (id),
      payment_id integer references payment_transactions (id),
      created_at timestamptz not null
    );
    comment on column transaction_logs.user_id is 'whose history the line stands in';
    comment on column transaction_logs.actor_id is 'who did it; null when a rule did';
    create index transaction_logs_user on transaction_logs (user_id, created_at desc, id desc);
    create index transaction_logs_money on transaction_logs (id) where payment_id is not null`.execute(db);

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
    );
    create index notifications_user on notifications (user_id, created_at desc, id desc);
    create index notifications_unread on notifications (user_id) where not is_read;
    -- A conversation is announced once until it is read.
    create unique index notifications_unread_message on notifications (user_id, link)
      where type = 'message' and not is_read;

    create table notification_preferences (
      user_id integer not null references users (id) on delete cascade,
      type text not null check (type in ('exchange_request', 'exchange_accepted', 'exchange_rejected',
        'exchange_completed', 'message', 'other')),
      in_app boolean not null,
      mail boolean not null,
      primary key (user_id, type)
    );
    comment on table notification_preferences is 'no row: told in both ways'`.execute(db);

  // Mail of the account itself (a link to confirm, to choose a new password) has no notification. It may have no
  // person either: who asks for a new password may be unknown, and that must not show.
  await sql`
    create table mail_outbox (
      id integer generated always as identity primary key,
      kind text not null default 'notification' check (kind in
        ('notification', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'account_deleted',
         'status_changed')),
      notification_id integer unique references notifications (id) on delete cascade,
      user_id integer references users (id) on delete cascade,
      type text check (type in ('exchange_request', 'exchange_accepted', 'exchange_rejected',
        'exchange_completed', 'message', 'other')),
      address text check (length(address) between 3 and 254),
      link text check (link like '/%'),
      subject text not null check (length(subject) between 1 and 200),
      body text not null,
      until_read boolean not null default false,
      attempts integer not null default 0 check (attempts >= 0),
      next_try_at timestamptz not null,
      last_error text check (length(last_error) <= 1000),
      sent_at timestamptz,
      failed_at timestamptz,
      created_at timestamptz not null,
      constraint mail_outbox_recipient check (num_nonnulls(user_id, address) >= 1),
      constraint mail_outbox_one_end check (sent_at is null or failed_at is null),
      constraint mail_outbox_notification_typed
        check (kind <> 'notification' or (type is not null and link is not null and user_id is not null))
    );
    comment on column mail_outbox.address is 'where it goes; null: to the person''s own address when it is sent';
    comment on column mail_outbox.until_read is 'of a conversation not opened since: no second mail of it goes';
    -- Who wants the mail without the notification has no unread one to go by.
    create unique index mail_outbox_until_read on mail_outbox (user_id, link) where until_read;
    -- Mail that somebody waits for, such as a link to confirm, goes before notifications.
    create index mail_outbox_waiting on mail_outbox ((kind = 'notification'), next_try_at)
      where sent_at is null and failed_at is null;
    create index mail_outbox_user on mail_outbox (user_id);
    create index mail_outbox_sent on mail_outbox (sent_at) where sent_at is not null;
    create index mail_outbox_failed on mail_outbox (failed_at) where failed_at is not null`.execute(db);

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
    );
    comment on column messages.client_key is 'the sender''s own: the same message sent twice is one';
    create unique index messages_client_key on messages (sender_id, client_key);
    create index messages_exchange on messages (exchange_id, id desc);
    create index messages_bid on messages (bid_id, id desc);
    create index messages_unread on messages (receiver_id, exchange_id, bid_id) where not is_read`.execute(
    db,
  );
}
