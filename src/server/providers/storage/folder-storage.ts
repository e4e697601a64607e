import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { checkFileName, type FileStorage, StorageFailure } from './storage.ts';

/**
 * Keeps files in a folder of this machine, for its owner's eyes alone. They are spread over folders by their first
 * two characters, so that none grows too long to be listed.
 */
export function createFolderStorage(folder: string): FileStorage {
  const placeOf = (name: string) => {
    checkFileName(name);
    const directory = path.join(folder, name.slice(0, 2));
    return { directory, file: path.join(directory, name) };
  };

  return {
    async put(name, bytes) {
      const { directory, file } = placeOf(name);
      // No file of ours has a dot in its name: a half-written one is never taken for another.
      const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
      try {
        await makeDirectory(directory);
        await writeThrough(unfinished, bytes);
        await rename(unfinished, file);
        await syncDirectory(directory);
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {});
        throw failure('written', error);
      }
    },
    async get(name) {
      const { file } = placeOf(name);
      try {
        return await readFile(file);
      } catch (error) {
        if (isMissing(error)) return null;
        throw failure('read', error);
      }
    },
    async remove(name) {
      const { file } = placeOf(name);
      try {
        await rm(file, { force: true });
      } catch (error) {
        throw failure('removed', error);
      }
    },
  };
}

async function makeDirectory(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true, mode: 0o700 });
  // A new folder outlasts a power cut once the one above it is on the disk.
  if (first !== undefined) await syncDirectory(path.dirname(first));
}

/** Writes a new file and waits until the disk has it. */
async function writeThrough(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Has the disk keep the names in a folder. Windows does so by itself, and refuses to be asked. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

function failure(done: string, error: unknown): StorageFailure {
  return new StorageFailure(`A file could not be ${done}: ${codeOf(error)}`, { cause: error });
}
