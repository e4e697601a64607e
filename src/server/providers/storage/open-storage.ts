import type { StorageSettings } from '#server/core/config.ts';
import { createFolderStorage } from './folder-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import type { FileStorage } from './storage.ts';

/** The storage that the settings name: a folder of this machine, or a bucket. */
export function openStorage(settings: StorageSettings): FileStorage {
  return settings.kind === 's3' ? createS3Storage(settings) : createFolderStorage(settings.folder);
}
