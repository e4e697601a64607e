import type { StorageSettings } from '#server/core/provider-settings.ts';
import { checkFolder, createFolderStorage } from './folder-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import type { FileStorage } from './storage.ts';

/** Opens the configured storage: a local folder or a bucket. */
export function openStorage(settings: StorageSettings): FileStorage {
  return settings.kind === 's3' ? createS3Storage(settings) : createFolderStorage(settings.folder);
}

/**
 * Checks at start that a folder can be written to. A bucket is not checked, because it may be temporarily unreachable.
 * @throws Error that names the setting
 */
export async function checkStorage(settings: StorageSettings): Promise<void> {
  if (settings.kind === 's3') return;
  const { folder, setting } = settings;
  await checkFolder(folder).catch((cause: unknown) => {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new Error(
      `${setting}: pictures cannot be written to ${folder} (${reason}). Give the folder to the user that runs ClipSwap, or name another one.`,
      { cause },
    );
  });
}
