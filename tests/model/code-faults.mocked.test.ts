import { setTimeout as sleep } from 'node:timers/promises';
import type { KyselyPlugin, SelectQueryNode } from 'kysely';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import type { Trx } from '#server/database/client.ts';
import { everything, goodbyes, type Mix } from './choices.ts';
import { expectFound } from './faults.ts';
import { openPlace, type Place } from './world.ts';

/** Each test plants one fault in the code, and the model must object. For the long form alone (vitest.config.ts). */

const faults = vi.hoisted(() => ({ planted: '' }));

/** Reads without the lock, and leaves others the time that the lock would have kept. */
const WITHOUT_LOCKS: KyselyPlugin = {
  transformQuery: ({ node }) => {
    const { endModifiers: _locks, ...rest } = node as SelectQueryNode;
    return rest;
  },
  transformResult: async ({ result }) => result,
};
const unlocked = (trx: Trx): Trx => Object.assign(trx.withPlugin(WITHOUT_LOCKS), { signals: trx.signals });
const DELAY_MS = 50;

/** Replaces a function while a fault of this name is planted. */
function unless<Given extends readonly unknown[], Result>(
  name: string,
  real: (...given: Given) => Result,
  faulty: (...given: Given) => Result,
) {
  return (...given: Given) => (faults.planted === name ? faulty : real)(...given);
}

vi.mock('#server/domains/coupons/reservations.ts', async (load) => {
  const real = await load<typeof import('#server/domains/coupons/reservations.ts')>();
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

const FAULTS: [fault: string, choices: Mix][] = [
  ['a bidder passes for the seller', everything],
  ['coupons are not locked', everything],
  ['a bidder is not locked', goodbyes],
  ['any coupon may be traded', everything],
  ['an edit leaves deals as they are', everything],
];

describe('a fault in the code is found', () => {
  it.for(FAULTS)('%s', async ([fault, choices], { annotate }) => {
    faults.planted = fault;
    await expectFound(place, choices, annotate).finally(() => {
      faults.planted = '';
    });
  });
});
