import { sql } from 'kysely';
import type { Database } from './client.ts';

/** The memory of the payment stand-ins, in the database: a restart of the program forgets no payment. */
export function createSandboxObjects(db: Database) {
  return {
    async get(kind: string, id: string): Promise<unknown> {
      const found = await db
        .selectFrom('sandboxObjects')
        .select('value')
        .where('kind', '=', kind)
        .where('id', '=', id)
        .executeTakeFirst();
      return found?.value;
    },
    async put(kind: string, id: string, value: unknown): Promise<void> {
      const json = JSON.stringify(value);
      await sql`
        insert into sandbox_objects (kind, id, value) values (${kind}, ${id}, ${json}::jsonb)
        on conflict (kind, id) do update set value = excluded.value`.execute(db);
    },
    /** Oldest first. */
    async list(kind: string): Promise<unknown[]> {
      const rows = await db
        .selectFrom('sandboxObjects')
        .select('value')
        .where('kind', '=', kind)
        .orderBy('position')
        .execute();
      return rows.map(({ value }) => value);
    },
  };
}
