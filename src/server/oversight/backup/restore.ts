import { stat } from 'node:fs/promises';
import { keyReference } from '#server/core/crypto.ts';
import { type Load, type LoadOptions, openLoad, unknownMigrations } from '#server/database/load.ts';
import { DamagedArchive, readArchive, type Totals } from './archive.ts';
import { type BackupHead, HEAD, headSchema, type Installation, type Say } from './backup.ts';

const FILES_AT_ONCE = 50;

export interface RestoreOptions extends LoadOptions {
  /** Whether a database with people in it may be replaced. */
  readonly replace: boolean;
}

/**
 * Restores a backup: the database in one transaction, with the schema that it had, and the pictures. Everything is
 * checked before anything changes: the whole file, the key, the database. The caller migrates afterwards.
 * @throws Error that says what is in the way; the database is then as it was
 */
export async function restore(
  to: Installation,
  file: string,
  { replace, ...options }: RestoreOptions,
  say: Say,
): Promise<Totals> {
  const head = await readHead(file);
  await checkHead(head, to, options.migrations);
  const load = await openLoad(to.databaseUrl, options);
  try {
    if (load.isInUse)
      throw new Error('ClipSwap is running on this database. Stop it first; nothing was changed.');
    if (load.isInhabited && !replace)
      throw new Error(
        'This database is not empty. Give --replace to lose what is in it; nothing was changed.',
      );
    await checkWhole(file, say);
    const totals = await loadAll(load, head, to, file, say);
    for (let after: string | undefined = ''; after !== undefined; ) {
      const left = await load.listLeftFiles(after, FILES_AT_ONCE);
      await Promise.all(left.map((name) => to.storage.remove(name)));
      after = left.at(-1);
    }
    return totals;
  } finally {
    await load.close();
  }
}

async function readHead(file: string): Promise<BackupHead> {
  for await (const { name, bytes } of readArchive(file)) {
    if (name !== HEAD) break;
    const head = headSchema.safeParse(JSON.parse(bytes.toString()));
    if (head.success) return head.data;
    break;
  }
  throw new DamagedArchive(`${file} is no backup of ClipSwap, or a newer release made it`);
}

async function checkHead(
  head: BackupHead,
  { secretKeys }: Installation,
  migrations: string | undefined,
): Promise<void> {
  const unknown = await unknownMigrations(head, migrations);
  if (unknown.length > 0)
    throw new Error(
      `A newer release of ClipSwap made this backup: it has the migration ${unknown[0]}. Restore it with that release; nothing was changed.`,
    );
  const own = secretKeys.map(keyReference);
  const missing = head.keys.filter((key) => !own.includes(key));
  if (missing.length > 0)
    throw new Error(
      `This backup is sealed under another key: it needs the SECRET_KEY with the reference ${missing.join(', ')}, and this one has ${own.join(', ')}. Nothing was changed.`,
    );
}

/** Reads everything once before anything is changed. */
async function checkWhole(file: string, say: Say): Promise<void> {
  const { size } = await stat(file);
  let told = 0;
  const onRead = (bytes: number) => {
    const tenth = Math.floor((10 * bytes) / size);
    if (tenth > told) say(`${tenth * 10} % checked`);
    told = tenth;
  };
  for await (const _part of readArchive(file, onRead));
}

async function loadAll(
  load: Load,
  head: BackupHead,
  to: Installation,
  file: string,
  say: Say,
): Promise<Totals> {
  const tables = new Map(head.tables.map((table) => [table.name, table]));
  await load.prepare(head);
  const parts = readArchive(file);
  let pictures = 0;
  let told = '';
  for (let next = await parts.next(); ; next = await parts.next()) {
    if (next.done) {
      await load.commit(head, next.value.rows);
      return next.value;
    }
    const { name, bytes } = next.value;
    const [kind, id = ''] = name.split('/');
    const table = kind === 'database' ? tables.get(id) : undefined;
    if (table) {
      if (told !== id) say(`Restoring ${id}`);
      told = id;
      await load.write(table, bytes);
    } else if (kind === 'pictures') {
      await to.storage.put(id, bytes);
      pictures += 1;
      if (pictures % 1_000 === 0) say(`${pictures} pictures`);
    }
  }
}
