import { openPictures } from '#server/readers/pictures/open-pictures.ts';
import type { Pictures } from '#server/readers/pictures/pictures.ts';
import { HANGS_MS } from './patience.ts';

let shared: Pictures | undefined;

/**
 * The processes for pictures that all test files of a process share: each takes a third of a second of a core to
 * start. Nobody closes them. They end when they are idle for long, and with the process.
 */
export function sharedPictures(): Pictures {
  // Some files ask for hundreds of pictures at once.
  shared ??= { ...openPictures({ timeLimitMs: HANGS_MS, queueLimit: 1_000 }), close: async () => {} };
  return shared;
}
