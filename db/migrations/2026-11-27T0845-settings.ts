import { type Kysely, sql } from 'kysely';

/** What admins change while the market runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table setting_changes (
      id integer generated always as identity primary key,
      name text not null check (length(name) between 1 and 60),
      value jsonb,
      follows integer,
      undoes integer references setting_changes (id),
      changed_by integer references users (id),
      changed_at timestamptz not null,
      constraint setting_changes_of_name unique (name, id),
      constraint setting_changes_once unique nulls not distinct (name, follows),
      constraint setting_changes_follow foreign key (name, follows) references setting_changes (name, id),
      constraint setting_changes_undo check (undoes is null or undoes = follows)
    );
    comment on table setting_changes is 'append-only: the newest row of a name is what holds';
    comment on column setting_changes.value is 'null: back to the folder of the market, or the default';
    comment on column setting_changes.follows is 'the change before it, that the admin has seen: each has one that follows it';
    comment on column setting_changes.changed_by is 'null: the operator on the command line';
    create function refuse_setting_change() returns trigger language plpgsql as $$
    begin
      raise exception 'changes of settings are append-only' using errcode = 'check_violation';
    end $$;
    create trigger setting_changes_append_only before update or delete or truncate on setting_changes
      for each statement execute function refuse_setting_change()`.execute(db);
}
