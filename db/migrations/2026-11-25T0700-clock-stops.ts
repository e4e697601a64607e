import { type Kysely, sql } from 'kysely';

/** Deadlines wait for people who cannot act, and for everybody after an outage (decisions 4.3). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table clock_stops (
      id integer generated always as identity primary key,
      user_id integer references users (id) on delete cascade,
      cause text not null check (cause in ('suspended', 'banned', 'outage')),
      since timestamptz not null,
      clear_at timestamptz not null,
      check (clear_at > since),
      check ((user_id is null) = (cause = 'outage'))
    );
    comment on table clock_stops is
      'no deadline of this person (null: of anybody) that was to pass after since passes before clear_at';
    create index clock_stops_user on clock_stops (user_id, cause);

    create table market_pulse (
      is_only boolean primary key default true check (is_only),
      beat_at timestamptz not null
    );
    comment on table market_pulse is 'when deadlines were last looked at: a long gap is an outage';

    -- Those who are kept from acting now. The clocks of banned people cannot be known any more.
    insert into clock_stops (user_id, cause, since, clear_at)
    select id, status, now(), coalesce(greatest(status_until, now()), now() + interval '60 days') + interval '72 hours'
    from users where status = 'suspended' and deleted_at is null;
  `.execute(db);
}
