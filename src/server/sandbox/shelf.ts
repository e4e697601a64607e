import { z } from 'zod';
import type { SandboxStore } from './store.ts';

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
