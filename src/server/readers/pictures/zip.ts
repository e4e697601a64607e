import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { PictureRefusal } from './pictures.ts';

const { fromBufferPromise } = await import('yauzl');

/** Wallet passes have some dozens: pictures in three sizes, and texts in each language. */
const MAX_ENTRIES = 500;

/** Bytes of one inflated entry, unless the caller says otherwise. */
const MAX_ENTRY_BYTES = 512 * 1024;

/** The names in a zip archive, and the bytes of single entries. Nothing is ever written to a disk. */
export interface Zip {
  readonly names: readonly string[];
  /** @throws PictureRefusal if its size or checksum is not the stated one, or it has more bytes than `max` */
  read(name: string, max?: number): Promise<Buffer>;
}

/**
 * Opens an archive. Names that lead elsewhere, doubled names, encryption and more than MAX_ENTRIES entries are refused.
 * @throws PictureRefusal
 */
export async function openZip(file: Uint8Array): Promise<Zip> {
  const bytes = withoutTail(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  // Also checks that no name is absolute or has '..'.
  const options = { lazyEntries: true, strictFileNames: true, validateEntrySizes: true };
  const zip = await fromBufferPromise(bytes, options).catch(refuse);
  if (zip.entryCount > MAX_ENTRIES) throw new PictureRefusal('too_many_parts');
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      // Programs that disagree about which of two equal names counts would read different passes.
      if (entries.has(entry.fileName)) throw new PictureRefusal('broken_pass');
      if (entry.isEncrypted()) throw new PictureRefusal('locked');
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    refuse(error);
  }
  return {
    names: [...entries.keys()],
    read: (name, max = MAX_ENTRY_BYTES) => inflate(zip, entries.get(name), max).catch(refuse),
  };
}

/** The record at the end of an archive: its size without the comment, and where the length of that is. */
const [END, END_SIZE, COMMENT_LENGTH] = ['PK\x05\x06', 22, 20];

/** An archive without the bytes behind it, which mail programs and servers append and wallets overlook. */
function withoutTail(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(END, undefined, 'latin1');
  if (at < 0 || at + END_SIZE > bytes.length) return bytes;
  return bytes.subarray(0, at + END_SIZE + bytes.readUInt16LE(at + COMMENT_LENGTH));
}

async function inflate(zip: ZipFile, entry: Entry | undefined, max: number): Promise<Buffer> {
  if (!entry) throw new PictureRefusal('broken_pass');
  if (entry.uncompressedSize > max) throw new PictureRefusal('too_many_parts');
  const chunks: Buffer[] = [];
  // Ends in an error as soon as there are more bytes than stated.
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (crc32(bytes) !== entry.crc32) throw new PictureRefusal('broken_pass');
  return bytes;
}

function refuse(error: unknown): never {
  throw error instanceof PictureRefusal ? error : new PictureRefusal('broken_pass');
}
