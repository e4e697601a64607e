// Loaded here first: its native library must outlive the threads that use it.
import 'sharp';
import { PictureRefusal, type Pictures } from './pictures.ts';
import { openThreads, ThreadFailure } from './threads.ts';
import type { PictureAnswer, PictureJob } from './worker.ts';

export interface PicturesOptions {
  /** How many pictures are worked on at once. */
  readonly threads?: number;
  /** How long one picture may take, in milliseconds. */
  readonly timeLimitMs?: number;
  /** How many pictures may wait for a thread. */
  readonly queueLimit?: number;
}

/** What a thread's own JavaScript needs at most, in megabytes; pixels are kept outside of it. */
const HEAP_MB = 256;

/** Of the time for one picture, the part in which codes are looked for. */
const SEARCH_SHARE = 0.4;

/** Opens the reading and drawing of pictures; threads start with the first picture. */
export function openPictures(options: PicturesOptions = {}): Pictures {
  const { threads = 2, timeLimitMs = 5000, queueLimit = 16 } = options;
  const pool = openThreads<PictureJob, PictureAnswer>({
    script: new URL('./worker.ts', import.meta.url),
    threads,
    timeLimitMs,
    queueLimit,
    heapMb: HEAP_MB,
  });
  return {
    read: async (file) => {
      const answer = await pool
        .run({ kind: 'read', file, searchMs: timeLimitMs * SEARCH_SHARE })
        .catch((error: unknown) => {
          throw refusalOf(error);
        });
      if (answer.kind === 'refused') throw new PictureRefusal(answer.problem);
      if (answer.kind !== 'read') throw new Error('A picture was read, but the answer is another');
      return { ...answer.picture, bytes: asBuffer(answer.picture.bytes) };
    },
    draw: async (kind, code) => {
      // A drawing takes milliseconds, and its owner waits at the till.
      const answer = await pool.run({ kind: 'draw', as: kind, code }, { urgent: true });
      if (answer.kind !== 'drawn') throw new Error('A code was drawn, but the answer is another');
      return answer.code && { ...answer.code, bytes: asBuffer(answer.code.bytes) };
    },
    close: () => pool.close(),
  };
}

/** What a thread's end says about the picture it had; a closed pool says nothing about it. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof ThreadFailure) || error.problem === 'closed') return error;
  return new PictureRefusal(error.problem === 'crashed' ? 'broken' : 'too_slow');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
