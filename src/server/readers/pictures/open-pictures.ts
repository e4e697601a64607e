import path from 'node:path';
import { language } from '#contract/base/i18n.ts';
import { baseCurrency } from '#contract/base/money.ts';
import { ROOT } from '#server/core/root.ts';
import type { PictureAnswer, PictureJob } from './answering.ts';
import { type Card, type PictureProblem, PictureRefusal, type Pictures } from './pictures.ts';
import { openProcesses, type ProcessesOptions, ProcessFailure, type ProcessProblem } from './processes.ts';
import type { TextJobs } from './text-worker.ts';
import type { PictureJobs } from './worker.ts';

type Jobs = PictureJobs & TextJobs;

export interface PicturesOptions {
  /** How many pictures are read in parallel; public ones are processed one by one. */
  readonly processes?: number;
  /**
   * Time limit for one picture, table or mail, in milliseconds: many times what a busy machine needs. The search for codes is never cut
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

/** How many pictures wait for their print to be read, beside the one that is read: a person waits about 2 seconds each. */
const PRINTS_WAITING = 4;

/** The most memory for mails and tables, in megabytes: the largest mail several times. */
const TEXT_MB = 768;
/** The largest mail takes half a second. What takes longer than this must not hold up others for as long as a picture may. */
const TEXT_TIME_LIMIT_MS = 5_000;

/** How many drawn tickets are kept in memory, about 30 kB each. */
const CARDS_KEPT = 100;

/** Opens the reading and drawing of pictures. The processes start with the first picture. */
export function openPictures(options: PicturesOptions = {}): Pictures {
  const { processes = 2, timeLimitMs = 20_000, queueLimit = 16, onDeath = () => {}, mark = null } = options;
  const script = path.join(ROOT, 'dist/server/pictures/worker.js');
  const textScript = path.join(ROOT, 'dist/server/pictures/text-worker.js');
  const common = { ...LIMITS, script, timeLimitMs, queueLimit, onDeath };
  const open = (limits: Pick<ProcessesOptions, 'processes'> & Partial<ProcessesOptions>) =>
    openProcesses<PictureJob, PictureAnswer>({ ...common, ...limits });
  const pool = open({ processes });
  // A process of its own, so that nobody who reads or draws a code waits while many sizes are encoded.
  const publishers = open({ processes: 1 });
  // Another, so that reading a code stays quick. It holds the languages in its memory.
  const readers = open({
    processes: 1,
    script: textScript,
    queueLimit: Math.min(queueLimit, PRINTS_WAITING),
  });
  // Another: a hostile mail delays other mails and tables alone.
  const texts = open({
    processes: 1,
    script: textScript,
    memoryMb: TEXT_MB,
    timeLimitMs: options.timeLimitMs ?? TEXT_TIME_LIMIT_MS,
  });
  /** @throws PictureRefusal */
  const work = async <Name extends keyof Jobs>(
    processesFor: typeof pool,
    how: { readonly urgent?: boolean },
    name: Name,
    ...given: Parameters<Jobs[Name]>
  ): Promise<Awaited<ReturnType<Jobs[Name]>>> => {
    const job = { name, given, language: language(), currency: baseCurrency() };
    const answer = await processesFor.run(job, how).catch((error: unknown) => {
      throw refusalOf(error);
    });
    if ('refused' in answer) throw new PictureRefusal(answer.refused);
    return answer.answer as Awaited<ReturnType<Jobs[Name]>>;
  };
  /** Promises, so that a ticket asked for twice at once is drawn once. */
  const cards = new Map<string, Promise<Buffer>>();
  const draw = async (card: Card) => asBuffer(await work(pool, {}, 'card', card));
  return {
    read: async (...given) => withBuffer(await work(pool, {}, 'read', ...given)),
    cover: async (file) => withBuffer(await work(pool, {}, 'cover', file)),
    readPrint: (...given) => work(readers, {}, 'print', ...given),
    // Somebody waits for it; mails do not.
    readTable: (table) => work(texts, { urgent: true }, 'table', table),
    readTableFile: (...given) => work(texts, {}, 'tableFile', ...given),
    openMail: (raw) => work(texts, {}, 'mail', raw),
    readMailText: (...given) => work(texts, {}, 'mailText', ...given),
    publish: (...given) => work(publishers, {}, 'publish', ...given),
    // A drawing takes milliseconds, and the owner of the code may be waiting at the till.
    draw: async (...given) => withBuffer(await work(pool, { urgent: true }, 'draw', ...given)),
    drawPass: (pictured) => work(pool, { urgent: true }, 'pass', pictured, mark),
    drawIcons: async (...given) => {
      const icons = await work(pool, {}, 'icons', ...given);
      return new Map([...icons].map(([name, bytes]) => [name, asBuffer(bytes)]));
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
      await Promise.all([pool, publishers, readers, texts].map((each) => each.close()));
    },
  };
}

const REFUSALS: Partial<Record<ProcessProblem, PictureProblem>> = {
  failed: 'broken',
  late: 'too_slow',
  died: 'interrupted',
  busy: 'busy',
};

/** Translates the end of a process to a refusal of its picture; a closed pool is no reason to refuse it. */
function refusalOf(error: unknown): unknown {
  const problem = error instanceof ProcessFailure ? REFUSALS[error.problem] : undefined;
  return problem ? new PictureRefusal(problem) : error;
}

/** A process answers with plain arrays of bytes. */
function withBuffer<Given extends { readonly bytes: Uint8Array } | null>(given: Given) {
  return given && { ...given, bytes: asBuffer(given.bytes) };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
