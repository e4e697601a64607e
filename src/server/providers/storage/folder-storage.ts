import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { checkFileName, type FileStorage, StorageFailure } from './storage.ts';

/**
 * Stores files in a local folder that only the process's user can read. Subfolders by the first two characters keep
 * each folder short.
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
      // File names have no dot, so a temporary file is never taken for a finished one.
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

/** Makes the folder, if need be, and writes a file to it. @throws the error of the file system */
export async function checkFolder(folder: string): Promise<void> {
  await makeDirectory(folder);
  const probe = path.join(folder, `write-check.${randomBytes(6).toString('hex')}`);
  try {
    await writeThrough(probe, Buffer.from('ClipSwap'));
  } finally {
    await rm(probe, { force: true });
  }
}

async function makeDirectory(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true, mode: 0o700 });
  // A new folder survives a power cut once its parent is synced.
  if (first !== undefined) await syncDirectory(path.dirname(first));
}

/** Writes a new file and waits until it is on disk. */
async function writeThrough(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs the names in a folder. Windows does so by itself and refuses the call. */
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
