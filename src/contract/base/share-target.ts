/** Where other applications post files and texts to: the service worker answers it (`share_target` in the manifest). */
export const SHARE_TARGET = '/share-target';

/** The cache of the browser for what was posted there and is not taken yet. */
export const SHARED_CACHE = 'clipswap-shared';
