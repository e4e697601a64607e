import { type Kysely, sql } from 'kysely';

/** What assistants ask their person to do, until the person has confirmed or declined it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table assistant_requests (
      id integer primary key generated always as identity,
      user_id integer not null references users (id) on delete cascade,
      key_id integer references api_keys (id) on delete cascade,
      program text not null,
      act text not null,
      subject_id integer not null,
      message text check (length(message) between 1 and 2000),
      state text not null default 'waiting',
      created_at timestamptz not null,
      expires_at timestamptz not null,
      constraint assistant_requests_state check (state in ('waiting', 'confirmed', 'declined')),
      constraint assistant_requests_expire check (expires_at > created_at)
    );
    comment on table assistant_requests is 'acts that an assistant asks its person to confirm; kept for a day';
    comment on column assistant_requests.key_id is 'the key of the assistant: what it asks ends with it; null: the person themselves';
    comment on column assistant_requests.program is 'the name of the key';
    comment on column assistant_requests.subject_id is 'the swap, the bid or the coupon that the act is about';
    comment on column assistant_requests.message is 'what is to be sent, where the act is a message';
    create index assistant_requests_user on assistant_requests (user_id, id);
    create index assistant_requests_key on assistant_requests (key_id);
    create index assistant_requests_age on assistant_requests (created_at)`.execute(db);
}
