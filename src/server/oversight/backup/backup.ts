import { z } from 'zod';
import type { SecretKeys } from '#server/core/crypto.ts';
import { listKeptImages } from '#server/coupons/images/service.ts';
import type { Database } from '#server/database/client.ts';
import { openDump } from '#server/database/dump.ts';
import { keysInUse } from '#server/database/vault.ts';
import { listKeptPictures } from '#server/people/pictures/service.ts';
import type { FileStorage } from '#server/providers/storage/storage.ts';
import { type ArchivePart, createArchive, type Totals } from './archive.ts';

/** What is backed up, and what it is restored into. */
export interface Installation {
  readonly databaseUrl: string;
  readonly storage: FileStorage;
  readonly secretKeys: SecretKeys;
}

/** Prints a line of progress for the operator. */
export type Say = (line: string) => void;

/** The first part of a backup. */
export const headSchema = z.object({
  format: z.literal(1),
  /** References of the keys that open what is sealed in it; never a key. */
  keys: z.array(z.string()).readonly(),
  postgres: z.string(),
  migrations: z.array(z.string()).readonly(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).readonly() })).readonly(),
  sequences: z.array(z.object({ name: z.string(), value: z.string().nullable() })).readonly(),
});
export type BackupHead = z.output<typeof headSchema>;

export const HEAD = 'backup.json';
const PORTION_BYTES = 1_048_576;
const PICTURES_AT_ONCE = 8;

/**
 * Writes database and pictures as they are at this moment to one file, while the program runs. Pictures stay sealed as
 * they are stored; the file still has people's data. Memory does not grow with its size.
 * @throws Error where the file exists, the database or the storage fails, or the database counts other rows than were
 *   read; the file is then not there
 */
export async function backUp(from: Installation, file: string, say: Say): Promise<Totals> {
  const archive = await createArchive(file);
  const dump = await openDump(from.databaseUrl).catch(async (error: unknown) => {
    await archive.abort();
    throw error;
  });
  try {
    const { head } = dump;
    const keys = await keysInUse(dump.db, from.secretKeys);
    const first = { format: 1, keys, ...head } satisfies BackupHead;
    await archive.add({ name: HEAD, bytes: Buffer.from(JSON.stringify(first, null, 2)) });
    const rows: Record<string, number> = {};
    for (const [index, table] of head.tables.entries()) {
      const source = dump.rowsOf(table);
      for await (const part of portionsOf(table.name, source)) await archive.add(part);
      const count = await dump.count(table.name);
      if (source.rowCount !== count)
        throw new Error(`${table.name} has ${count} rows, and ${source.rowCount} of them were read`);
      rows[table.name] = count;
      say(`${index + 1} of ${head.tables.length} tables: ${table.name}, ${source.rowCount} rows`);
    }
    let [pictures, missing] = [0, 0];
    for await (const names of keptFiles(dump.db)) {
      const files = await Promise.all(names.map((name) => from.storage.get(name)));
      for (const [index, bytes] of files.entries()) {
        if (!bytes) missing += 1;
        else await archive.add({ name: `pictures/${names[index]}`, bytes });
      }
      pictures += names.length;
      if (pictures % 1_000 < names.length) say(`${pictures} pictures`);
    }
    return await archive.finish({ rows, pictures: pictures - missing, missing });
  } catch (error) {
    await archive.abort();
    throw error;
  } finally {
    await dump.close();
  }
}

/** The files of all pictures, in portions that fit memory. */
async function* keptFiles(db: Database): AsyncGenerator<string[]> {
  for (const portions of [listKeptImages(db), listKeptPictures(db)]) {
    for await (const names of portions) {
      for (let from = 0; from < names.length; from += PICTURES_AT_ONCE)
        yield names.slice(from, from + PICTURES_AT_ONCE);
    }
  }
}

/** The rows of a table in parts of about a megabyte; a row may go on in the next part. */
async function* portionsOf(table: string, rows: AsyncIterable<Buffer>): AsyncGenerator<ArchivePart> {
  let chunks: Buffer[] = [];
  let size = 0;
  let count = 0;
  const cut = () => {
    count += 1;
    const part = { name: `database/${table}/${count}`, bytes: Buffer.concat(chunks) };
    [chunks, size] = [[], 0];
    return part;
  };
  for await (const chunk of rows) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= PORTION_BYTES) yield cut();
  }
  if (size > 0) yield cut();
}
