import { type Kysely, sql } from 'kysely';

/** When an operator's programs have last run: backups, and the checks of the installation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operator_runs (
      name text primary key check (name in ('backup', 'checks')),
      ran_at timestamptz not null,
      broken integer not null default 0 check (broken >= 0),
      attention integer not null default 0 check (attention >= 0)
    )`.execute(db);
  await sql`
    comment on table operator_runs is 'the last run of each program; a backup is noted when its file is whole'`.execute(
    db,
  );
  await sql`
    comment on column operator_runs.broken is 'of the checks: how many found something broken'`.execute(db);
  await sql`
    comment on column operator_runs.attention is 'of the checks: how many found something to look at'`.execute(
    db,
  );
}
