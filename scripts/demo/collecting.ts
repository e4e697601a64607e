import { type Act, type Cast, made } from './cast.ts';
import type { DemoPerson } from './content.ts';
import { draw } from './draw.ts';
import { importDemoFeed } from './feed.ts';
import type { DemoPlan, PlannedCoupon } from './plan.ts';

/** When the marketplace first heard of the public codes. */
const FEED_CAME = 24;

/** How much the newcomer, and everybody else at most, has saved for later. */
const SAVED_BY_THE_FIRST = 7;
const SAVED_AT_MOST = 4;

/** Of the first merchants of Discover, how many codes the newcomer has taken. */
const IMPORTED_BY_THE_FIRST = 3;

/** People save coupons for later, and the newcomer takes some of the public codes. */
export function collectingActs(cast: Cast, plan: DemoPlan): Act[] {
  const feed: Act = {
    daysAgo: FEED_CAME,
    perform: (stage) => importDemoFeed(stage.contextOf(null)),
  };
  const saves = plan.people.flatMap((person, place) =>
    savedBy(
      plan,
      person,
      place === 0 ? SAVED_BY_THE_FIRST : draw(`saves of ${person.username}`) * SAVED_AT_MOST,
    ).map(
      (coupon): Act => ({
        daysAgo: Math.min(coupon.listed, person.joined) * draw(`save of ${coupon.offer.title}`),
        perform: (stage) =>
          stage.callsOf(made(cast.people, person)).coupons.save({ couponId: made(cast.coupons, coupon) }),
      }),
    ),
  );
  const [first] = plan.people;
  return [feed, ...saves, ...(first ? [importing(cast, first)] : [])];
}

/** What stays on the table and is somebody else's, as drawn. */
function savedBy({ coupons, swaps, bids }: DemoPlan, person: DemoPerson, count: number): PlannedCoupon[] {
  const dealtOver = new Set([
    ...swaps.flatMap(({ wants, gives }) => [wants, gives]),
    ...bids.map(({ coupon }) => coupon),
  ]);
  const lot = (coupon: PlannedCoupon) => draw(`${person.username} looks at ${coupon.offer.title}`);
  return coupons
    .filter(({ owner, expires }) => owner !== person && (expires === null || expires > 2))
    .filter((coupon) => !dealtOver.has(coupon))
    .sort((a, b) => lot(a) - lot(b))
    .slice(0, Math.floor(count));
}

function importing(cast: Cast, person: DemoPerson): Act {
  return {
    daysAgo: Math.min(FEED_CAME, person.joined) / 2,
    async perform(stage) {
      const calls = stage.callsOf(made(cast.people, person));
      const { items } = await calls.discover.list({ limit: IMPORTED_BY_THE_FIRST });
      for (const { merchant, coupons } of items) {
        const [coupon] = coupons;
        if (coupon) await calls.discover.import({ merchant, code: coupon.code });
      }
    },
  };
}
