import { t } from '@lingui/core/macro';

/* The certificate of a market day, and its check. The check runs in browsers, too. It shares no code with the solver but the
 * types and the tie number, which are parts of the question. docs/market-day.md has the formula. */

/** A coupon that takes part. All numbers are whole, from 0 to 2**53 - 1, and belong to one day. */
export interface MarketDayCoupon {
  readonly number: number;
  /** The number of its owner. */
  readonly owner: number;
  /** Whether its owner gives it for nothing. */
  readonly isGift: boolean;
}

export interface MarketDayWish {
  readonly number: number;
  readonly person: number;
  /** How often it may be fulfilled, from 1 to 10. */
  readonly times: number;
}

/** The wish would take the coupon. */
export interface MarketDayTake {
  readonly wish: number;
  readonly coupon: number;
  /** From 0 to `BEST_FIT`, the best. */
  readonly fit: number;
  /** From 0 to `MOST_URGENT`, for the coupons that expire soonest. */
  readonly urgency: number;
}

/** The person of the wish would give this coupon of theirs for it. */
export interface MarketDayGive {
  readonly wish: number;
  readonly coupon: number;
}

/** Who would take what, and give what for it, as it was frozen at the hour. */
export interface MarketDayGraph {
  readonly coupons: readonly MarketDayCoupon[];
  readonly wishes: readonly MarketDayWish[];
  readonly takes: readonly MarketDayTake[];
  readonly gives: readonly MarketDayGive[];
  /** The wishes that may also be fulfilled with nothing given back. */
  readonly takesGifts: readonly number[];
}

/** One fulfilment of a wish: which coupon it takes, and which it gives; null: nothing, at the end of a chain. */
export interface MarketDayTrade {
  readonly wish: number;
  readonly takes: number;
  readonly gives: number | null;
}

/** Fulfilments, fit, urgency and ties: the first that differs decides. */
export type MarketDayWorth = readonly [fulfilments: number, fit: number, urgency: number, tie: number];

/** The dual values. Any numbers give a bound that no other day of trades exceeds; the right ones give the tight bound. */
export interface MarketDayDuals {
  /** For each coupon, what whoever takes it pays (`price`), and what whoever gives it is paid (`credit`; unused for a gift). */
  readonly coupons: readonly {
    readonly number: number;
    readonly price: MarketDayWorth;
    readonly credit: MarketDayWorth;
  }[];
  /** What somebody is paid who gives nothing, at the end of a chain. The owner of each gift pays it. */
  readonly nothing: MarketDayWorth;
}

export interface MarketDayCertificate {
  readonly graph: MarketDayGraph;
  readonly seed: string;
  readonly trades: readonly MarketDayTrade[];
  readonly duals: MarketDayDuals;
}

const MOST_TIMES = 10;
export const BEST_FIT = 9;
export const MOST_URGENT = 4;
/** A tie number has this many bits. */
const TIE_BITS = 10;

/** A component of a dual value is at most this much above or below 0. */
const LARGEST_DUAL = 2 ** 28;
/** Coupons, and times of wishes, are together at most this many: no sum of the check then exceeds 2**53. */
const MOST_UNITS = 2 ** 22;

/** Mixes 32 bits so that each bit of the answer depends on all of them. */
function mixed(bits: number): number {
  let hash = bits ^ (bits >>> 16);
  hash = Math.imul(hash, 0x7feb352d);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x846ca68b);
  return hash ^ (hash >>> 16);
}

/** The state after one more word of 32 bits. */
const follow = (state: number, word: number) => (mixed(state ^ word) + 0x9e3779b9) | 0;

/**
 * The numbers that decide between equally good days. The state starts at 0 and follows, as in `follow`, each UTF-16 unit of
 * the seed, then the low 32 and the high bits of the number of the wish, then those of the coupon; the answer is its highest
 * 10 bits. A plain mixing of integers is enough: nobody chooses the seed or the numbers, and browsers compute a million at once,
 * which their SHA-256, one promise a number, cannot.
 * @returns the tie number of a wish that takes a coupon, from 0 to 1023
 */
export function tieNumbers(seed: string): (wish: number, coupon: number) => number {
  let start = 0;
  for (let at = 0; at < seed.length; at += 1) start = follow(start, seed.charCodeAt(at));
  return (wish, coupon) => {
    let state = follow(start, wish | 0);
    state = follow(state, Math.floor(wish / 2 ** 32));
    state = follow(state, coupon | 0);
    state = follow(state, Math.floor(coupon / 2 ** 32));
    return state >>> (32 - TIE_BITS);
  };
}

const sum = (one: MarketDayWorth, other: MarketDayWorth, times = 1): MarketDayWorth => [
  one[0] + other[0] * times,
  one[1] + other[1] * times,
  one[2] + other[2] * times,
  one[3] + other[3] * times,
];

/** Below 0 if the first is worth less, above 0 if it is worth more. */
const compared = (one: MarketDayWorth, other: MarketDayWorth) =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2] || one[3] - other[3];

const larger = (one: MarketDayWorth | undefined, other: MarketDayWorth) =>
  one && compared(one, other) >= 0 ? one : other;

const ZERO: MarketDayWorth = [0, 0, 0, 0];

/** The graph by its numbers. */
interface Day {
  readonly coupons: ReadonlyMap<number, MarketDayCoupon>;
  readonly wishes: ReadonlyMap<number, MarketDayWish>;
  /** By wish and coupon. */
  readonly takes: ReadonlyMap<number, ReadonlyMap<number, MarketDayTake>>;
  readonly gives: ReadonlyMap<number, ReadonlySet<number>>;
  readonly takesGifts: ReadonlySet<number>;
}

/**
 * Checks that the trades of a day obey its graph, and that no other trades are better. It trusts nothing but the certificate.
 * @returns the faults in words; none: the trades are valid and the best possible
 */
export function checkCertificate({ graph, seed, trades, duals }: MarketDayCertificate): string[] {
  const faults: string[] = [];
  const day = readDay(graph, faults);
  if (faults.length > 0) return faults;
  checkTrades(day, trades, faults);
  if (faults.length > 0) return faults;
  const tieOf = tieNumbers(seed);
  const worthOf = ({ wish, coupon, fit, urgency }: MarketDayTake): MarketDayWorth => [
    ...([1, fit, urgency] as const),
    tieOf(wish, coupon),
  ];
  const bound = boundOf(graph, duals, worthOf, faults);
  if (faults.length > 0) return faults;
  const reached = trades.reduce((worth, { wish, takes }) => {
    const take = day.takes.get(wish)?.get(takes);
    return take ? sum(worth, worthOf(take)) : worth;
  }, ZERO);
  if (compared(reached, bound) !== 0) {
    const [is, most] = [reached.join(', '), bound.join(', ')];
    faults.push(t`The swaps reach ${is}, but the dual values allow ${most}: they do not prove the optimum.`);
  }
  return faults;
}

const isNumber = (value: number) => Number.isSafeInteger(value) && value >= 0;

const isWithin = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most;

/** Notes each place where the graph contradicts itself. */
function readDay(graph: MarketDayGraph, faults: string[]): Day {
  const coupons = new Map(graph.coupons.map((coupon) => [coupon.number, coupon]));
  const wishes = new Map(graph.wishes.map((wish) => [wish.number, wish]));
  const takesGifts = new Set(graph.takesGifts);
  const numbers = [...graph.coupons, ...graph.wishes].map(({ number }) => number);
  if (!numbers.every(isNumber)) faults.push(t`A number is not whole, or is below 0.`);
  if (coupons.size < graph.coupons.length) faults.push(t`Two coupons have the same number.`);
  if (wishes.size < graph.wishes.length) faults.push(t`Two wishes have the same number.`);
  for (const { number, times } of graph.wishes)
    if (!isWithin(times, 1, MOST_TIMES)) faults.push(t`Wish ${number} has a wrong number of times.`);
  for (const wish of takesGifts)
    if (!wishes.has(wish)) faults.push(t`Wish ${wish} takes gifts, but is not in the graph.`);
  const units = graph.coupons.length + graph.wishes.reduce((all, { times }) => all + times, 0);
  if (units > MOST_UNITS) faults.push(t`The graph is too large for exact sums.`);

  const takes = new Map<number, Map<number, MarketDayTake>>();
  for (const take of graph.takes) {
    const { wish, coupon, fit, urgency } = take;
    const ofWish = takes.get(wish) ?? new Map<number, MarketDayTake>();
    const owner = coupons.get(coupon)?.owner;
    const person = wishes.get(wish)?.person;
    if (owner === undefined || person === undefined)
      faults.push(t`Wish ${wish} takes coupon ${coupon}, but one of them is not in the graph.`);
    else if (owner === person) faults.push(t`Wish ${wish} takes coupon ${coupon} of its own person.`);
    if (ofWish.has(coupon)) faults.push(t`Wish ${wish} takes coupon ${coupon} in two lines of the graph.`);
    if (!isWithin(fit, 0, BEST_FIT) || !isWithin(urgency, 0, MOST_URGENT))
      faults.push(t`The fit or urgency of coupon ${coupon} for wish ${wish} is out of its range.`);
    takes.set(wish, ofWish.set(coupon, take));
  }

  const gives = new Map<number, Set<number>>();
  for (const { wish, coupon: number } of graph.gives) {
    const coupon = coupons.get(number);
    const person = wishes.get(wish)?.person;
    if (!coupon || coupon.isGift || coupon.owner !== person)
      faults.push(t`Wish ${wish} gives coupon ${number}, which is a gift or is not its person’s.`);
    gives.set(wish, (gives.get(wish) ?? new Set()).add(number));
  }
  return { coupons, wishes, takes, gives, takesGifts };
}

/** Notes each trade that the graph does not allow, and each coupon that does not change hands exactly as often as it may. */
function checkTrades(day: Day, trades: readonly MarketDayTrade[], faults: string[]): void {
  const taken = new Set<number>();
  const given = new Set<number>();
  const fulfilled = new Map<number, number>();
  let endings = 0;
  for (const { wish, takes, gives } of trades) {
    const times = (fulfilled.get(wish) ?? 0) + 1;
    fulfilled.set(wish, times);
    if (times > (day.wishes.get(wish)?.times ?? 0))
      faults.push(t`Wish ${wish} is fulfilled more often than it may be.`);
    if (!day.takes.get(wish)?.has(takes)) faults.push(t`Wish ${wish} does not take coupon ${takes}.`);
    if (taken.has(takes)) faults.push(t`Coupon ${takes} is taken twice.`);
    taken.add(takes);
    if (gives === null) {
      endings += 1;
      if (!day.takesGifts.has(wish)) faults.push(t`Wish ${wish} gives nothing, but takes no gifts.`);
    } else {
      if (!day.gives.get(wish)?.has(gives)) faults.push(t`Wish ${wish} does not give coupon ${gives}.`);
      if (given.has(gives)) faults.push(t`Coupon ${gives} is given twice.`);
      given.add(gives);
    }
  }
  for (const coupon of given)
    if (!taken.has(coupon)) faults.push(t`Coupon ${coupon} is given, but not taken.`);
  let gifts = 0;
  for (const coupon of taken)
    if (day.coupons.get(coupon)?.isGift) gifts += 1;
    else if (!given.has(coupon))
      faults.push(t`Coupon ${coupon} is taken, but its owner gets nothing for it.`);
  if (gifts !== endings)
    faults.push(t`As many swaps must give nothing as gifts are taken: ${gifts}, not ${endings}.`);
}

/**
 * The worth that no trades exceed, whatever the dual values are. A trade that takes c and gives g is worth at most
 * (worth - price of c) + (credit of g), which is part of the surplus of its wish, plus (price of c) - (credit of g). Summed
 * over all trades, each coupon that changes hands leaves its price less its credit.
 */
function boundOf(
  graph: MarketDayGraph,
  { coupons, nothing }: MarketDayDuals,
  worthOf: (take: MarketDayTake) => MarketDayWorth,
  faults: string[],
): MarketDayWorth {
  const duals = new Map(coupons.map((dual) => [dual.number, dual]));
  const isSmall = (worth: MarketDayWorth) =>
    worth.length === 4 && worth.every((part) => isWithin(part, -LARGEST_DUAL, LARGEST_DUAL));
  if (![nothing, ...coupons.flatMap(({ price, credit }) => [price, credit])].every(isSmall))
    faults.push(t`A dual value is not four whole numbers, or is too large.`);
  const price = (coupon: number) => duals.get(coupon)?.price ?? ZERO;
  const credit = (coupon: number) => duals.get(coupon)?.credit ?? ZERO;

  let bound = ZERO;
  for (const { number, isGift } of graph.coupons)
    bound = sum(bound, larger(ZERO, sum(price(number), isGift ? nothing : credit(number), -1)));
  const bestTake = new Map<number, MarketDayWorth>();
  for (const take of graph.takes)
    bestTake.set(take.wish, larger(bestTake.get(take.wish), sum(worthOf(take), price(take.coupon), -1)));
  const bestGive = new Map<number, MarketDayWorth>();
  for (const wish of graph.takesGifts) bestGive.set(wish, nothing);
  for (const { wish, coupon } of graph.gives) bestGive.set(wish, larger(bestGive.get(wish), credit(coupon)));
  for (const { number, times } of graph.wishes) {
    const [take, give] = [bestTake.get(number), bestGive.get(number)];
    if (take && give) bound = sum(bound, larger(ZERO, sum(take, give)), times);
  }
  return bound;
}
