import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '#server/core/log.ts';
import { createDatabase, type DatabaseHandle, inTransaction } from '#server/database/client.ts';
import { announce, openLiveEvents } from '#server/database/live.ts';
import { listMigrations, migrateToLatest, pendingMigrations } from '#server/database/migrate.ts';
import { runStatement } from '#server/database/temporary.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { HANGS_MS } from '#tests/support/patience.ts';
import { openPooler, type Pooler } from './pooler.ts';

const log = createLogger({ logLevel: 'silent', isProduction: true });
const LIMITS = {
  connectionTimeoutMillis: HANGS_MS,
  statement_timeout: 60_001,
  lock_timeout: 60_002,
  idle_in_transaction_session_timeout: 60_003,
};
const SHOWN = sql<{ limits: string }>`select concat_ws(' ', current_setting('statement_timeout'),
  current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')) as limits`;

describe('behind a pooler in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Pooler;
  let own: DatabaseHandle;
  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await openPooler(database.url);
    own = createDatabase({ url: pooler.url, poolSize: 5, limits: LIMITS });
  });
  afterAll(async () => {
    await own.close();
    await pooler.close();
    await database.close();
  });

  /** Runs `work` with a client of the pooler that opens with these parameters. */
  async function asClient<Result>(options: object, work: (client: pg.Client) => Promise<Result>) {
    const client = new pg.Client({ connectionString: pooler.url, ...options });
    client.on('error', () => {});
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  const readOne = async (client: pg.Client, text: string) =>
    Object.values((await client.query(text)).rows[0] ?? {})[0];

  describe('a client', () => {
    it('is refused with parameters that belong to a session', async () => {
      const opened = asClient({ statement_timeout: 5_000 }, async () => {});
      await expect(opened).rejects.toMatchObject({
        message: 'unsupported startup parameter: statement_timeout',
        code: '08P01',
        severity: 'FATAL',
      });
      expect(await asClient({ application_name: 'known' }, (client) => readOne(client, 'select 1'))).toBe(1);
    });

    it('does not keep its session from one transaction to the next, and others get it', async () => {
      await asClient({}, async (client) => {
        const isOwn = await readOne(client, `select pg_backend_pid() = ${client.processID} as own`);
        expect(isOwn).toBe(false);
        await client.query('begin');
        const pid = await readOne(client, 'select pg_backend_pid()');
        await client.query("set clipswap.mark = 'left'");
        await client.query('prepare left_behind as select 1');
        await client.query('commit');
        // It holds what it has just used.
        const others = [1, 2, 3].map(() =>
          asClient({}, async (other) => {
            await other.query('begin');
            await other.query('select pg_sleep(0.05)');
            const [at, mark, names] = [
              await readOne(other, 'select pg_backend_pid()'),
              await readOne(other, "select current_setting('clipswap.mark', true)"),
              await readOne(other, 'select count(*)::int from pg_prepared_statements'),
            ];
            await other.query('commit');
            return [at, mark, names];
          }),
        );
        const found = await Promise.all(others);
        const left = found.filter(([, mark]) => mark === 'left').map(String);
        expect([...new Set(left)]).toEqual([`${pid},left,1`]);
      });
    });
  });

  it('transactions have their limits, and sessions keep none of them', async () => {
    const expected = { rows: [{ limits: '60001ms 60002ms 60003ms' }] };
    expect(await inTransaction(own.db, (trx) => SHOWN.execute(trx))).toMatchObject(expected);
    expect(
      await own.db.transaction().setAccessMode('read only').execute(SHOWN.execute.bind(SHOWN)),
    ).toMatchObject(expected);
    const shown = await Promise.all(Array.from({ length: 9 }, () => SHOWN.execute(own.db)));
    expect(shown.map(({ rows }) => rows[0]?.limits)).toEqual(Array(9).fill('0 0 0'));
  });

  it('a statement that nobody waits for any longer is ended at the server', async () => {
    const hasty = createDatabase({
      url: pooler.url,
      poolSize: 1,
      limits: { ...LIMITS, statement_timeout: 100 },
    });
    await expect(sql`select pg_sleep(600) as unheard`.execute(hasty.db)).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: 'Query read timeout' },
    });
    const running = sql`select from pg_stat_activity where datname = current_database() and state = 'active'
      and query like '%unheard%' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await running.execute(database.db)).rows.length).toBe(0);
    await hasty.close();
  });

  it('named statements run, from many connections at once', async () => {
    const named = { name: 'named', text: 'select $1::int as one' };
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (__, at) => (await own.pool.query(named, [at])).rows[0]),
    );
    expect(answers).toEqual(Array.from({ length: 30 }, (__, at) => ({ one: at })));
  });

  it('two processes migrate at once and leave no lock behind', async () => {
    await runStatement(database.url, 'drop schema public cascade; create schema public');
    const other = createDatabase({ url: pooler.url, poolSize: 2 });
    await Promise.all([migrateToLatest(own), migrateToLatest(other)]);
    await other.close();
    expect(await pendingMigrations(own.db, await listMigrations())).toEqual([]);
    const locks = sql`select from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`;
    expect((await locks.execute(database.db)).rows).toEqual([]);
  });

  describe('live events', () => {
    const EVENT = { kind: 'notification' } as const;

    it('that cannot be heard make browsers poll, and the log says why, once', async () => {
      const told = createLogger({ logLevel: 'silent', isProduction: true });
      const warn = vi.spyOn(told, 'warn');
      const live = openLiveEvents({ url: pooler.url, db: own.db, log: told, withinMs: 500 });
      const mine = live.follow({ userId: 1, ip: '192.0.2.1' });
      expect((await mine.next()).value).toEqual({ kind: 'polling' });
      const next = live.follow({ userId: 2, ip: '192.0.2.1' });
      expect((await next.next()).value).toEqual({ kind: 'polling' });
      expect(live.transport()).toBe('polling');
      expect(warn.mock.calls.map(([details]) => String((details as { err: Error }).err))).toEqual([
        expect.stringContaining('Set DATABASE_DIRECT_URL'),
      ]);
      await live.close();
    });

    it('are heard at the direct address', async () => {
      const live = openLiveEvents({ url: database.url, db: own.db, log });
      const mine = live.follow({ userId: 1, ip: '192.0.2.1' });
      expect((await mine.next()).value).toEqual({ kind: 'resync' });
      expect(live.transport()).toBe('database');
      await announce(own.db, [{ userId: 1, event: EVENT }]);
      expect((await mine.next()).value).toEqual(EVENT);
      await live.close();
    });
  });
});
