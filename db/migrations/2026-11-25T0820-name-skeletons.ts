import { type Kysely, sql } from 'kysely';

/**
 * No two names look alike. What names look like is what `skeleton` of core/fold.ts says; all are ASCII. Where people
 * have had such names before, the first of them is protected.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column skeleton text;
    update users set skeleton = looks.skeleton
      from (
        select distinct on (look) id, look as skeleton
        from users, replace(replace(
          translate(lower(username collate "C"), '01i_.-', 'oll'), 'm', 'rn'), 'vv', 'w') as look
        where deleted_at is null order by look, id
      ) as looks
      where users.id = looks.id;
    alter table users add constraint users_skeleton_key unique (skeleton);
    comment on column users.skeleton is 'what the username looks like; null: somebody had one that looks alike before';
    comment on column name_claims.fingerprint is
      'Keyed hash of the name in lower case, or of what a username looks like; never the name'`.execute(db);
}
