import { createReadStream } from 'node:fs';
import type { Context } from '#server/context/context.ts';
import type { ImportTotals } from '#server/coupons/discover/importing.ts';
import { importFeed } from '#server/coupons/discover/service.ts';
import { notifyOfCoupons } from '#server/coupons/wants/service.ts';
import { readRows } from '#server/readers/feeds/rows.ts';
import { type DemoPerson, WANTS } from './content.ts';
import { draw } from './draw.ts';
import type { DemoPlan, PlannedCoupon } from './plan.ts';
import { type DemoState, type DemoStep, lookUp } from './steps.ts';

/** The feed's name in the database. */
const DEMO_FEED = 'demo';

/** The time of the import of the public codes, in days before the present. */
const FEED_IMPORTED = 24;

/** How many coupons the first person has saved, and the others at most. */
const SAVED_BY_THE_FIRST = 7;
const SAVED_AT_MOST = 4;

/** The number of merchants from which the first person has imported a code. */
const IMPORTED_BY_THE_FIRST = 3;

/** How many people have tried public codes. */
const TRYING = 8;

/** People save coupons, say what they look for and try public codes, and the first person imports some of them. */
export function collectingSteps(state: DemoState, plan: DemoPlan): DemoStep[] {
  const feed: DemoStep = {
    daysAgo: FEED_IMPORTED,
    run: (client) => importDemoFeed(client.contextOf(null)),
  };
  const saves = plan.people.flatMap((person, place) =>
    savedBy(
      plan,
      person,
      place === 0 ? SAVED_BY_THE_FIRST : draw(`saves of ${person.username}`) * SAVED_AT_MOST,
    ).map(
      (coupon): DemoStep => ({
        daysAgo: Math.min(coupon.listed, person.joined) * draw(`save of ${coupon.offer.title}`),
        run: (client) =>
          client
            .callsOf(lookUp(state.people, person))
            .coupons.save({ couponId: lookUp(state.coupons, coupon) }),
      }),
    ),
  );
  const [first, ...others] = plan.people;
  const tries = others.slice(0, TRYING).map((person) => trying(state, person));
  return [feed, ...saves, ...wanting(state, plan), ...tries, ...(first ? [importing(state, first)] : [])];
}

/** People would give any coupon of theirs for one of a merchant. */
function wanting(state: DemoState, { people }: DemoPlan): DemoStep[] {
  return WANTS.flatMap(({ by, daysAgo, merchant }) => {
    const person = people.find(({ username }) => username === by);
    if (!person) return [];
    return {
      daysAgo,
      async run(client) {
        // What was listed before is no news.
        await notifyOfCoupons(client.contextOf(null));
        await client.callsOf(lookUp(state.people, person)).wants.create({ merchant, gives: 'any' });
      },
    };
  });
}

/** Draws coupons of other people that no deal uses. */
function savedBy({ coupons, swaps, bids }: DemoPlan, person: DemoPerson, count: number): PlannedCoupon[] {
  const inDeals = new Set([
    ...swaps.flatMap(({ wants, gives, alsoWants, alsoGives }) => [wants, gives, ...alsoWants, ...alsoGives]),
    ...bids.map(({ coupon }) => coupon),
  ]);
  const order = (coupon: PlannedCoupon) => draw(`${person.username} looks at ${coupon.offer.title}`);
  return coupons
    .filter(({ owner, expires }) => owner !== person && (expires === null || expires > 2))
    .filter((coupon) => !inDeals.has(coupon))
    .sort((a, b) => order(a) - order(b))
    .slice(0, Math.floor(count));
}

function trying(state: DemoState, person: DemoPerson): DemoStep {
  const chance = (what: string) => draw(`${person.username} ${what}`);
  return {
    daysAgo: Math.min(FEED_IMPORTED, person.joined) * chance('tries codes'),
    async run(client) {
      const calls = client.callsOf(lookUp(state.people, person));
      const { items } = await calls.discover.list({});
      for (const { id, title } of items.flatMap(({ coupons }) => coupons)) {
        if (chance(`tries ${title}`) > 0.25) continue;
        await calls.discover.giveFeedback({ id, worked: chance(`pays with ${title}`) < 0.8 });
      }
    },
  };
}

function importing(state: DemoState, person: DemoPerson): DemoStep {
  return {
    daysAgo: Math.min(FEED_IMPORTED, person.joined) / 2,
    async run(client) {
      const calls = client.callsOf(lookUp(state.people, person));
      const { items } = await calls.discover.list({ limit: IMPORTED_BY_THE_FIRST });
      for (const { merchant, coupons } of items) {
        const [coupon] = coupons;
        if (coupon) await calls.discover.import({ merchant, code: coupon.code });
      }
    },
  };
}

/** Imports public offers of invented shops, some of them expired, for the Discover page. */
export function importDemoFeed(ctx: Context): Promise<ImportTotals> {
  const file = createReadStream(new URL('feed.csv', import.meta.url));
  return importFeed(ctx, { name: DEMO_FEED, rows: readRows(file, { format: 'csv' }) });
}
