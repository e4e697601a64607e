import type { StorageSettings } from '#server/core/config.ts';
import { createFolderStorage } from './folder-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import type { FileStorage } from './storage.ts';

/** Opens the configured storage: a local folder or a bucket. */
export function openStorage(settings: StorageSettings): FileStorage {
  return settings.kind === 's3' ? createS3Storage(settings) : createFolderStorage(settings.folder);
}
