/** Stores files by name. Callers encrypt the content. */
export interface FileStorage {
  /** Replaces a file atomically. @throws StorageFailure */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null if there is no such file. @throws StorageFailure */
  get(name: string): Promise<Buffer | null>;
  /** Deletes a file; a missing one is no error. @throws StorageFailure */
  remove(name: string): Promise<void>;
}

/** The storage is unreachable, full or refuses us. The message holds no secret. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';
}

/**
 * Allows only letters, digits, `_` and `-`, so that no name leaves the storage's folder.
 * @throws TypeError for any other name: a programming error
 */
export function checkFileName(name: string): void {
  if (!/^[\w-]{1,100}$/.test(name)) throw new TypeError('Is not the name of a stored file');
}
