import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { z } from 'zod';

/** A part of a backup: small enough for memory. */
export interface ArchivePart {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The last part: what the file holds, and the checksum of all parts before. */
const totalsSchema = z.object({
  rows: z.record(z.string(), z.int().min(0)),
  pictures: z.int().min(0),
  /** Pictures that the storage did not have. */
  missing: z.int().min(0),
  sha256: z.string(),
});
export type Totals = z.output<typeof totalsSchema>;

const LAST = 'totals.json';
/** Larger than any part: a file that claims more is no backup. */
const MAX_PART_BYTES = 64 * 1_048_576;

/** A running checksum over the names and contents of parts, in their order. */
function createSum() {
  const hash = createHash('sha256');
  return {
    add: ({ name, bytes }: ArchivePart) => void hash.update(`${name} ${bytes.length}\n`).update(bytes),
    end: () => hash.digest('hex'),
  };
}

export interface ArchiveWriter {
  add(part: ArchivePart): Promise<void>;
  /** Completes the file; before, it is `<file>.part`. */
  finish(totals: Omit<Totals, 'sha256'>): Promise<Totals>;
  abort(): Promise<void>;
}

/** Begins a gzipped tar file that its owner alone can read. @throws Error where there is such a file */
export async function createArchive(file: string): Promise<ArchiveWriter> {
  if (await stat(file).catch(() => null)) throw new Error(`${file} is there already`);
  const half = `${file}.part`;
  const tar = pack();
  const sum = createSum();
  const written = pipeline(
    tar,
    createGzip({ level: 3 }),
    createWriteStream(half, { mode: 0o600, flush: true }),
  );
  // A full disk fails the next part, which waits for it.
  const failure = written.then(() => new Promise<never>(() => {}));
  failure.catch(() => {});
  const write = ({ name, bytes }: ArchivePart) =>
    Promise.race([
      failure,
      new Promise<void>((resolve, reject) => {
        const entry = tar.entry({ name, mode: 0o600 }, bytes, (error) => (error ? reject(error) : resolve()));
        // When the disk fails between two parts, nobody else listens to it, and the program would end.
        entry.on('error', reject);
      }),
    ]);

  return {
    async add(part) {
      sum.add(part);
      await write(part);
    },
    async finish(given) {
      const totals = { ...given, sha256: sum.end() };
      await write({ name: LAST, bytes: Buffer.from(JSON.stringify(totals, null, 2)) });
      tar.finalize();
      await written;
      await rename(half, file);
      return totals;
    },
    async abort() {
      tar.destroy();
      await written.catch(() => {});
      await rm(half, { force: true });
    },
  };
}

/** The file is no backup, is incomplete, or has changed since it was written. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive';
}

/**
 * Reads the parts of a file, and at its end compares the checksum; the return value is what it says it holds.
 * @param onRead is told of the bytes that were read of the file
 * @throws DamagedArchive, which may come after all parts
 */
export async function* readArchive(
  file: string,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<ArchivePart, Totals> {
  const source = createReadStream(file);
  const tar = extract();
  const sum = createSum();
  const piped = pipeline(source, createGunzip(), tar);
  piped.catch(() => {});
  let totals: Totals | null = null;
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header;
      if (totals !== null || size > MAX_PART_BYTES) throw new Error('it is not built like one');
      const part = { name, bytes: await buffer(entry) };
      onRead(source.bytesRead);
      if (name === LAST) {
        totals = totalsSchema.parse(JSON.parse(part.bytes.toString()));
        if (totals.sha256 !== sum.end()) throw new Error('its checksum is wrong');
      } else {
        sum.add(part);
        yield part;
      }
    }
    await piped;
    if (totals === null) throw new Error('its end is missing');
    return totals;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DamagedArchive(`${file} is no whole backup: ${reason}`, { cause });
  } finally {
    source.destroy();
  }
}
