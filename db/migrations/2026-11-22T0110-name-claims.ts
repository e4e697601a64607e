import { type Kysely, sql } from 'kysely';

/** Whose a user name or an e-mail address is, after the account's deletion too. Deletion itself claims older names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table name_claims (
      kind text not null check (kind in ('username', 'email')),
      fingerprint text not null check (length(fingerprint) = 64),
      user_id integer not null references users (id) on delete cascade,
      constraint name_claims_once primary key (kind, fingerprint)
    );
    comment on column name_claims.fingerprint is 'Keyed hash of the name in lower case, never the name';
    create index name_claims_user on name_claims (user_id)`.execute(db);
}
