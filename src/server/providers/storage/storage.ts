/** Keeps files under names of ours; what is in them is sealed by those who hand them in. */
export interface FileStorage {
  /** Writes a file whole or not at all, over the one before it. @throws StorageFailure */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null where there is no such file. @throws StorageFailure */
  get(name: string): Promise<Buffer | null>;
  /** Removes a file; one that is not there is no error. @throws StorageFailure */
  remove(name: string): Promise<void>;
}

/** The storage cannot be reached, is full or refuses us; its message holds no secret. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';
}

/**
 * Lets only letters, digits, `_` and `-` through, so that no name leads out of the place it is kept in.
 * @throws TypeError: a wrong name is a mistake of ours
 */
export function checkFileName(name: string): void {
  if (!/^[\w-]{1,100}$/.test(name)) throw new TypeError('Is not the name of a stored file');
}
