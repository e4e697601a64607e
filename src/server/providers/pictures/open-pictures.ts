import { type Card, type PictureProblem, PictureRefusal, type Pictures } from './pictures.ts';
import { openProcesses, type ProcessesOptions, ProcessFailure, type ProcessProblem } from './processes.ts';
import type { PictureAnswer, PictureJob } from './worker.ts';

export interface PicturesOptions {
  /** How many pictures are read in parallel; public ones are processed one by one. */
  readonly processes?: number;
  /**
   * Time limit for one picture, in milliseconds: many times what a busy machine needs. The search for codes is never cut
   * short, since a picture without a look would pass for one without a code.
   */
  readonly timeLimitMs?: number;
  /** How many pictures may wait for a process; more are refused. */
  readonly queueLimit?: number;
  /** Called when a process ends that nobody has ended. */
  readonly onDeath?: ProcessesOptions['onDeath'];
  /** The market's own icon on wallet passes, a picture or an SVG; null: the usual one. */
  readonly mark?: Uint8Array | null;
}

const LIMITS = {
  /** Pixels are outside of it. */
  heapMb: 256,
  /** Above what a HEIC photo of 50 million pixels takes: 512 MB of its decoder, and its pixels twice. */
  memoryMb: 1536,
  /** A process that reads occupies about 100 MB, and takes a third of a second of a core until its first answer. */
  idleMs: 60_000,
};

/** How many pictures wait for their text to be read, beside the one that is read: a person waits about 2 seconds each. */
const TEXTS_WAITING = 4;

/** How many drawn tickets are kept in memory, about 30 kB each. */
const CARDS_KEPT = 100;

/** Opens the reading and drawing of pictures. The processes start with the first picture. */
export function openPictures(options: PicturesOptions = {}): Pictures {
  const { processes = 2, timeLimitMs = 20_000, queueLimit = 16, onDeath = () => {}, mark = null } = options;
  const script = new URL('./worker.ts', import.meta.url);
  const common = { ...LIMITS, script, timeLimitMs, queueLimit, onDeath };
  const pool = openProcesses<PictureJob, PictureAnswer>({ ...common, processes });
  // A process of its own, so that nobody who reads or draws a code waits while many sizes are encoded.
  const publishers = openProcesses<PictureJob, PictureAnswer>({ ...common, processes: 1 });
  // Another, so that reading a code stays quick. It holds the languages in its memory.
  const readers = openProcesses<PictureJob, PictureAnswer>({
    ...common,
    processes: 1,
    queueLimit: Math.min(queueLimit, TEXTS_WAITING),
  });
  /** @throws PictureRefusal */
  const work = async (processesFor: typeof pool, job: PictureJob, how?: { readonly urgent: boolean }) => {
    const answer = await processesFor.run(job, how).catch((error: unknown) => {
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
  const read = async (job: PictureJob & { readonly kind: 'read' | 'cover' }) => {
    const answer = await work(pool, job);
    if (answer.kind !== 'read') throw new Error('A picture was read, but the answer is another');
    return { ...answer.picture, bytes: asBuffer(answer.picture.bytes) };
  };
  return {
    read: (file, page) => read({ kind: 'read', file, page }),
    cover: (file) => read({ kind: 'cover', file }),
    readText: async (file) => {
      const answer = await work(readers, { kind: 'text', file });
      if (answer.kind !== 'text') throw new Error('A text was read, but the answer is another');
      return answer.readings;
    },
    readWorkbook: async (file) => {
      const answer = await work(pool, { kind: 'workbook', file });
      if (answer.kind !== 'table') throw new Error('A workbook was read, but the answer is another');
      return answer.text;
    },
    publish: async (file, as) => {
      const answer = await work(publishers, { kind: 'publish', as, file });
      if (answer.kind !== 'published') throw new Error('A picture was published, but the answer is another');
      return answer.picture;
    },
    draw: async (kind, code) => {
      // A drawing takes milliseconds, and the owner of the code may be waiting at the till.
      const answer = await work(pool, { kind: 'draw', as: kind, code }, { urgent: true });
      if (answer.kind !== 'drawn') throw new Error('A code was drawn, but the answer is another');
      return answer.code && { ...answer.code, bytes: asBuffer(answer.code.bytes) };
    },
    drawPass: async (pictured) => {
      const answer = await work(pool, { kind: 'pass', pictured, mark }, { urgent: true });
      if (answer.kind !== 'pass') throw new Error('A pass was drawn, but the answer is another');
      return answer.pictures;
    },
    drawIcons: async (picture, ground) => {
      const answer = await work(pool, { kind: 'icons', picture, ground });
      if (answer.kind !== 'icons') throw new Error('Icons were drawn, but the answer is another');
      return new Map(answer.icons.map(([name, bytes]) => [name, asBuffer(bytes)]));
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
      await Promise.all([pool.close(), publishers.close(), readers.close()]);
    },
  };
}

const REFUSALS: Partial<Record<ProcessProblem, PictureProblem>> = {
  failed: 'broken',
  late: 'too_slow',
  died: 'interrupted',
  busy: 'too_slow',
};

/** Translates the end of a process to a refusal of its picture; a closed pool is no reason to refuse it. */
function refusalOf(error: unknown): unknown {
  const problem = error instanceof ProcessFailure ? REFUSALS[error.problem] : undefined;
  return problem ? new PictureRefusal(problem) : error;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
