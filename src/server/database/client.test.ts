import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '#server/core/log.ts';
import { createTestDatabase, setUpDatabase } from '#tests/support/database.ts';
import { createDatabase, inTransaction, isUniqueViolation, type Trx } from './client.ts';
import { runStatement } from './temporary.ts';

const database = setUpDatabase();
beforeAll(async () => {
  await sql`create table marks (id int primary key, label text constraint marks_label_key unique)`.execute(
    database.db,
  );
});

const mark = (id: number, label: string) => sql`insert into marks values (${id}, ${label})`;
const labels = async () =>
  (await sql<{ label: string }>`select label from marks order by id`.execute(database.db)).rows.map(
    ({ label }) => label,
  );

/** Raises an error with this SQLSTATE in the database. */
const raise = (trx: Trx, code: string) =>
  sql`do $$ begin raise exception using errcode = '${sql.raw(code)}'; end $$`.execute(trx);

describe('values', () => {
  test('counts are numbers, days are text, times are dates, decimals are text', async () => {
    const { rows } = await sql`select count(*) as "theCount", date '2035-03-01' as the_day,
      timestamptz '2035-03-01T23:30:00-05:00' as the_instant, 12.50::numeric(10,2) as the_price`.execute(
      database.db,
    );
    expect(rows).toEqual([
      {
        theCount: 1,
        theDay: '2035-03-01',
        theInstant: new Date('2035-03-02T04:30:00Z'),
        thePrice: '12.50',
      },
    ]);
  });

  test('the day of a moment is that in UTC, whatever the time zone of the machine', async () => {
    const at = new Date('2035-03-01T23:30:00Z');
    const { rows } = await sql`select ${at}::date as day, ${at}::timestamptz as moment`.execute(database.db);
    expect(rows).toEqual([{ day: '2035-03-01', moment: at }]);
  });

  test('times are cut to milliseconds, whatever their zone; keys inside JSON stay as they are', async () => {
    const { rows } = await sql`select timestamptz '1970-01-01T00:00:00Z' as first,
      timestamptz '2035-03-01T00:00:00.057999+05:30' as cut, timestamptz '9999-12-31T23:59:59.5Z' as last_of_all,
      json_build_object('a_key', json_build_array(json_build_object('b_key', 1))) as "the""Json"
      from generate_series(1, 2)`.execute(database.db);
    const row = {
      first: new Date(0),
      cut: new Date('2035-02-28T18:30:00.057Z'),
      lastOfAll: new Date('9999-12-31T23:59:59.500Z'),
      'the"Json': { a_key: [{ b_key: 1 }] },
    };
    expect(rows).toEqual([row, row]);
  });

  test('refuses an int8 that a number cannot hold, instead of rounding it', async () => {
    await expect(sql`select 9007199254740993::bigint`.execute(database.db)).rejects.toThrow(RangeError);
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
  });

  test('every name converts from snake case to camel case and back', async () => {
    // The plugin writes line1 for line_1, so queries could not name such a column.
    const { rows } = await sql`select table_name, column_name from information_schema.columns
      where table_schema = 'public' and (table_name ~ '_[0-9]' or column_name ~ '_[0-9]')`.execute(
      database.db,
    );
    expect(rows).toEqual([]);
  });
});

describe('connections', () => {
  test('have time limits and an application name', async () => {
    const own = createDatabase({ url: database.url, poolSize: 1 });
    const { rows } = await sql`select current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('application_name') as name`.execute(own.db);
    await own.close();
    expect(rows).toEqual([{ statement: '5s', lock: '3s', idle: '10s', name: 'clipswap' }]);
  });

  test('are closed with the database, whoever has used them', async () => {
    const own = createDatabase({ url: database.url, poolSize: 1 });
    await own.pool.query('select 1');
    expect(own.pool.totalCount).toBe(1);
    await own.close();
    await own.close();
    expect(own.pool.totalCount).toBe(0);
  });

  test('return the same values, whatever formats the database is set to', async () => {
    const own = await createTestDatabase();
    onTestFinished(own.close);
    for (const setting of [`datestyle = 'SQL, DMY'`, `timezone = 'Pacific/Auckland'`]) {
      await runStatement(own.url, `alter database ${new URL(own.url).pathname.slice(1)} set ${setting}`);
    }
    const other = createDatabase({ url: own.url, poolSize: 1 });
    onTestFinished(other.close);
    const { rows } = await sql`select '2035-06-05T23:30:00Z'::timestamptz as at, '2035-06-05'::date as day,
      ('2035-06-05T23:30:00Z'::timestamptz)::date as day_of`.execute(other.db);
    expect(rows).toEqual([{ at: new Date('2035-06-05T23:30:00Z'), day: '2035-06-05', dayOf: '2035-06-05' }]);
  });

  test('that the server closes are replaced and do not end the process', async () => {
    const log = createLogger({ logLevel: 'silent', isProduction: true });
    const warn = vi.spyOn(log, 'warn');
    const other = createDatabase({ url: database.url, poolSize: 1, log });
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(other.db);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db);
    await expect.poll(() => warn.mock.calls.length).toBe(1);
    expect((await sql`select 1 as one`.execute(other.db)).rows).toEqual([{ one: 1 }]);
    await other.close();
  });

  test('that are closed already are not warned of, when the server goes at the same time', async () => {
    const log = createLogger({ logLevel: 'silent', isProduction: true });
    const warn = vi.spyOn(log, 'warn');
    const other = createDatabase({ url: database.url, poolSize: 1, log });
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(other.db);
    // The goodbye comes too late.
    const goodbye = vi.spyOn(pg.Client.prototype, 'end').mockImplementation(() => Promise.resolve());
    onTestFinished(() => goodbye.mockRestore());
    await other.close();
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 60000)`.execute(database.db);
    await sleep(100);
    expect(warn).not.toHaveBeenCalled();
  });

  test('that end while they are checked out fail what they are at, and do not end the process', async () => {
    const other = createDatabase({ url: database.url, poolSize: 1 });
    const work = inTransaction(other.db, async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]?.pid}, 60000)`.execute(database.db);
      // Nothing is under way on it while it breaks.
      await sleep(100);
      await mark(9, 'never').execute(trx);
    });
    await expect(work).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 });
    expect((await sql`select 1 as one`.execute(other.db)).rows).toEqual([{ one: 1 }]);
    await other.close();
  });

  test('whose statement is not answered in time are closed', async () => {
    const limits = {
      connectionTimeoutMillis: 5_000,
      statement_timeout: 100,
      lock_timeout: 100,
      idle_in_transaction_session_timeout: 5_000,
    };
    const other = createDatabase({ url: database.url, poolSize: 1, limits });
    const pid = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(other.db)).rows[0]?.pid;
    const before = await pid();
    // The server's own limit would answer first.
    await sql`set statement_timeout = 0`.execute(other.db);
    await expect(sql`select pg_sleep(60)`.execute(other.db)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await pid()).not.toBe(before);
    await other.close();
  });

  test('that fail are an outage only if the database is to blame', async () => {
    const outcome = (code: string) =>
      inTransaction(database.db, (trx) => raise(trx, code)).catch((error) => error.code);
    const codes = ['53100', '53300', '57014', '57P03', '55P03', '25006', '58030', '08006'];
    expect(await Promise.all(codes.map(outcome))).toEqual(codes.map(() => 'unavailable'));
    expect(await outcome('23514')).toBe('23514');
    expect(await outcome('42P01')).toBe('42P01');
  });

  test('to an unreachable server fail within seconds', async () => {
    const nowhere = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 1 });
    await expect(sql`select 1`.execute(nowhere.db)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 2,
      cause: { code: 'ECONNREFUSED' },
    });
    await nowhere.close();
  });
});

describe('inTransaction', () => {
  test('commits everything or nothing', async () => {
    await sql`truncate marks`.execute(database.db);
    const work = inTransaction(database.db, async (trx) => {
      await mark(1, 'lost').execute(trx);
      throw new Error('changed our mind');
    });
    await expect(work).rejects.toThrow('changed our mind');
    expect(await labels()).toEqual([]);
  });

  test.each(['40001', '40P01'])('retries after %s', async (code) => {
    await sql`truncate marks`.execute(database.db);
    let attempts = 0;
    const result = await inTransaction(database.db, async (trx) => {
      attempts += 1;
      await mark(attempts, `try ${attempts}`).execute(trx);
      if (attempts < 3) await raise(trx, code);
      return 'done';
    });
    expect([result, attempts, await labels()]).toEqual(['done', 3, ['try 3']]);
  });

  test('gives up after three retries, and at once after any other error', async () => {
    const failing = async (code: string) => {
      let attempts = 0;
      const work = inTransaction(database.db, async (trx) => {
        attempts += 1;
        await raise(trx, code);
      });
      await expect(work).rejects.toMatchObject({ code });
      return attempts;
    };
    expect(await failing('40001')).toBe(4);
    expect(await failing('23514')).toBe(1);
  });

  test('resolves a real deadlock', async () => {
    await sql`truncate marks`.execute(database.db);
    await mark(1, 'a').execute(database.db);
    await mark(2, 'b').execute(database.db);
    let waiting = 0;
    let meet = () => {};
    const bothHoldOne = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const lockBoth = (first: number, second: number) =>
      inTransaction(database.db, async (trx) => {
        await sql`update marks set label = label || '!' where id = ${first}`.execute(trx);
        waiting += 1;
        if (waiting === 2) meet();
        await bothHoldOne;
        await sql`update marks set label = label || '!' where id = ${second}`.execute(trx);
      });
    await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
    expect(waiting).toBe(3);
    expect(await labels()).toEqual(['a!!', 'b!!']);
  });
});

describe('isUniqueViolation', () => {
  test('recognises the violated constraint and no other error', async () => {
    await sql`truncate marks`.execute(database.db);
    await mark(1, 'a').execute(database.db);
    const error = await mark(2, 'a')
      .execute(database.db)
      .catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'marks_label_key')).toBe(true);
    expect(isUniqueViolation(error, 'marks_pkey')).toBe(false);
    const other = await sql`select 1 / 0`.execute(database.db).catch((reason: unknown) => reason);
    expect(isUniqueViolation(other)).toBe(false);
    expect(isUniqueViolation(new Error('23505'))).toBe(false);
  });
});
