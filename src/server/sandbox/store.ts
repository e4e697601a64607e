import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '#server/database/client.ts';

/** Keeps a sandbox's objects, in the database: no payment is lost at a restart. */
export interface SandboxStore {
  get(kind: string, id: string): Promise<unknown>;
  put(kind: string, id: string, value: unknown): Promise<void>;
  /** All of a kind, oldest first. */
  list(kind: string): Promise<unknown[]>;
  /** Deletes the oldest of a kind until `keep` are left. */
  trim(kind: string, keep: number): Promise<void>;
}

/** Values are read as text, because Kysely's plugin would rename the keys inside them. */
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

/** The stored objects of one kind, validated when they are read. */
export interface Collection<T extends { id: string }> {
  /** Null when there is none. */
  get(id: string): Promise<T | null>;
  /**
   * @param param the request's parameter that named the id, for the provider's error
   * @throws Refusal as the provider answers when there is none
   */
  find(id: string, param?: string): Promise<T>;
  put(value: T): Promise<T>;
  /** Oldest first. */
  list(): Promise<T[]>;
}

/** @param missing makes the error that `find` throws */
export function openCollection<T extends { id: string }>(
  store: SandboxStore,
  kind: string,
  schema: z.ZodType<T>,
  missing: (id: string, param?: string) => Error,
): Collection<T> {
  const get = async (id: string) => {
    const value = await store.get(kind, id);
    return value === undefined || value === null ? null : schema.parse(value);
  };
  return {
    get,
    async find(id, param) {
      const value = await get(id);
      if (value === null) throw missing(id, param);
      return value;
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
