import { checkFileName, type FileStorage } from './storage.ts';

/** Stores files in memory, for tests. */
export function createMemoryStorage(): FileStorage {
  const files = new Map<string, Buffer>();
  return {
    async put(name, bytes) {
      checkFileName(name);
      files.set(name, Buffer.from(bytes));
    },
    async get(name) {
      checkFileName(name);
      const bytes = files.get(name);
      return bytes ? Buffer.from(bytes) : null;
    },
    async remove(name) {
      checkFileName(name);
      files.delete(name);
    },
  };
}
