import { sql } from 'kysely';
import type { Database } from './client.ts';

/**
 * The memory of the stand-ins, in the database: a restart of the program forgets no payment. What is kept
 * comes back as it was, to the letter: it is read as text, past the plugin that renames columns.
 */
export function createSandboxObjects(db: Database) {
  return {
    async get(kind: string, id: string): Promise<unknown> {
      const { rows } = await sql<{ json: string }>`
        select value::text as json from sandbox_objects where kind = ${kind} and id = ${id}`.execute(db);
      return rows[0] && JSON.parse(rows[0].json);
    },
    async put(kind: string, id: string, value: unknown): Promise<void> {
      const json = JSON.stringify(value);
      await sql`
        insert into sandbox_objects (kind, id, value) values (${kind}, ${id}, ${json}::jsonb)
        on conflict (kind, id) do update set value = excluded.value`.execute(db);
    },
    /** Oldest first. */
    async list(kind: string): Promise<unknown[]> {
      const { rows } = await sql<{ json: string }>`
        select value::text as json from sandbox_objects where kind = ${kind} order by position`.execute(db);
      return rows.map(({ json }) => JSON.parse(json));
    },
    /** Forgets the oldest of a kind, down to `keep`. */
    async trim(kind: string, keep: number): Promise<void> {
      await sql`
        delete from sandbox_objects where kind = ${kind} and position <= (
          select position from sandbox_objects where kind = ${kind} order by position desc offset ${keep} limit 1
        )`.execute(db);
    },
  };
}
