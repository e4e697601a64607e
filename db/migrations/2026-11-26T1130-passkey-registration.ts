import { type Kysely, sql } from 'kysely';

/** A passkey can begin an account: its challenge, like that of a sign-in, belongs to nobody yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table passkey_challenges drop constraint passkey_challenges_purpose_check,
      drop constraint passkey_challenges_check,
      add constraint passkey_challenges_purpose_check check (purpose in ('sign_in', 'register', 'confirm', 'add')),
      add constraint passkey_challenges_check check ((purpose in ('sign_in', 'register')) = (user_id is null))`.execute(
    db,
  );
}
