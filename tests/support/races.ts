import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import type { DatabaseHandle } from '#server/database/client.ts';
import { createTestContext, createUser, type TestContext } from './builders.ts';
import { connectTo, setUpDatabase, type TestDatabase } from './database.ts';
import { checkInvariants } from './invariants.ts';
import { ROUNDS } from './rounds.ts';

const CONNECTIONS = 20;

/** Opens separate connections for a race, so that it does not wait for one. */
export async function openRacers(database: TestDatabase): Promise<DatabaseHandle> {
  const racers = connectTo(database, CONNECTIONS);
  await openConnections(racers, CONNECTIONS);
  return racers;
}

/** Opens `count` connections of the pool. */
export async function openConnections({ pool }: DatabaseHandle, count: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
  for (const client of clients) client.release();
}

/** A test database for one file's races. */
export interface RaceDatabase {
  readonly admin: Actor;
  /** Uses connections that are open before the first race. */
  readonly ctx: TestContext;
  readonly database: TestDatabase;
  /** Closes all connections and expects that none of them met a deadlock. The last test calls it. */
  expectNoDeadlock(): Promise<void>;
}

export function setUpRaces(): RaceDatabase {
  const database = setUpDatabase();
  const ctx = {} as TestContext;
  const admin = {} as Actor;
  let racers: DatabaseHandle;
  beforeAll(async () => {
    racers = await openRacers(database);
    Object.assign(ctx, createTestContext(racers));
    Object.assign(admin, await createUser(ctx, { role: 'admin' }));
  });
  afterAll(() => racers.close());
  return {
    ctx,
    admin,
    database,
    async expectNoDeadlock() {
      await racers.close();
      await database.pool.end();
      await expectNoDeadlock(database);
    },
  };
}

/** Runs a race four times, or as often as `ROUNDS` says. */
export async function inRounds(run: (round: number) => Promise<void>): Promise<void> {
  for (const round of ROUNDS) await run(round);
}

/** A test that runs a race in rounds. */
export function itInRounds(title: string, run: (round: number) => Promise<void>): void {
  it(title, () => inRounds(run));
}

/** Expects that all invariants hold. */
export async function expectSoundBooks({ db }: Pick<TestContext, 'db'>): Promise<void> {
  expect(await checkInvariants(db)).toEqual([]);
}

/** The status of a deal. */
export async function statusOf(
  { db }: Pick<TestContext, 'db'>,
  kind: 'bids' | 'exchanges',
  id: number,
): Promise<string> {
  const row = await db.selectFrom(kind).select('status').where('id', '=', id).executeTakeFirstOrThrow();
  return row.status;
}

/** Whether somebody waits for a lock. */
export async function isLockAwaited({ db }: Pick<TestContext, 'db'>): Promise<boolean> {
  const { rows } = await sql`select from pg_locks where not granted`.execute(db);
  return rows.length > 0;
}

/** Runs both at once; starts the second first in every other round. */
export async function race<First, Second>(
  round: number,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  if (round % 2 === 0) return Promise.allSettled([first(), second()]);
  const [late, early] = await Promise.allSettled([second(), first()]);
  return [early, late];
}

/** Runs one after the other, the second first in every other round, so that both orders occur on any machine. */
export async function takeTurns<First, Second>(
  round: number,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  if (round % 2 === 1) {
    const [late, early] = await takeTurns(0, second, first);
    return [early, late];
  }
  const [early] = await Promise.allSettled([first()]);
  const [late] = await Promise.allSettled([second()]);
  return [early, late];
}

/** The error of the loser. Expects a conflict (409). */
export function refusalOf(result: PromiseSettledResult<unknown>): AppError {
  if (result.status === 'fulfilled') throw new Error('It was expected to lose');
  if (!(result.reason instanceof AppError)) throw result.reason;
  expect(result.reason.status).toBe(409);
  return result.reason;
}

/** The error of the only loser of a race. Throws unless exactly one has lost. */
export function loserOf(...results: PromiseSettledResult<unknown>[]): AppError {
  const [lost, ...others] = results.filter(({ status }) => status === 'rejected');
  if (!lost || others.length > 0) throw new Error(`${results.length - others.length} of two have won`);
  return refusalOf(lost);
}

/** Expects that the closed connections met no deadlock, not even one that a retry hid. */
export async function expectNoDeadlock(database: { readonly url: string }): Promise<void> {
  const { db, close } = connectTo(database, 1);
  // A server process counts its deadlocks when it ends.
  await expect
    .poll(async () => {
      const others = await sql<{ count: number }>`
        select count(*) as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
      return others.rows[0]?.count;
    })
    .toBe(0);
  const { rows } = await sql`
    select deadlocks, xact_commit > 0 as counts from pg_stat_database where datname = current_database()`.execute(
    db,
  );
  expect(rows).toEqual([{ deadlocks: 0, counts: true }]);
  await close();
}
