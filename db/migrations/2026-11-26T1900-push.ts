import { type Kysely, sql } from 'kysely';

/** Web Push: the browsers that get it, what waits to be sent, and people's choices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions add constraint sessions_owner unique (id, user_id);

    create table push_subscriptions (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      session_id text not null unique,
      endpoint text not null unique check (length(endpoint) <= 1000),
      p256dh text not null check (length(p256dh) = 87),
      auth text not null check (length(auth) = 22),
      last_used_at timestamptz,
      created_at timestamptz not null,
      foreign key (session_id, user_id) references sessions (id, user_id) on delete cascade
    );
    comment on column push_subscriptions.session_id is 'the sign-in of the browser: they end together';
    comment on column push_subscriptions.endpoint is 'where its push service takes pushes for this browser';
    comment on column push_subscriptions.p256dh is 'public key of the browser, 65 bytes in base64url';
    comment on column push_subscriptions.auth is 'secret shared with the browser, 16 bytes in base64url';
    comment on column push_subscriptions.last_used_at is 'when its push service last took a push';
    create index push_subscriptions_user on push_subscriptions (user_id, id);

    create table push_outbox (
      id integer generated always as identity primary key,
      subscription_id integer not null references push_subscriptions (id) on delete cascade,
      notification_id integer references notifications (id) on delete cascade,
      type text check (type in ('exchange_request', 'exchange_accepted', 'exchange_rejected',
        'exchange_completed', 'message', 'want', 'match', 'other')),
      title text not null check (length(title) between 1 and 200),
      link text not null check (link like '/%'),
      attempts smallint not null default 0 check (attempts >= 0),
      next_try_at timestamptz not null,
      created_at timestamptz not null
    );
    comment on table push_outbox is 'what is still to be sent, one row a browser';
    comment on column push_outbox.notification_id is 'once it is read, nothing is sent; null: there is none';
    comment on column push_outbox.type is 'null: the person tries it out';
    create index push_outbox_due on push_outbox (next_try_at);
    create index push_outbox_subscription on push_outbox (subscription_id);
    create index push_outbox_notification on push_outbox (notification_id) where notification_id is not null;

    create table quiet_hours (
      user_id integer primary key references users (id) on delete cascade,
      starts_at time not null,
      ends_at time not null,
      time_zone text not null check (length(time_zone) <= 64),
      check (starts_at <> ends_at),
      -- An unknown zone would stop the pushes of everybody.
      constraint quiet_hours_zone_known check (timestamptz '2000-01-01T00:00:00Z' at time zone time_zone is not null)
    );
    comment on table quiet_hours is 'when no push is sent; those of people without a row are sent at once';
    comment on column quiet_hours.ends_at is 'before starts_at: on the next day';

    alter table notification_preferences add column push boolean not null default true`.execute(db);
}
