import { type Kysely, sql } from 'kysely';

/** Assistants that people have connected by OAuth: each consent is a key for programs, whose token changes every hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table oauth_clients (
      id text primary key,
      name text not null check (length(name) between 1 and 60),
      redirect_uris text[] not null,
      created_at timestamptz not null,
      constraint oauth_clients_redirects check (cardinality(redirect_uris) between 1 and 10)
    );
    comment on table oauth_clients is 'programs that have registered themselves to ask people for their consent';
    create index oauth_clients_age on oauth_clients (created_at);

    alter table api_keys add column client_id text references oauth_clients (id) on delete cascade;
    alter table api_keys add column token_until timestamptz;
    comment on column api_keys.client_id is 'the program that the person has connected; null: they have made the key themselves';
    comment on column api_keys.token_until is 'until when the present token of a client works';
    create index api_keys_client on api_keys (client_id) where client_id is not null;

    create table oauth_codes (
      code_hash text primary key,
      key_id integer not null references api_keys (id) on delete cascade,
      redirect_uri text not null,
      challenge text not null,
      expires_at timestamptz not null,
      used_at timestamptz
    );
    comment on table oauth_codes is 'authorization codes: each is exchanged once, for the first tokens of a key';
    comment on column oauth_codes.code_hash is 'SHA-256: the code itself is nowhere';
    comment on column oauth_codes.challenge is 'of PKCE, S256';
    create index oauth_codes_key on oauth_codes (key_id);

    create table oauth_refresh_tokens (
      token_hash text primary key,
      key_id integer not null references api_keys (id) on delete cascade,
      created_at timestamptz not null,
      used_at timestamptz
    );
    comment on table oauth_refresh_tokens is 'each is used once; a second use ends its key';
    comment on column oauth_refresh_tokens.token_hash is 'SHA-256: the token itself is nowhere';
    create index oauth_refresh_tokens_key on oauth_refresh_tokens (key_id)`.execute(db);
}
