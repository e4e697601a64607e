import { sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

/**
 * Makes a database whose disk can be full: PostgreSQL then answers every write as it does there, and rolls its
 * transaction back. @returns a function that fills the disk up, or makes room again
 */
export async function addDisk(db: Database): Promise<(isFull: boolean) => Promise<void>> {
  await sql`create schema test_disk`.execute(db);
  await sql`create table test_disk.state as select false as is_full`.execute(db);
  await sql`create function test_disk.check() returns trigger language plpgsql as $$ begin
    if (select is_full from test_disk.state) then
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end if;
    return null; end $$`.execute(db);
  await sql`do $$ declare name text; begin
    for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
      execute format('create trigger test_disk before insert or update on %I execute function test_disk.check()', name);
    end loop; end $$`.execute(db);
  return async (isFull) => {
    await sql`update test_disk.state set is_full = ${isFull}`.execute(db);
  };
}
