import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { SecretKeys } from '#server/core/crypto.ts';
import { cleanUpImages } from '#server/coupons/images/images.ts';
import { keepCurrency } from '#server/database/currency.ts';
import { migrateToLatest } from '#server/database/migrate.ts';
import { runStatement } from '#server/database/temporary.ts';
import { checkLedger } from '#server/money/books/ledger.ts';
import { backUp } from '#server/oversight/backup/backup.ts';
import { restore } from '#server/oversight/backup/restore.ts';
import { checkProofs } from '#server/oversight/proofs/checking.ts';
import { createFolderStorage } from '#server/providers/storage/folder-storage.ts';
import { createCoupon, createTestContext, createUser, TEST_SECRET_KEY } from '#tests/support/builders.ts';
import { codeOf } from '#tests/support/coupons.ts';
import { connectTo } from '#tests/support/database.ts';
import { insertImage } from '#tests/support/images.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { freePort } from '../browser/site.ts';
import { runScript, startServer, withoutLimits } from '../processes.ts';
import { contentsOf, look, setUpSource } from './backup-source.ts';

const silent = () => {};

const source = setUpSource(shortOrLong(200, 100_000));

function settingsOf(url: string, files: string): Record<string, string> {
  return {
    NODE_ENV: 'development',
    LOG_LEVEL: 'warn',
    DATABASE_URL: url,
    FILES_DIR: source.place(files),
    SECRET_KEY: TEST_SECRET_KEY.toString('base64'),
  };
}

/** An installation with its pictures in this folder. */
const at = (databaseUrl: string, files: string) => ({
  databaseUrl,
  storage: createFolderStorage(source.place(files)),
  secretKeys: [TEST_SECRET_KEY] as SecretKeys,
});

it('a backup restored elsewhere equals its source row for row, its codes and its books', async () => {
  const file = source.place('whole.backup');
  const backup = await runScript('backup', [file], settingsOf(source.database.url, 'source'));
  const files = source.listFiles('source').filter((name) => name.includes('/'));
  const pictures = `${files.length} pictures`;
  expect(backup).toEqual({ code: 0, said: expect.stringMatching(`${pictures}, checksum [0-9a-f]{64}\\.\n`) });
  expect(backup.said).toMatch(/\d+ of \d+ tables: coupons, \d{3,} rows\n/);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const target = await source.emptyDatabase();
  const settings = settingsOf(target.url, 'target');
  const restored = await runScript('restore', [file], settings);
  expect(restored).toEqual({
    code: 0,
    said: expect.stringMatching(`is restored: \\d+ rows, ${pictures}\\.`),
  });
  // The time of a backup is noted when it is whole: it is not in the backup itself.
  const found = await look(source.database, contentsOf);
  expect(found.operator_runs).toMatchObject({ rows: 1 });
  const { operator_runs } = await look(target, contentsOf);
  expect(operator_runs).toMatchObject({ rows: 0 });
  expect(await look(target, contentsOf)).toEqual({ ...found, operator_runs });
  expect(source.listFiles('target')).toEqual(source.listFiles('source'));
  for (const name of source.listFiles('source').filter((name) => name.includes(path.sep)))
    expect(readFileSync(path.join(source.place('target'), name))).toEqual(
      readFileSync(path.join(source.place('source'), name)),
    );

  const { code, id, ownerId } = source.pictured;
  const handle = connectTo(target, 1);
  source.cleanUp.push(handle.close);
  const owner = {
    id: ownerId,
    username: 'owner',
    role: 'user',
    status: 'active',
    memberSince: new Date(0),
    isConfirmed: true,
    isEstablished: true,
  } as const;
  const ctx = createTestContext(handle);
  expect(await codeOf(ctx, owner, id)).toBe(code);
  expect((await checkLedger(ctx)).broken).toEqual([]);
  const { broken, statements, roots } = await checkProofs(ctx);
  expect({ broken, statements, hasRoots: roots > 1 }).toEqual({ broken: [], statements: 1, hasRoots: true });
  if (shortOrLong(true, false)) return;

  const proofs = await runScript('proofs-check', [], settings);
  expect(proofs).toEqual({ code: 0, said: expect.stringContaining('Everything is as it was') });
  const books = await runScript('ledger-check', [], settings);
  expect(books).toEqual({ code: 0, said: expect.stringContaining('Every cent is accounted for') });
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const server = await startServer({
    DATABASE_URL: withoutLimits(target.url),
    SECRET_KEY: TEST_SECRET_KEY.toString('base64'),
    PORT: String(port),
    PUBLIC_URL: publicUrl,
  });
  source.cleanUp.push(server.stop);
  const answer = await fetch(`${publicUrl}/api/coupons?limit=1`);
  expect(await answer.json()).toHaveLength(1);
});

describe('a backup', () => {
  it('is of one moment, with the pictures of that moment, while people go on', async () => {
    const owner = await createUser(source.ctx);
    const { id } = await createCoupon(source.ctx, owner);
    const picture = await insertImage(source.ctx, owner, { couponId: id });
    const before = await look(source.database, (db) => sql`select count(*) from coupons`.execute(db));
    const file = source.place('busy.backup');
    let isBusy = false;
    const say = () => {
      isBusy ||= true;
    };
    const { storage } = source.installation;
    let removed = -1;
    const held = {
      ...storage,
      // The first picture is read when all tables are: now somebody deletes one, and the clean-up comes by.
      async get(name: string) {
        if (removed < 0) {
          removed = 0;
          await source.ctx.db
            .updateTable('images')
            .set({ couponId: null, discardedAt: new Date(0) })
            .where('id', '=', picture.id)
            .execute();
          removed = await cleanUpImages(source.ctx);
        }
        return storage.get(name);
      },
    };
    const totals = await backUp({ ...source.installation, storage: held }, file, say);
    expect(isBusy).toBe(true);
    expect({ removed, missing: totals.missing }).toEqual({ removed: 0, missing: 0 });
    expect(totals.rows.coupons).toBe(Number((before.rows as { count: number }[])[0]?.count));
    expect(await cleanUpImages(source.ctx)).toBeGreaterThan(0);
    const target = await source.emptyDatabase();
    const into = at(target.url, 'busy');
    await restore(into, file, { replace: false }, silent);
    const { rows } = await look(target, (db) =>
      sql`select discarded_at from images where id = ${picture.id}`.execute(db.withoutPlugins()),
    );
    expect(rows).toEqual([{ discarded_at: null }]);
    expect(await into.storage.get(picture.id)).not.toBeNull();
  });

  it('replaces no file, and leaves none behind where the storage fails', async () => {
    const { storage } = source.installation;
    const file = source.place('failed.backup');
    const failing = { ...storage, get: () => Promise.reject(new Error('The storage is away')) };
    const from = { ...source.installation, storage: failing };
    await expect(backUp(from, file, silent)).rejects.toThrow('The storage is away');
    expect(readdirSync(source.folder).filter((name) => name.startsWith('failed'))).toEqual([]);
    writeFileSync(file, 'something dear');
    await expect(backUp(source.installation, file, silent)).rejects.toThrow('is there already');
    expect(readFileSync(file, 'utf8')).toBe('something dear');
  });
});

it('a backup onto a full disk fails, and leaves no file', async () => {
  const file = source.place('full.backup');
  // Linux answers every write to this device with ENOSPC.
  symlinkSync('/dev/full', `${file}.part`);
  await expect(backUp(source.installation, file, silent)).rejects.toThrow(/ENOSPC/);
  expect(readdirSync(source.folder).filter((name) => name.startsWith('full'))).toEqual([]);
});

describe('a backup where the tables are in a schema of their own', () => {
  /** A database as shared servers give it, with the schema set for the database or in the address. */
  async function databaseWith(schema: string, how: 'database' | 'address') {
    const { url } = await source.emptyDatabase();
    await runStatement(url, `create schema "${schema}"`);
    if (how === 'database') await setPath(url, `"${schema}"`);
    const own = new URL(url);
    if (how === 'address') own.searchParams.set('options', `-c search_path="${schema.replace(' ', '\\ ')}"`);
    return { url: own.href };
  }
  const setPath = (url: string, to: string) =>
    runStatement(url, `alter database ${new URL(url).pathname.slice(1)} set search_path = ${to}`);

  it.each(['database', 'address'] as const)(
    'named by the %s has all its rows, and is restored into another schema',
    async (how) => {
      const [from, to] = [await databaseWith('app', how), await databaseWith('My Shop', how)];
      const before = await look(from, async (db, handle) => {
        await migrateToLatest(handle);
        await keepCurrency(handle.db, 'CAD');
        const ctx = createTestContext(handle);
        await createCoupon(ctx, await createUser(ctx), { title: 'In a schema of its own' });
        return contentsOf(db);
      });
      const file = source.place(`schema-${how}.backup`);
      const { rows } = await backUp(at(from.url, `schema-${how}`), file, silent);
      expect(rows.users).toBe(1);
      await restore(at(to.url, `schema-${how}-restored`), file, { replace: false }, silent);
      expect(await look(to, contentsOf)).toEqual(before);
    },
  );

  it('is of the tables that are there, though another schema comes first by now', async () => {
    const { url } = await databaseWith('app', 'database');
    await look({ url }, (_, handle) => migrateToLatest(handle));
    await setPath(url, '"$user", app');
    await runStatement(url, `create schema "${new URL(url).username}"`);
    const file = source.place('later-schema.backup');
    const { rows } = await backUp(at(url, 'later'), file, silent);
    expect(rows.kysely_migration).toBeGreaterThan(10);
  });

  it('fails where there is no marketplace, and where rows are hidden', async () => {
    const { url } = await databaseWith('app', 'database');
    const file = source.place('hidden.backup');
    const attempt = () => backUp(at(url, 'hidden'), file, silent);
    await expect(attempt()).rejects.toThrow('no marketplace in this database');
    await look({ url }, async (db, handle) => {
      await migrateToLatest(handle);
      await keepCurrency(handle.db, 'CAD');
      await createUser(createTestContext(handle));
      await sql`alter table users enable row level security`.execute(db);
      await sql`alter table users force row level security`.execute(db);
    });
    await expect(attempt()).rejects.toThrow(/row-level security/);
    expect(readdirSync(source.folder).filter((name) => name.startsWith('hidden.'))).toEqual([]);
  });
});
