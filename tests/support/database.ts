import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Currency } from '#contract/base/money.ts';
import { createDatabase, type DatabaseHandle } from '#server/database/client.ts';
import { retryWhileInUse } from '#server/database/temporary.ts';
import { HANGS_MS } from './patience.ts';

/** A migrated database for one test file. */
export interface TestDatabase extends DatabaseHandle {
  readonly url: string;
  /** Closes its connections and drops it. */
  close(): Promise<void>;
}

/** Long limits, because a busy machine is slow. */
const LONG_LIMITS = {
  connectionTimeoutMillis: HANGS_MS,
  statement_timeout: HANGS_MS,
  lock_timeout: HANGS_MS,
  idle_in_transaction_session_timeout: HANGS_MS,
};

/** More connections to a test's database, with the test's time limits instead of the program's. */
export function connectTo(
  { url }: { readonly url: string },
  poolSize: number,
  limits: Partial<typeof LONG_LIMITS> = {},
): DatabaseHandle {
  return createDatabase({ url, poolSize, limits: { ...LONG_LIMITS, ...limits } });
}

/**
 * For two acts at once and one who watches. PostgreSQL plans and caches for each connection anew, which takes a test
 * longer than to wait for one.
 */
const FEW_CONNECTIONS = 3;
/** For tests in which many act at once. */
export const MANY_CONNECTIONS = 10;

export interface TestDatabaseOptions {
  /** The database to clone; by default the run's empty one. */
  readonly templateUrl?: string;
  /** How many connections its pool may open. */
  readonly connections?: number;
}

/** Clones a template into a new database. Open it in `beforeAll`, close it in `afterAll`. */
export async function createTestDatabase({
  templateUrl = inject('templateUrl'),
  connections = FEW_CONNECTIONS,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const template = new URL(templateUrl);
  const templateName = template.pathname.slice(1);
  const name = `${templateName}_${randomBytes(6).toString('hex')}`;
  // Connects to the database `postgres`: a template must not have sessions.
  const administration = new URL('/postgres', template).href;
  // Copying the template's files takes half the time that writing them through the log does.
  await retryWhileInUse(
    administration,
    `create database ${name} template ${templateName} strategy file_copy`,
  );
  const url = new URL(`/${name}`, template);
  const handle = connectTo({ url: url.href }, connections);
  return {
    ...handle,
    url: url.href,
    async close() {
      await handle.close();
      await retryWhileInUse(administration, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Makes a database of the template, which is of a market in Canadian dollars, one in another currency. */
export async function chargeDatabaseIn({ db }: DatabaseHandle, currency: Currency): Promise<void> {
  if (currency === 'CAD') return;
  await db.transaction().execute(async (trx) => {
    const { definition } = await sql<{ definition: string }>`select pg_get_constraintdef(oid) as definition
      from pg_constraint where conname = 'payments_currency_of_market'`
      .execute(trx)
      .then(({ rows: [row] }) => row ?? { definition: '' });
    await sql`alter table payment_transactions drop constraint payments_currency_of_market`.execute(trx);
    await sql`alter table market disable trigger user`.execute(trx);
    await sql`update market set currency = ${currency}`.execute(trx);
    await sql`update payment_transactions set currency = ${currency}`.execute(trx);
    await sql`alter table market enable trigger user`.execute(trx);
    await sql`alter table payment_transactions add constraint payments_currency_of_market ${sql.raw(definition)}`.execute(
      trx,
    );
  });
}

/** A test database for one file, opened before its tests and dropped after them. */
export function setUpDatabase(
  options?: TestDatabaseOptions,
  create: (options?: TestDatabaseOptions) => Promise<TestDatabase> = createTestDatabase,
): TestDatabase {
  const database = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(database, await create(options));
  });
  afterAll(() => database.close());
  return database;
}

/** Counts the ids of each table from 1, as an installation does: for what is asked for by such ids. */
export async function countFromOne({ pool }: Pick<DatabaseHandle, 'pool'>): Promise<void> {
  await pool.query("select setval(format('%I', sequencename)::regclass, 1, false) from pg_sequences");
}
