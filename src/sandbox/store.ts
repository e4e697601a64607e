import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Keeps the stand-ins' objects. */
export interface SandboxStore {
  get(kind: string, id: string): Promise<unknown>;
  put(kind: string, id: string, value: unknown): Promise<void>;
  /** All of a kind, oldest first. */
  list(kind: string): Promise<unknown[]>;
  /** Deletes the oldest of a kind until `keep` are left. */
  trim(kind: string, keep: number): Promise<void>;
}

/** A change, as a line of the file: an object without a value is deleted. */
type Change = readonly [kind: string, id: string, value?: unknown];

/**
 * A store in memory that writes every change to a file, so that no payment is lost at a restart.
 * @param file only its owner may read it; without one nothing is kept
 */
export function openStore(file?: string): SandboxStore {
  /** Objects as JSON, by kind and id. */
  const kinds = new Map<string, Map<string, string>>();
  const kindOf = (kind: string) => {
    const objects = kinds.get(kind) ?? new Map<string, string>();
    kinds.set(kind, objects);
    return objects;
  };
  const apply = ([kind, id, value]: Change) => {
    if (value === undefined) kindOf(kind).delete(id);
    else kindOf(kind).set(id, JSON.stringify(value));
  };
  const change = (...changed: Change) => {
    apply(changed);
    if (file) appendFileSync(file, `${JSON.stringify(changed)}\n`);
  };

  if (file) {
    for (const changed of readChanges(file)) apply(changed);
    const lines = [...kinds].flatMap(([kind, objects]) =>
      [...objects].map(([id, json]) => `[${JSON.stringify(kind)},${JSON.stringify(id)},${json}]\n`),
    );
    // The last state of each object is enough.
    writeFileSync(`${file}.new`, lines.join(''), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  return {
    async get(kind, id) {
      const json = kindOf(kind).get(id);
      return json === undefined ? undefined : JSON.parse(json);
    },
    put: async (kind, id, value) => change(kind, id, value),
    list: async (kind) => [...kindOf(kind).values()].map((json) => JSON.parse(json)),
    async trim(kind, keep) {
      const ids = [...kindOf(kind).keys()];
      for (const id of ids.slice(0, Math.max(0, ids.length - keep))) change(kind, id);
    },
  };
}

function readChanges(file: string): Change[] {
  mkdirSync(path.dirname(file), { recursive: true });
  if (!existsSync(file)) return [];
  // A program that was killed may have left half a line at the end.
  const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line));
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
