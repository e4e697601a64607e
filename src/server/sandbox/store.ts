import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '#server/database/client.ts';

/** Where a sandbox keeps its objects: in the database, so that a restart forgets no payment. */
export interface SandboxStore {
  get(kind: string, id: string): Promise<unknown>;
  put(kind: string, id: string, value: unknown): Promise<void>;
  /** All of a kind, oldest first. */
  list(kind: string): Promise<unknown[]>;
  /** Forgets the oldest of a kind, down to `keep`. */
  trim(kind: string, keep: number): Promise<void>;
}

/** Values come back exactly as stored: they are read as text, past the plugin that renames columns. */
export function createSandboxStore(db: Database): SandboxStore {
  return {
    async get(kind, id) {
      const { rows } = await sql<{ json: string }>`
        select value::text as json from sandbox_objects where kind = ${kind} and id = ${id}`.execute(db);
      return rows[0] && JSON.parse(rows[0].json);
    },
    async put(kind, id, value) {
      const json = JSON.stringify(value);
      await sql`
        insert into sandbox_objects (kind, id, value) values (${kind}, ${id}, ${json}::jsonb)
        on conflict (kind, id) do update set value = excluded.value`.execute(db);
    },
    async list(kind) {
      const { rows } = await sql<{ json: string }>`
        select value::text as json from sandbox_objects where kind = ${kind} order by position`.execute(db);
      return rows.map(({ json }) => JSON.parse(json));
    },
    async trim(kind, keep) {
      await sql`
        delete from sandbox_objects where kind = ${kind} and position <= (
          select position from sandbox_objects where kind = ${kind} order by position desc offset ${keep} limit 1
        )`.execute(db);
    },
  };
}

/** The stored objects of one kind, checked as they come out of the store. */
export interface Shelf<T extends { id: string }> {
  /** Null when there is none. */
  get(id: string): Promise<T | null>;
  put(value: T): Promise<T>;
  /** Oldest first. */
  list(): Promise<T[]>;
}

export function openShelf<T extends { id: string }>(
  store: SandboxStore,
  kind: string,
  schema: z.ZodType<T>,
): Shelf<T> {
  return {
    async get(id) {
      const value = await store.get(kind, id);
      return value === undefined || value === null ? null : schema.parse(value);
    },
    async put(value) {
      await store.put(kind, value.id, value);
      return value;
    },
    async list() {
      return z.array(schema).parse(await store.list(kind));
    },
  };
}
