import { type Kysely, sql } from 'kysely';

/** Sellers' accounts with the payment providers, as last read from there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table seller_accounts (
      user_id integer not null references users (id),
      provider text not null check (provider in ('stripe', 'paypal')),
      account_ref text check (length(account_ref) between 1 and 200),
      is_ready boolean not null default false,
      payments_receivable boolean not null default false,
      primary_email_confirmed boolean not null default false,
      is_restricted boolean not null default false,
      requirements jsonb not null default '[]' check (jsonb_typeof(requirements) = 'array'),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (user_id, provider),
      constraint seller_accounts_ready_known check (not is_ready or account_ref is not null)
    )`.execute(db);
  await sql`comment on column seller_accounts.account_ref is
    'the id there; null while a set-up was begun and the provider has not told'`.execute(db);
  await sql`create unique index seller_accounts_ref on seller_accounts (provider, account_ref)`.execute(db);

  // A stand-in's own memory: what a provider would know. Empty where real providers are set up.
  await sql`
    create table sandbox_objects (
      kind text not null,
      id text not null,
      value jsonb not null,
      position bigint generated always as identity,
      primary key (kind, id)
    )`.execute(db);
  await sql`create index sandbox_objects_order on sandbox_objects (kind, position)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table sandbox_objects, seller_accounts`.execute(db);
}
