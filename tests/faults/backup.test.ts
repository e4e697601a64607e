import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { SecretKeys } from '#server/core/crypto.ts';
import { createLogger } from '#server/core/log.ts';
import { migrateToLatest } from '#server/database/migrate.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from '#server/database/temporary.ts';
import { cleanUpImages } from '#server/domains/images/service.ts';
import { backUp, type Installation } from '#server/domains/operations/backup.ts';
import { restore } from '#server/domains/operations/restore.ts';
import { createFolderStorage } from '#server/providers/storage/folder-storage.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  TEST_SECRET_KEY,
  type TestContext,
  type TestCoupon,
} from '#server/testing/builders.ts';
import { codeOf } from '#server/testing/coupons.ts';
import { connectTo, setUpDatabase } from '#server/testing/database.ts';
import { insertImage } from '#server/testing/images.ts';
import { checkInvariants } from '#server/testing/invariants.ts';
import { uploadPlainPicture } from '#server/testing/pictures.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { freePort } from '../browser/site.ts';
import { createDemoDatabase } from '../demo.ts';
import { bundleOf, startServer, withoutLimits } from '../processes.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COUPONS = shortOrLong(500, 100_000);
const silent = () => {};

/** What the marketplace has: the demo with its deals and payments, many more coupons, and pictures. */
const source = setUpDatabase(createDemoDatabase);
let folder: string;
let ctx: TestContext;
let pictured: TestCoupon;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'clipswap-backup-'));
  ctx = createTestContext(source, { providers: { storage: createFolderStorage(filesOf('source')) } });
  const owner = await createUser(ctx);
  pictured = await createCoupon(ctx, owner, { title: 'with \t tab, \\ and\nnew line, ünïcode' });
  const { id } = pictured;
  await insertImage(ctx, owner, { couponId: id, code: 'PICTURED' });
  await insertImage(ctx, owner);
  // Its six files are in the backup, too.
  await uploadPlainPicture(actingAs(ctx, owner));
  await multiplyCoupon(ctx, id, COUPONS);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Copies a coupon `count` times, with its sealed code. */
async function multiplyCoupon({ db }: TestContext, id: number, count: number): Promise<void> {
  const { rows } = await sql<{ columns: string }>`
    select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
    where table_name = 'coupons' and is_generated = 'NEVER' and is_identity = 'NO'
    and column_name not in ('id', 'code_hash')`.execute(db);
  const columns = sql.raw(rows[0]?.columns ?? '');
  await sql`insert into coupons (${columns}) select ${columns} from coupons, generate_series(1, ${count}) where id = ${id}`.execute(
    db,
  );
  await sql`insert into coupon_secrets (coupon_id, code) select c.id, s.code from coupons c, coupon_secrets s
    where s.coupon_id = ${id} and c.id > ${id}`.execute(db);
}

const filesOf = (name: string) => path.join(folder, name);

function settingsOf(url: string, files: string): Record<string, string> {
  return {
    NODE_ENV: 'development',
    LOG_LEVEL: 'warn',
    DATABASE_URL: url,
    FILES_DIR: filesOf(files),
    SECRET_KEY: TEST_SECRET_KEY.toString('base64'),
  };
}

/** Runs a program in a process of its own. */
async function run(script: string, args: string[], env: Record<string, string>) {
  const program = await bundleOf(path.join(ROOT, `scripts/${script}.ts`));
  return promisify(execFile)(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    maxBuffer: 100_000_000,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  );
}

/** A checksum of every table and every sequence, and of the schema. */
async function contentsOf(db: Kysely<never>): Promise<Record<string, unknown>> {
  const plain = db.withoutPlugins();
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(plain);
  const contents: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await sql`select count(*)::int as rows, md5(string_agg(row, E'\n' order by row)) as sum
      from (select t::text as row from ${sql.table(name)} t) as texts`.execute(plain);
    contents[name] = rows[0];
  }
  const { rows: rest } = await sql`
    select 'sequence ' || sequencename as what, last_value::text as is from pg_sequences where schemaname = 'public'
    union all select 'constraint ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) || convalidated::text
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'trigger ' || tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) || tgenabled::text
      from pg_trigger where not tgisinternal
    union all select 'index ' || indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`.execute(
    plain,
  );
  contents.rest = rest;
  return contents;
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A database with nothing in it, not even tables. */
async function emptyDatabase(): Promise<TemporaryDatabase> {
  const log = createLogger({ logLevel: 'silent', isProduction: true });
  const database = await openTemporaryDatabase(new URL('/postgres', inject('templateUrl')).href, log);
  open.push(database.close);
  return database;
}

/** Looks at a database without staying connected: a restore refuses one in use. */
async function look<Result>(database: { url: string }, at: (db: Kysely<never>) => Promise<Result>) {
  const handle = connectTo(database, 1);
  try {
    return await at(handle.db as unknown as Kysely<never>);
  } finally {
    await handle.close();
  }
}

function listFiles(name: string): string[] {
  return readdirSync(filesOf(name), { recursive: true, encoding: 'utf8' }).sort();
}

it('a backup restored elsewhere equals its source row for row, and the marketplace runs on it', async () => {
  const file = filesOf('whole.backup');
  const backup = await run('backup', [file], settingsOf(source.url, 'source'));
  expect(backup).toEqual({ code: 0, said: expect.stringMatching(/8 pictures, checksum [0-9a-f]{64}\.\n/) });
  expect(backup.said).toMatch(/\d+ of \d+ tables: coupons, \d{3,} rows\n/);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const target = await emptyDatabase();
  const settings = settingsOf(target.url, 'target');
  const restored = await run('restore', [file], settings);
  expect(restored).toEqual({ code: 0, said: expect.stringMatching(/is restored: \d+ rows, 8 pictures\./) });
  expect(await look(target, contentsOf)).toEqual(await look(source, contentsOf));
  expect(listFiles('target')).toEqual(listFiles('source'));
  for (const name of listFiles('source').filter((name) => name.includes(path.sep)))
    expect(readFileSync(path.join(filesOf('target'), name))).toEqual(
      readFileSync(path.join(filesOf('source'), name)),
    );

  const books = await run('ledger-check', [], settings);
  expect(books).toEqual({ code: 0, said: expect.stringContaining('Every cent is accounted for') });
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const server = await startServer({
    DATABASE_URL: withoutLimits(target.url),
    SECRET_KEY: TEST_SECRET_KEY.toString('base64'),
    PORT: String(port),
    PUBLIC_URL: publicUrl,
  });
  open.push(server.stop);
  const answer = await fetch(`${publicUrl}/api/coupons?limit=1`);
  expect(await answer.json()).toHaveLength(1);
  const { code, id, ownerId } = pictured;
  const handle = connectTo(target, 1);
  open.push(handle.close);
  const owner = { id: ownerId, username: 'owner', role: 'user', status: 'active' } as const;
  expect(await codeOf(createTestContext(handle), owner, id)).toBe(code);
});

describe('a backup', () => {
  it('is of one moment, with the pictures of that moment, while people go on', async () => {
    const owner = await createUser(ctx);
    const { id } = await createCoupon(ctx, owner);
    const picture = await insertImage(ctx, owner, { couponId: id });
    const before = await look(source, (db) => sql`select count(*) from coupons`.execute(db));
    const file = filesOf('busy.backup');
    let isBusy = false;
    const say = () => {
      isBusy ||= true;
    };
    const storage = createFolderStorage(filesOf('source'));
    let removed = -1;
    const held = {
      ...storage,
      // The first picture is read when all tables are: now somebody deletes one, and the clean-up comes by.
      async get(name: string) {
        if (removed < 0) {
          removed = 0;
          await ctx.db
            .updateTable('images')
            .set({ couponId: null, discardedAt: new Date(0) })
            .where('id', '=', picture.id)
            .execute();
          removed = await cleanUpImages(ctx);
        }
        return storage.get(name);
      },
    };
    const installation = { databaseUrl: source.url, storage: held, secretKeys: [TEST_SECRET_KEY] } as const;
    const totals = await backUp(installation, file, say);
    expect(isBusy).toBe(true);
    expect({ removed, missing: totals.missing }).toEqual({ removed: 0, missing: 0 });
    expect(totals.rows.coupons).toBe(Number((before.rows as { count: number }[])[0]?.count));
    expect(await cleanUpImages(ctx)).toBeGreaterThan(0);
    const target = await emptyDatabase();
    const into = {
      databaseUrl: target.url,
      storage: createFolderStorage(filesOf('busy')),
      secretKeys: [TEST_SECRET_KEY] as SecretKeys,
    };
    await restore(into, file, { replace: false }, silent);
    const { rows } = await look(target, (db) =>
      sql`select discarded_at from images where id = ${picture.id}`.execute(db.withoutPlugins()),
    );
    expect(rows).toEqual([{ discarded_at: null }]);
    expect(await into.storage.get(picture.id)).not.toBeNull();
  });

  it('replaces no file, and leaves none behind where the storage fails', async () => {
    const storage = createFolderStorage(filesOf('source'));
    const file = filesOf('failed.backup');
    const failing = { ...storage, get: () => Promise.reject(new Error('The storage is away')) };
    const from = { databaseUrl: source.url, storage: failing, secretKeys: [TEST_SECRET_KEY] } as const;
    await expect(backUp(from, file, silent)).rejects.toThrow('The storage is away');
    expect(readdirSync(folder).filter((name) => name.startsWith('failed'))).toEqual([]);
    writeFileSync(file, 'something dear');
    await expect(backUp({ ...from, storage }, file, silent)).rejects.toThrow('is there already');
    expect(readFileSync(file, 'utf8')).toBe('something dear');
  });
});

it('a backup onto a full disk fails, and leaves no file', async () => {
  const file = filesOf('full.backup');
  // Linux answers every write to this device with ENOSPC.
  symlinkSync('/dev/full', `${file}.part`);
  const storage = createFolderStorage(filesOf('source'));
  const from = { databaseUrl: source.url, storage, secretKeys: [TEST_SECRET_KEY] } as const;
  await expect(backUp(from, file, silent)).rejects.toThrow(/ENOSPC/);
  expect(readdirSync(folder).filter((name) => name.startsWith('full'))).toEqual([]);
});

describe('a restore', () => {
  let file: string;
  let target: TemporaryDatabase;
  const storage = () => createFolderStorage(filesOf('untouched'));
  const into = (secretKey = TEST_SECRET_KEY): Installation => ({
    databaseUrl: target.url,
    storage: storage(),
    secretKeys: [secretKey],
  });
  beforeAll(async () => {
    file = filesOf('good.backup');
    const from = createFolderStorage(filesOf('source'));
    await backUp({ databaseUrl: source.url, storage: from, secretKeys: [TEST_SECRET_KEY] }, file, silent);
  });
  beforeEach(async () => {
    target = await emptyDatabase();
  });

  /** Expects a refusal that leaves no table behind. */
  async function expectRefusal(attempt: Promise<unknown>, reason: RegExp): Promise<void> {
    await expect(attempt).rejects.toThrow(reason);
    const { rows } = await look(target, (db) =>
      sql`select relname from pg_class where relnamespace = 'public'::regnamespace`.execute(db),
    );
    expect(rows).toEqual([]);
    expect(readdirSync(folder)).not.toContain('untouched');
  }

  it('refuses another secret key, and names the one that it needs by its reference', async () => {
    const attempt = restore(into(randomBytes(32)), file, { replace: true }, silent);
    await expectRefusal(
      attempt,
      /sealed under another key: it needs the SECRET_KEY with the reference [0-9a-f]{16}/,
    );
  });

  it('refuses a file that is cut off, changed or something else, wherever it is broken', async () => {
    const broken = filesOf('broken.backup');
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
    const before = await look(target, async (db) => {
      await migrateToLatest(db);
      const old = createTestContext(
        { db: db as never },
        { providers: { storage: createFolderStorage(filesOf('replaced')) } },
      );
      const person = await createUser(old, { username: 'was-here' });
      await insertImage(old, person);
      await sql`create schema if not exists pgboss`.execute(db);
      return contentsOf(db);
    });
    const replaced = { ...into(), storage: createFolderStorage(filesOf('replaced')) };
    await expect(restore(replaced, file, { replace: false }, silent)).rejects.toThrow(
      'This database is not empty',
    );
    expect(await look(target, contentsOf)).toEqual(before);
    await restore(replaced, file, { replace: true }, silent);
    expect(await look(target, contentsOf)).toEqual(await look(source, contentsOf));
    expect(listFiles('replaced').filter((name) => name.includes(path.sep))).toHaveLength(
      listFiles('source').filter((name) => name.includes(path.sep)).length,
    );
  });

  it('refuses a database that ClipSwap is running on', async () => {
    const running = connectTo(target, 1);
    await running.pool.query('select 1');
    const attempt = restore(into(), file, { replace: true }, silent);
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

  it('of an earlier release has its data, and is migrated to this one', async () => {
    const newer = mkdtempSync(path.join(ROOT, 'node_modules/.newer-'));
    try {
      for (const name of readdirSync(path.join(ROOT, 'db/migrations')))
        symlinkSync(path.join(ROOT, 'db/migrations', name), path.join(newer, name));
      writeFileSync(
        path.join(newer, '9999-01-01T0000-next.ts'),
        'import { sql } from "kysely"; export const up = (db) => sql`alter table users add column next text default \'new\'`.execute(db);',
      );
      await restore(into(), file, { replace: false, migrations: newer }, silent);
      await look(target, (db) => migrateToLatest(db, undefined, newer));
      const { rows } = await look(target, (db) => sql`select distinct next from users`.execute(db));
      expect(rows).toEqual([{ next: 'new' }]);
    } finally {
      rmSync(newer, { recursive: true });
    }
  });

  it('has every invariant of the marketplace that its source has', async () => {
    await restore(into(), file, { replace: false }, silent);
    const broken = (db: Kysely<never>) => checkInvariants(db as never);
    expect((await look(target, broken)).map(({ rule }) => rule)).toEqual(
      (await look(source, broken)).map(({ rule }) => rule),
    );
  });
});
