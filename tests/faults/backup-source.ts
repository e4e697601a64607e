import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { createLogger } from '#server/core/log.ts';
import { issueStatement } from '#server/coupons/exposures/service.ts';
import type { DatabaseHandle } from '#server/database/client.ts';
import { openTemporaryDatabase, runStatement, type TemporaryDatabase } from '#server/database/temporary.ts';
import type { Installation } from '#server/oversight/backup/backup.ts';
import { createFolderStorage } from '#server/providers/storage/folder-storage.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  TEST_SECRET_KEY,
  type TestContext,
  type TestCoupon,
} from '#tests/support/builders.ts';
import { connectTo, setUpDatabase, type TestDatabase } from '#tests/support/database.ts';
import { insertImage } from '#tests/support/images.ts';
import { uploadPlainPicture } from '#tests/support/pictures.ts';
import { createDemoDatabase, openDemoFiles } from '../demo.ts';

/** An installation to back up: the demo with its deals and payments, more coupons, and pictures. */
export interface Source {
  readonly database: TestDatabase;
  readonly ctx: TestContext;
  /** A coupon with a picture of its code. */
  readonly pictured: TestCoupon;
  readonly installation: Installation;
  /** The folder of the backups; the pictures of installations are in folders of it. */
  readonly folder: string;
  /** A file or folder in it. */
  place(name: string): string;
  /** All that a folder in it holds, in order. */
  listFiles(name: string): string[];
  /** A database with nothing in it, not even tables. It is dropped after the test. */
  emptyDatabase(): Promise<TemporaryDatabase>;
  /** Called after the test, the last first. */
  readonly cleanUp: (() => Promise<void>)[];
}

/** @param coupons how many coupons there are beside the demo's */
export function setUpSource(coupons: number): Source {
  const database = setUpDatabase({}, createDemoDatabase);
  const cleanUp: (() => Promise<void>)[] = [];
  const place = (name: string) => path.join(source.folder, name);
  const source = {
    database,
    cleanUp,
    place,
    listFiles: (name: string) => readdirSync(place(name), { recursive: true, encoding: 'utf8' }).sort(),
    async emptyDatabase() {
      const log = createLogger({ logLevel: 'silent', isProduction: true });
      const empty = await openTemporaryDatabase(new URL('/postgres', inject('templateUrl')).href, log);
      cleanUp.push(empty.close);
      return empty;
    },
  } as Source;
  beforeAll(async () => {
    Object.assign(source, { folder: mkdtempSync(path.join(tmpdir(), 'clipswap-backup-')) });
    // The server of a backup may write dates otherwise than that of the restore.
    const name = new URL(database.url).pathname.slice(1);
    await runStatement(database.url, `alter database ${name} set datestyle = 'SQL, DMY'`);
    cpSync(openDemoFiles().folder, place('source'), { recursive: true });
    const storage = createFolderStorage(place('source'));
    const ctx = createTestContext(database, { providers: { storage } });
    const owner = await createUser(ctx);
    const pictured = await createCoupon(ctx, owner, { title: 'with \t tab, \\ and\nnew line, ünïcode' });
    await issueStatement(actingAs(ctx, owner), pictured.id);
    const { id } = pictured;
    await insertImage(ctx, owner, { couponId: id, code: 'PICTURED' });
    await insertImage(ctx, owner);
    // Its six files are in the backup, too.
    await uploadPlainPicture(actingAs(ctx, owner));
    await multiplyCoupon(ctx, id, coupons);
    const installation = { databaseUrl: database.url, storage, secretKeys: [TEST_SECRET_KEY] as const };
    Object.assign(source, { ctx, pictured, installation });
  });
  afterAll(() => rmSync(source.folder, { recursive: true }));
  afterEach(async () => {
    for (const close of cleanUp.splice(0).reverse()) await close();
  });
  return source;
}

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

/** A checksum of every table and every sequence, and of the schema. */
export async function contentsOf(db: Kysely<never>): Promise<Record<string, unknown>> {
  const plain = db.withoutPlugins();
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = quote_ident(current_schema())::regnamespace and relkind = 'r' order by 1`.execute(
    plain,
  );
  const contents: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await sql`select count(*)::int as rows, md5(string_agg(row, E'\n' order by row)) as sum
      from (select t::text as row from ${sql.table(name)} t) as texts`.execute(plain);
    contents[name] = rows[0];
  }
  const { rows: rest } = await sql`
    select 'sequence ' || sequencename as what, last_value::text as is from pg_sequences where schemaname = current_schema()
    union all select 'constraint ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) || convalidated::text
      from pg_constraint where connamespace = quote_ident(current_schema())::regnamespace
    union all select 'trigger ' || tgrelid::regclass || '.' || tgname,
      replace(pg_get_triggerdef(oid), quote_ident(current_schema()) || '.', '') || tgenabled::text
      from pg_trigger where not tgisinternal
    union all select 'index ' || indexname, replace(indexdef, quote_ident(current_schema()) || '.', '') from pg_indexes where schemaname = current_schema() order by 1`.execute(
    plain,
  );
  contents.rest = rest;
  return contents;
}

/** Looks at a database without staying connected: a restore refuses one in use. */
export async function look<Result>(
  database: { url: string },
  at: (db: Kysely<never>, handle: DatabaseHandle) => Promise<Result>,
) {
  const handle = connectTo(database, 1);
  try {
    return await at(handle.db as unknown as Kysely<never>, handle);
  } finally {
    await handle.close();
  }
}
