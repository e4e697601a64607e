import { type Kysely, sql } from 'kysely';

/** What happened and who is told: history, notifications and mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table transaction_logs (
      id integer generated always as identity primary key,
      user_id integer not null references users (id),
      actor_id integer references users (id),
      action text not null check (action in
        ('created', 'accepted', 'completed', 'rejected', 'cancelled', 'verified', 'expired', 'updated',
         'payment', 'refund', 'signup', 'login', 'profile')),
      details text not null check (length(details) <= 2000),
      exchange_id integer references exchanges (id),
      bid_id integer references bids (id),
      coupon_id integer references coupons (id),
      payment_id integer references payment_transactions (id),
      created_at timestamptz not null
    );
    comment on column transaction_logs.user_id is 'the person in whose history the line is';
    comment on column transaction_logs.actor_id is 'who did it; null: a rule did';
    create index transaction_logs_user on transaction_logs (user_id, created_at desc, id desc);
    create index transaction_logs_money on transaction_logs (id) where payment_id is not null;

    create table notifications (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      type text not null check (type in ('exchange_request', 'exchange_accepted', 'exchange_rejected',
        'exchange_completed', 'message', 'want', 'match', 'other')),
      -- Quotes whole reasons, of up to 1,000 characters, within a sentence.
      content text not null check (length(content) between 1 and 2000),
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
        'exchange_completed', 'message', 'want', 'match', 'other')),
      in_app boolean not null,
      mail boolean not null,
      daily boolean not null default false,
      primary key (user_id, type),
      constraint notification_preferences_daily check (not daily or type = 'want')
    );
    comment on table notification_preferences is 'no row: told in both ways';
    comment on column notification_preferences.daily is 'its mails come together, once a day';

    -- Mail of the account itself (a link to confirm, to choose a new password) has no notification. It may have no
    -- person either: the address that asks for a new password may be unknown, and that must not show.
    create table mail_outbox (
      id integer generated always as identity primary key,
      kind text not null default 'notification' check (kind in
        ('notification', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'account_deleted',
         'status_changed', 'new_browser', 'second_factor', 'second_factor_tries', 'passkey', 'passkey_copied')),
      notification_id integer unique references notifications (id) on delete cascade,
      user_id integer references users (id) on delete cascade,
      type text check (type in ('exchange_request', 'exchange_accepted', 'exchange_rejected',
        'exchange_completed', 'message', 'want', 'match', 'other')),
      address text check (length(address) between 3 and 254),
      link text check (link like '/%'),
      subject text not null check (length(subject) between 1 and 200),
      body text not null,
      receipt jsonb,
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
    comment on column mail_outbox.receipt is
      'the receipt or fee statement in it: {title, lines: [{name, value}], note, link}; null: none';
    comment on column mail_outbox.until_read is 'about a conversation that was not opened since: no second mail goes';
    -- People who want the mail without the notification have no unread one to go by.
    create unique index mail_outbox_until_read on mail_outbox (user_id, link) where until_read;
    -- Mail that somebody waits for, such as a link to confirm, goes before notifications.
    create index mail_outbox_waiting on mail_outbox ((kind = 'notification'), next_try_at)
      where sent_at is null and failed_at is null;
    create index mail_outbox_user on mail_outbox (user_id);
    create index mail_outbox_sent on mail_outbox (sent_at) where sent_at is not null;
    create index mail_outbox_failed on mail_outbox (failed_at) where failed_at is not null`.execute(db);
}
