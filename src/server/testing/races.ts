import { sql } from 'kysely';
import { expect } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import type { DatabaseHandle } from '#server/database/client.ts';
import { connectTo, type TestDatabase } from './database.ts';
import { createDice, type Dice } from './dice.ts';

const CONNECTIONS = 20;

/** The racers' own connections, opened beforehand: a race that waits for one is none. */
export async function openRacers(database: TestDatabase): Promise<DatabaseHandle> {
  const racers = connectTo(database, CONNECTIONS);
  await openConnections(racers, CONNECTIONS);
  return racers;
}

/** Holds so many connections at once, so that all of them are open. */
export async function openConnections({ pool }: DatabaseHandle, count: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
  for (const client of clients) client.release();
}

/** Runs both at once, the second first in every other round. */
export async function race<First, Second>(
  round: number,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  if (round % 2 === 0) return Promise.allSettled([first(), second()]);
  const [late, early] = await Promise.allSettled([second(), first()]);
  return [early, late];
}

/** Runs one after the other, the second first in every other round: both orders are met on any machine. */
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

/** The refusal of the one that lost: a conflict, never a failure of ours. */
export function refusalOf(result: PromiseSettledResult<unknown>): AppError {
  if (result.status === 'fulfilled') throw new Error('It was expected to lose');
  if (!(result.reason instanceof AppError)) throw result.reason;
  expect(result.reason.status).toBe(409);
  return result.reason;
}

/** The one refusal of a race that exactly one has won. */
export function loserOf(...results: PromiseSettledResult<unknown>[]): AppError {
  const [lost, ...others] = results.filter(({ status }) => status === 'rejected');
  if (!lost || others.length > 0) throw new Error(`${results.length - others.length} of two have won`);
  return refusalOf(lost);
}

/**
 * Twelve hands act at once, sixty times each, as their dice say.
 * @returns how often an act was done, and how often it was refused by which code; a failure of ours is thrown
 */
export async function storm(act: (dice: Dice) => Promise<unknown>): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  const count = (outcome: string) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  async function hand(seed: number): Promise<void> {
    const dice = createDice(seed);
    for (let turn = 0; turn < 60; turn += 1) {
      try {
        await act(dice);
        count('done');
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        count(error.code);
      }
    }
  }
  await Promise.all(Array.from({ length: 12 }, (_, seed) => hand(seed + 1)));
  return outcomes;
}

/** Expects that the racers, who have left, have met no deadlock, not even one that a retry hid. */
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
