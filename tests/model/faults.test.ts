import * as fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { shortOrLong } from '#tests/support/rounds.ts';
import { noteFinding } from '../simulation/findings.ts';
import { MIXES, type MixName, mixOf } from './choices.ts';
import { obeysTheModel } from './run.ts';
import { openPlace, type Place } from './world.ts';

/** The model finds what it is there to find: each test plants one fault, and the model must object. */

const RUNS = 30;
/** With this one the fault of the short form is found in the first run. */
const SEED = shortOrLong(3, 20_350_615);

/** @returns whether the model objects, and how soon, for people */
async function search(
  place: Place,
  mix: MixName,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<[isFound: boolean, after: string]> {
  const { property, counts } = obeysTheModel(place, mixOf(mix));
  const { counterexample } = await fc.check(property, {
    ...{ seed: SEED, numRuns: RUNS, endOnFailure: true },
    ...(Number.isFinite(withinMs) && { skipAllAfterTimeLimit: withinMs }),
  });
  // Without one, the time was over.
  return [counterexample !== null, `${counts.acts} commands (${mix})`];
}

/** Long enough for a whole ban, on a busy machine, too. */
const BAN_MS = 250;

/** Leaves a ban the time to pass by a new coupon. */
const SLOW_AND_BLIND = `
  drop trigger coupons_withhold on coupons;
  create function dawdle() returns trigger language plpgsql as
    'begin perform pg_sleep(${BAN_MS / 1_000}); return new; end';
  create trigger dawdling before insert on coupons for each row execute function dawdle()`;

const FAULTS: [fault: string, statement: string, mix: MixName][] = [
  ['somebody may bid twice', 'drop index bids_one_pending', 'goodbyes'],
  ...shortOrLong<[], [string, string, MixName][]>(
    [],
    [
      [
        'two deals may hold one coupon',
        'alter table coupon_reservations drop constraint coupon_reservations_pkey',
        'everything',
      ],
      ['somebody may ask twice', 'drop index exchanges_one_pending', 'everything'],
      ['a code may be listed twice', 'drop index coupons_code_key', 'everything'],
      ['a claim may be made twice', 'alter table claims drop constraint claims_bid_id_key', 'everything'],
      ['coupons of banned people may be listed', SLOW_AND_BLIND, 'goodbyes'],
    ],
  ),
];

describe('a fault in the database is found', () => {
  it.for(FAULTS)('%s', async ([, statement, mix], { annotate }) => {
    const faulty = await openPlace();
    try {
      await sql.raw(statement).execute(faulty.market.ctx.db);
      const [isFound, after] = await search(faulty, mix);
      await annotate(after);
      expect(isFound, after).toBe(true);
    } finally {
      await faulty.close();
    }
  });
});

/** A long time for one fault, of people who wait for the answer. */
const SEARCH_MS = 60_000 * Number(process.env.MINUTES ?? 10);

// vitest.config.ts has built the server with it.
it.each(process.env.PLANTED ? [process.env.PLANTED] : [])('finds that %s', async (fault) => {
  const begin = performance.now();
  const minutes = () => (performance.now() - begin) / 60_000;
  const note = (seed: string, found: string | null) =>
    noteFinding({ fault, by: 'model', seed, minutes: minutes(), isReached: null, isAnother: null, found });
  const place = await openPlace();
  try {
    for (const mix of MIXES) {
      const [isFound, after] = await search(place, mix, SEARCH_MS / MIXES.length);
      if (!isFound) continue;
      note(`${SEED}`, after);
      process.stdout.write(`found: ${fault}; ${after}\n`);
      return;
    }
    note(`${SEED}`, null);
    expect.fail('No run has found it');
  } finally {
    await place.close();
  }
});
