import type { SandboxStore } from '#server/sandbox/store.ts';

/** A store in memory. Values are copied, as in a database. */
export function createMemoryStore(): SandboxStore {
  const kinds = new Map<string, Map<string, unknown>>();
  const kindOf = (kind: string) => {
    const values = kinds.get(kind) ?? new Map<string, unknown>();
    kinds.set(kind, values);
    return values;
  };
  return {
    async get(kind, id) {
      return structuredClone(kindOf(kind).get(id));
    },
    async put(kind, id, value) {
      kindOf(kind).set(id, structuredClone(value));
    },
    async list(kind) {
      return structuredClone([...kindOf(kind).values()]);
    },
    async trim(kind, keep) {
      const values = kindOf(kind);
      for (const id of [...values.keys()].slice(0, Math.max(0, values.size - keep))) values.delete(id);
    },
  };
}
