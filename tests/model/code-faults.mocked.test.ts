import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { type KyselyPlugin, type SelectQueryNode, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import type { Trx } from '#server/database/client.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { everything, goodbyes, type Mix } from './choices.ts';
import { obeysTheModel } from './run.ts';
import { openPlace, type Place } from './world.ts';

/** Proves that the model finds what it is there to find: each test plants one fault, and the model must object. */

const faults = vi.hoisted(() => ({ planted: '' }));

/** Reads without the lock, and leaves others the time that the lock would have kept. */
const WITHOUT_LOCKS: KyselyPlugin = {
  transformQuery: ({ node }) => {
    const { endModifiers: _locks, ...rest } = node as SelectQueryNode;
    return rest;
  },
  transformResult: async ({ result }) => result,
};
const unlocked = (trx: Trx) => trx.withPlugin(WITHOUT_LOCKS);
const DELAY_MS = 50;
/** Long enough for a whole ban, on a busy machine, too. */
const BAN_MS = 250;

/** Replaces a function while a fault of this name is planted. */
function unless<Given extends readonly unknown[], Result>(
  name: string,
  real: (...given: Given) => Result,
  faulty: (...given: Given) => Result,
) {
  return (...given: Given) => (faults.planted === name ? faulty : real)(...given);
}

vi.mock('#server/domains/deals/store.ts', async (load) => {
  const real = await load<typeof import('#server/domains/deals/store.ts')>();
  return {
    ...real,
    lockCoupons: unless('coupons are not locked', real.lockCoupons, async (trx, ids) => {
      const found = await real.lockCoupons(unlocked(trx), ids);
      await sleep(DELAY_MS);
      return found;
    }),
  };
});
vi.mock('#server/domains/deals/service.ts', async (load) => {
  const real = await load<typeof import('#server/domains/deals/service.ts')>();
  return {
    ...real,
    checkNotBanned: unless('a bidder is not locked', real.checkNotBanned, async (trx, id) => {
      await real.checkNotBanned(unlocked(trx), id);
      await sleep(DELAY_MS);
    }),
  };
});
vi.mock('#server/domains/deals/rules.ts', async (load) => {
  const real = await load<typeof import('#server/domains/deals/rules.ts')>();
  return { ...real, tradeObstacle: unless('any coupon may be traded', real.tradeObstacle, () => null) };
});
vi.mock('#server/domains/bids/rules.ts', async (load) => {
  const real = await load<typeof import('#server/domains/bids/rules.ts')>();
  return { ...real, sideOf: unless('a bidder passes for the seller', real.sideOf, () => 'owner') };
});
vi.mock('#server/domains/coupons/rules.ts', async (load) => {
  const real = await load<typeof import('#server/domains/coupons/rules.ts')>();
  return {
    ...real,
    changesTerms: unless('an edit leaves deals as they are', real.changesTerms, () => false),
  };
});

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const RUNS = 30;
/** With this one the faults of the short form are found in the first run. */
const SEED = shortOrLong(3, 20_350_615);

/** Expects that the model objects, and notes how soon. */
async function expectFound(where: Place, choices: Mix, annotate: TestContext['annotate']) {
  const { property, counts } = obeysTheModel(where, choices);
  const begun = performance.now();
  const { failed } = await fc.check(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
  await annotate(`${counts.acts} commands, ${Math.round(performance.now() - begun)} ms`);
  expect(failed, `${counts.acts} commands have not found it`).toBe(true);
}

const IN_CODE: [fault: string, choices: Mix][] = [
  ['a bidder passes for the seller', everything],
  ...shortOrLong<[], [string, Mix][]>(
    [],
    [
      ['coupons are not locked', everything],
      ['a bidder is not locked', goodbyes],
      ['any coupon may be traded', everything],
      ['an edit leaves deals as they are', everything],
    ],
  ),
];

describe('a fault in the code is found', () => {
  it.for(IN_CODE)('%s', async ([fault, choices], { annotate }) => {
    faults.planted = fault;
    await expectFound(place, choices, annotate).finally(() => {
      faults.planted = '';
    });
  });
});

/** Leaves a ban the time to pass by a new coupon. */
const SLOW_AND_BLIND = `
  drop trigger coupons_of_barred on coupons;
  create function dawdle() returns trigger language plpgsql as
    'begin perform pg_sleep(${BAN_MS / 1_000}); return new; end';
  create trigger dawdling before insert on coupons for each row execute function dawdle()`;

const IN_THE_DATABASE: [fault: string, statement: string, choices: Mix][] = [
  ['somebody may bid twice', 'drop index bids_one_pending', goodbyes],
  ...shortOrLong<[], [string, string, Mix][]>(
    [],
    [
      [
        'two deals may hold one coupon',
        'alter table coupon_reservations drop constraint coupon_reservations_pkey',
        everything,
      ],
      ['somebody may ask twice', 'drop index exchanges_one_pending', everything],
      ['a code may be listed twice', 'drop index coupons_code_key', everything],
      ['a claim may be made twice', 'alter table claims drop constraint claims_payment_id_key', everything],
      ['coupons of banned people may be listed', SLOW_AND_BLIND, goodbyes],
    ],
  ),
];

describe('a fault in the database is found', () => {
  it.for(IN_THE_DATABASE)('%s', async ([, statement, choices], { annotate }) => {
    const faulty = await openPlace();
    try {
      await sql.raw(statement).execute(faulty.market.ctx.db);
      await expectFound(faulty, choices, annotate);
    } finally {
      await faulty.close();
    }
  });
});
