import type {
  MarketDayDuals,
  MarketDayGraph,
  MarketDayTrade,
} from '#contract/deals/market-day-certificate.ts';

/** What can be traded, as it is in the database. Ids are those of its rows. */
export interface Offered {
  readonly coupons: readonly {
    readonly id: number;
    readonly ownerId: number;
    readonly minValue: number | null;
    readonly updatedAt: Date;
  }[];
  readonly wants: readonly {
    readonly id: number;
    readonly userId: number;
    readonly times: number;
    readonly minValue: number | null;
    readonly gives: 'any' | 'some';
  }[];
  /** Which coupons a wish names as what is given for it. */
  readonly gifts: readonly { readonly wantId: number; readonly couponId: number }[];
  /** Which coupons a wish takes, by the rules of wishes, blocks and the least worth and health. */
  readonly takes: readonly {
    readonly wantId: number;
    readonly couponId: number;
    /** How sure the code is, of 100; null: nothing is known of it. */
    readonly health: number | null;
    readonly isConfirmed: boolean;
    /** Days until it expires; null: never. */
    readonly daysLeft: number | null;
  }[];
  /** How many deals people may begin who have few: the ladder of new members. */
  readonly allowances: ReadonlyMap<number, number>;
}

/** Which coupon somebody gives for which wish of theirs: one that the wish names or takes any, if the coupon’s least worth is kept. */
export function givesOf({ coupons, wants, gifts }: Offered): { wantId: number; couponId: number }[] {
  const named = new Set(gifts.map(({ wantId, couponId }) => `${wantId} ${couponId}`));
  const byOwner = new Map<number, Offered['coupons'][number][]>();
  for (const coupon of coupons) byOwner.set(coupon.ownerId, [...(byOwner.get(coupon.ownerId) ?? []), coupon]);
  return wants.flatMap((want) =>
    (byOwner.get(want.userId) ?? [])
      .filter(({ id }) => want.gives === 'any' || named.has(`${want.id} ${id}`))
      .filter(({ minValue }) => minValue === null || (want.minValue !== null && want.minValue >= minValue))
      .map(({ id }) => ({ wantId: want.id, couponId: id })),
  );
}

/** The wishes of each person that their allowance covers, the first ones first, each as often as is left of it. */
export function allowed({ wants, allowances }: Pick<Offered, 'wants' | 'allowances'>): Offered['wants'] {
  const left = new Map(allowances);
  return wants.flatMap((want) => {
    const most = left.get(want.userId) ?? Number.POSITIVE_INFINITY;
    const times = Math.min(want.times, most);
    left.set(want.userId, most - times);
    return times > 0 ? [{ ...want, times }] : [];
  });
}

/** How well a coupon fits a wish, from 0 to 9: how sure its code is. */
export function fitOf({
  health,
  isConfirmed,
}: Pick<Offered['takes'][number], 'health' | 'isConfirmed'>): number {
  return isConfirmed ? 9 : Math.min(8, Math.floor((health ?? 0) / 10));
}

const URGENT_DAYS = [3, 7, 14, 30];

/** How soon a coupon expires, from 0 (in more than a month, or never) to 4 (within three days). */
export function urgencyOf(daysLeft: number | null): number {
  if (daysLeft === null) return 0;
  const step = URGENT_DAYS.findIndex((days) => daysLeft <= days);
  return step < 0 ? 0 : URGENT_DAYS.length - step;
}

/** The best that can be traded. */
export interface Solution {
  readonly trades: readonly MarketDayTrade[];
  /** The places of the trades of each ring, in its order. */
  readonly rings: readonly (readonly number[])[];
  readonly duals: MarketDayDuals;
}

/** The market of a day under random numbers, and whose they are. */
export interface Numbered {
  readonly graph: MarketDayGraph;
  readonly numbers: {
    readonly people: ReadonlyMap<number, number>;
    readonly coupons: ReadonlyMap<number, number>;
    readonly wishes: ReadonlyMap<number, number>;
  };
}

/**
 * The market as it is solved and published: under other numbers, and in their order, which says nothing of age or owner.
 * @param draw gives as many different numbers as there are ids
 */
export function numbered(offered: Offered, draw: (ids: readonly number[]) => readonly number[]): Numbered {
  const wants = allowed(offered);
  const numbersFor = (ids: readonly number[]) => {
    const distinct = [...new Set(ids)];
    const drawn = draw(distinct);
    return new Map(distinct.map((id, index) => [id, drawn[index] ?? 0]));
  };
  const coupons = numbersFor(offered.coupons.map(({ id }) => id));
  const wishes = numbersFor(wants.map(({ id }) => id));
  const people = numbersFor([
    ...offered.coupons.map(({ ownerId }) => ownerId),
    ...wants.map(({ userId }) => userId),
  ]);
  const of = (numbers: ReadonlyMap<number, number>, id: number) => numbers.get(id) ?? 0;
  const isKnown = ({ wantId, couponId }: { wantId: number; couponId: number }) =>
    wishes.has(wantId) && coupons.has(couponId);
  const graph: MarketDayGraph = {
    coupons: offered.coupons
      .map(({ id, ownerId }) => ({ number: of(coupons, id), owner: of(people, ownerId), isGift: false }))
      .sort(byNumber),
    wishes: wants
      .map(({ id, userId, times }) => ({ number: of(wishes, id), person: of(people, userId), times }))
      .sort(byNumber),
    takes: offered.takes
      .filter(isKnown)
      .map(({ wantId, couponId, daysLeft, ...take }) => ({
        ...{ wish: of(wishes, wantId), coupon: of(coupons, couponId) },
        ...{ fit: fitOf(take), urgency: urgencyOf(daysLeft) },
      }))
      .sort(byEnds),
    gives: givesOf({ ...offered, wants })
      .map(({ wantId, couponId }) => ({ wish: of(wishes, wantId), coupon: of(coupons, couponId) }))
      .sort(byEnds),
    takesGifts: [],
  };
  return { graph, numbers: { people, coupons, wishes } };
}

const byNumber = (one: { number: number }, other: { number: number }) => one.number - other.number;
const byEnds = (one: { wish: number; coupon: number }, other: { wish: number; coupon: number }) =>
  one.wish - other.wish || one.coupon - other.coupon;

/** What is left of a market when some trades have happened, and some coupons and wishes are out. */
export function restOf(
  graph: MarketDayGraph,
  given: {
    readonly traded: readonly MarketDayTrade[];
    readonly out: { readonly coupons: readonly number[]; readonly wishes: readonly number[] };
  },
): MarketDayGraph {
  const { traded, out } = given;
  const gone = new Set([...out.coupons, ...traded.map(({ takes }) => takes)]);
  const used = new Map<number, number>();
  for (const { wish } of traded) used.set(wish, (used.get(wish) ?? 0) + 1);
  const wishes = graph.wishes
    .map((wish) => ({ ...wish, times: wish.times - (used.get(wish.number) ?? 0) }))
    .filter(({ number, times }) => times > 0 && !out.wishes.includes(number));
  const left = new Set(wishes.map(({ number }) => number));
  const isLeft = ({ wish, coupon }: { wish: number; coupon: number }) => left.has(wish) && !gone.has(coupon);
  return {
    coupons: graph.coupons.filter(({ number }) => !gone.has(number)),
    wishes,
    takes: graph.takes.filter(isLeft),
    gives: graph.gives.filter(isLeft),
    takesGifts: graph.takesGifts.filter((wish) => left.has(wish)),
  };
}
