import { type Card, PictureRefusal, type Pictures } from './pictures.ts';
import { openThreads, ThreadFailure } from './threads.ts';
import type { PictureAnswer, PictureJob } from './worker.ts';

export interface PicturesOptions {
  /** How many pictures are read in parallel; public ones are processed one by one. */
  readonly threads?: number;
  /**
   * Time limit for one picture, in milliseconds: many times what a busy machine needs. The search for codes is never cut
   * short, since a picture without a look would pass for one without a code.
   */
  readonly timeLimitMs?: number;
  /** How many pictures may wait for a thread; more are refused. */
  readonly queueLimit?: number;
}

/** The largest JavaScript heap of a thread, in megabytes; pixels are outside of it. */
const HEAP_MB = 256;

/** How many drawn tickets are kept in memory, about 30 kB each. */
const CARDS_KEPT = 100;

/** Opens the reading and drawing of pictures. The threads start with the first picture. */
export function openPictures(options: PicturesOptions = {}): Pictures {
  const { threads = 2, timeLimitMs = 20_000, queueLimit = 16 } = options;
  const script = new URL('./worker.ts', import.meta.url);
  const common = { script, timeLimitMs, queueLimit, heapMb: HEAP_MB };
  const pool = openThreads<PictureJob, PictureAnswer>({ ...common, threads });
  // A thread of its own, so that nobody who reads or draws a code waits while many sizes are encoded.
  const publishers = openThreads<PictureJob, PictureAnswer>({ ...common, threads: 1 });
  const run = async (threadsFor: typeof pool, ...given: Parameters<typeof pool.run>) => {
    // Here first, because its native library must outlive the threads that use it.
    await import('sharp');
    return threadsFor.run(...given);
  };
  /** @throws PictureRefusal */
  const work = async (threadsFor: typeof pool, job: PictureJob) => {
    const answer = await run(threadsFor, job).catch((error: unknown) => {
      throw refusalOf(error);
    });
    if (answer.kind === 'refused') throw new PictureRefusal(answer.problem);
    return answer;
  };
  /** Promises, so that a ticket asked for twice at once is drawn once. */
  const cards = new Map<string, Promise<Buffer>>();
  const draw = async (card: Card) => {
    const answer = await work(pool, { kind: 'card', card });
    if (answer.kind !== 'card') throw new Error('A ticket was drawn, but the answer is another');
    return asBuffer(answer.bytes);
  };
  return {
    read: async (file) => {
      const answer = await work(pool, { kind: 'read', file });
      if (answer.kind !== 'read') throw new Error('A picture was read, but the answer is another');
      return { ...answer.picture, bytes: asBuffer(answer.picture.bytes) };
    },
    publish: async (file, as) => {
      const answer = await work(publishers, { kind: 'publish', as, file });
      if (answer.kind !== 'published') throw new Error('A picture was published, but the answer is another');
      return answer.picture;
    },
    draw: async (kind, code) => {
      // A drawing takes milliseconds, and the owner of the code may be waiting at the till.
      const answer = await run(pool, { kind: 'draw', as: kind, code }, { urgent: true });
      if (answer.kind !== 'drawn') throw new Error('A code was drawn, but the answer is another');
      return answer.code && { ...answer.code, bytes: asBuffer(answer.code.bytes) };
    },
    drawCard: (card) => {
      const key = JSON.stringify(card);
      const drawn = cards.get(key) ?? draw(card);
      // The latest is the last.
      cards.delete(key);
      cards.set(key, drawn);
      const [oldest] = cards.keys();
      if (cards.size > CARDS_KEPT && oldest !== undefined) cards.delete(oldest);
      drawn.catch(() => cards.delete(key));
      return drawn;
    },
    close: async () => {
      await Promise.all([pool.close(), publishers.close()]);
    },
  };
}

/** Translates the end of a thread to a refusal of its picture; a closed pool is no reason to refuse it. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof ThreadFailure) || error.problem === 'closed') return error;
  return new PictureRefusal(error.problem === 'crashed' ? 'broken' : 'too_slow');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
