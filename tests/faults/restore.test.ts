import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepCurrency } from '#server/database/currency.ts';
import { migrateToLatest } from '#server/database/migrate.ts';
import type { TemporaryDatabase } from '#server/database/temporary.ts';
import { backUp, type Installation } from '#server/oversight/backup/backup.ts';
import { restore } from '#server/oversight/backup/restore.ts';
import { checkProofs } from '#server/oversight/proofs/checking.ts';
import { createFolderStorage } from '#server/providers/storage/folder-storage.ts';
import { createTestContext, createUser, TEST_SECRET_KEY } from '#tests/support/builders.ts';
import { connectTo } from '#tests/support/database.ts';
import { insertImage } from '#tests/support/images.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { contentsOf, look, setUpSource } from './backup-source.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const silent = () => {};

const source = setUpSource(100);

describe('a restore', () => {
  let file: string;
  let target: TemporaryDatabase;
  const storage = () => createFolderStorage(source.place('untouched'));
  const into = (secretKey = TEST_SECRET_KEY): Installation => ({
    databaseUrl: target.url,
    storage: storage(),
    secretKeys: [secretKey],
  });
  beforeAll(async () => {
    file = source.place('good.backup');
    await backUp(source.installation, file, silent);
  });
  beforeEach(async () => {
    target = await source.emptyDatabase();
  });

  /** Expects a refusal that leaves no table behind. */
  async function expectRefusal(attempt: Promise<unknown>, reason: RegExp): Promise<void> {
    await expect(attempt).rejects.toThrow(reason);
    const { rows } = await look(target, (db) =>
      sql`select relname from pg_class where relnamespace = 'public'::regnamespace`.execute(db),
    );
    expect(rows).toEqual([]);
    expect(readdirSync(source.folder)).not.toContain('untouched');
  }

  it('refuses another secret key, and names the one that it needs by its reference', async () => {
    const attempt = restore(into(randomBytes(32)), file, { replace: true }, silent);
    await expectRefusal(
      attempt,
      /sealed under another key: it needs the SECRET_KEY with the reference [0-9a-f]{16}/,
    );
  });

  it('refuses a file that is cut off, changed or something else, wherever it is broken', async () => {
    const broken = source.place('broken.backup');
    const bytes = readFileSync(file);
    const attempt = async (change: (copy: Buffer) => Buffer) => {
      writeFileSync(broken, change(Buffer.from(bytes)));
      await expectRefusal(restore(into(), broken, { replace: true }, silent), /is no (whole )?backup/);
    };
    for (const share of [0, 0.1, 0.5, 0.9, 1])
      await attempt((copy) => copy.subarray(0, Math.floor(share * (copy.length - 1))));
    for (const share of [0.3, 0.6, 0.99])
      await attempt((copy) => {
        const at = Math.floor(share * copy.length) - 1;
        copy[at] = (copy[at] ?? 0) ^ 0x55;
        return copy;
      });
    await attempt(() => Buffer.from('not a backup at all'));
  });

  it('refuses a backup of a newer release', async () => {
    const older = mkdtempSync(path.join(ROOT, 'node_modules/.older-'));
    try {
      const names = readdirSync(path.join(ROOT, 'db/migrations')).sort();
      for (const name of names.slice(0, -1))
        copyFileSync(path.join(ROOT, 'db/migrations', name), path.join(older, name));
      const attempt = restore(into(), file, { replace: true, migrations: older }, silent);
      await expectRefusal(attempt, /A newer release of ClipSwap made this backup/);
    } finally {
      rmSync(older, { recursive: true });
    }
  });

  it('refuses a database with people in it, unless told to replace it, and leaves nothing of them', async () => {
    const before = await look(target, async (db, handle) => {
      await migrateToLatest(handle);
      await keepCurrency(handle.db, 'CAD');
      const old = createTestContext(
        { db: db as never },
        { providers: { storage: createFolderStorage(source.place('replaced')) } },
      );
      const person = await createUser(old, { username: 'was-here' });
      await insertImage(old, person);
      await sql`create schema if not exists pgboss`.execute(db);
      return contentsOf(db);
    });
    const replaced = { ...into(), storage: createFolderStorage(source.place('replaced')) };
    await expect(restore(replaced, file, { replace: false }, silent)).rejects.toThrow(
      'This database is not empty',
    );
    expect(await look(target, contentsOf)).toEqual(before);
    await restore(replaced, file, { replace: true }, silent);
    expect(await look(target, contentsOf)).toEqual(await look(source.database, contentsOf));
    const broken = async (db: Kysely<never>) => (await checkInvariants(db as never)).map(({ rule }) => rule);
    expect(await look(target, broken)).toEqual(await look(source.database, broken));
    expect(source.listFiles('replaced').filter((name) => name.includes(path.sep))).toHaveLength(
      source.listFiles('source').filter((name) => name.includes(path.sep)).length,
    );
  });

  it('refuses a database that ClipSwap is running on', async () => {
    const running = connectTo(target, 1);
    await running.pool.query('select 1');
    const attempt = restore(into(), file, { replace: true, leftWithinMs: 200 }, silent);
    await expect(attempt).rejects.toThrow('ClipSwap is running on this database');
    await running.close();
  });

  it('that fails half-way changes nothing in the database', async () => {
    const failing = { ...storage(), put: () => Promise.reject(new Error('The disk is full')) };
    await expectRefusal(
      restore({ ...into(), storage: failing }, file, { replace: true }, silent),
      /The disk is full/,
    );
  });

  it('of version 1.0.0 is migrated to this version, and keeps every rule', async () => {
    const newer = mkdtempSync(path.join(ROOT, 'node_modules/.newer-'));
    try {
      for (const name of readdirSync(path.join(ROOT, 'db/migrations')))
        symlinkSync(path.join(ROOT, 'db/migrations', name), path.join(newer, name));
      writeFileSync(
        path.join(newer, '9999-01-01T0000-next.ts'),
        'import { sql } from "kysely"; export const up = (db) => sql`alter table users add column next text default \'new\'`.execute(db);',
      );
      const release = path.join(ROOT, 'tests/fixtures/1.0.0.clipswap');
      const key = Buffer.alloc(32, 'release backup');
      const { rows } = await restore(into(key), release, { replace: false, migrations: newer }, silent);
      expect(Object.keys(rows).filter((table) => rows[table] === 0)).toEqual([]);
      const next = await look(target, async (db, handle) => {
        await migrateToLatest(handle, undefined, newer);
        expect(await checkInvariants(db as never)).toEqual([]);
        const { broken, entries } = await checkProofs(handle);
        // What was seen before there were chains is in them.
        expect(broken).toEqual([]);
        expect(entries).toBeGreaterThan(rows.coupon_reveals ?? 0);
        return sql`select next, count(*)::int from users group by 1`.execute(db);
      });
      expect(next.rows).toEqual([{ next: 'new', count: rows.users }]);
    } finally {
      rmSync(newer, { recursive: true });
    }
  });
});
