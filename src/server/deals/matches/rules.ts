import type { Cents } from '#contract/base/money.ts';
import { daysLeft } from '#contract/coupons/days-left.ts';
import type { DismissReason } from '#contract/deals/matches.ts';
import { largestBid, smallestBid } from '#contract/money/fees.ts';

/** The taker would take the coupon of the owner. */
export interface Edge {
  readonly id: number;
  readonly takerId: number;
  readonly ownerId: number;
  readonly couponId: number;
  /** Null: the taker has saved the coupon, or asked for it in vain. */
  readonly wantId: number | null;
  /** The taker gives only what the want names. */
  readonly givesSome: boolean;
  readonly isExplicit: boolean;
  /** Null for percentages. */
  readonly cents: number | null;
  /** When its last day ends; null: never. */
  readonly endsAt: Date | null;
}

/** What somebody has said when they dismissed a match. */
export interface Dismissal {
  readonly userId: number;
  readonly reason: Exclude<DismissReason, 'other'>;
  readonly couponId: number | null;
  readonly giftId: number | null;
  readonly wantId: number | null;
  readonly personId: number | null;
  readonly difference: number | null;
}

export interface Facts {
  /** Only of coupons that can be had. */
  readonly edges: ReadonlyMap<number, Edge>;
  readonly people: ReadonlyMap<number, { readonly isIn: boolean; readonly reputation: number }>;
  /** Pairs, in both orders. */
  readonly blocked: ReadonlySet<string>;
  /** Wants with what is given for them. */
  readonly gifts: ReadonlySet<string>;
  readonly dismissals: readonly Dismissal[];
}

/** A match that was found. Its legs are in the order of the ring: who gets a coupon gives the next. */
export interface Found {
  readonly key: string;
  readonly legs: readonly Edge[];
  readonly isExplicit: boolean;
  /** Cents; null where a percentage is part of it. */
  readonly difference: number | null;
  readonly score: number;
}

/**
 * A ring as a match, if nothing speaks against it.
 * @param edgeIds the owner of each edge is the taker of the next
 */
export function judge(edgeIds: readonly number[], facts: Facts, now: Date): Found | null {
  const ring = edgeIds.flatMap((id) => facts.edges.get(id) ?? []);
  if (ring.length < edgeIds.length) return null;
  const people = ring.map(({ takerId }) => takerId);
  if (new Set(people).size < people.length) return null;
  if (people.some((id) => !facts.people.get(id)?.isIn)) return null;
  if (people.some((one) => people.some((other) => facts.blocked.has(`${one} ${other}`)))) return null;
  // Who takes by an edge gives by the one before it.
  const legs = ring.map((edge, index) => ({ gets: edge, gives: ring.at(index - 1) ?? edge }));
  if (
    legs.some(({ gets, gives }) => gets.givesSome && !facts.gifts.has(`${gets.wantId} ${gives.couponId}`))
  ) {
    return null;
  }
  const gains = legs.map(({ gets, gives }) => gainOf(gets.cents, gives.cents));
  const isUnwelcome = facts.dismissals.some((dismissal) =>
    legs.some(
      ({ gets, gives }, index) =>
        gets.takerId === dismissal.userId &&
        speaksAgainst(dismissal, { gets, gives, gain: gains[index] ?? null, people }),
    ),
  );
  if (isUnwelcome) return null;
  const isExplicit = ring.every((edge) => edge.isExplicit);
  const known = gains.filter((gain) => gain !== null);
  const difference = known.length < gains.length ? null : Math.max(...known.map(Math.abs));
  const score = scoreOf({ ring, isExplicit, difference, facts, now });
  // The ring from its first coupon on, each given to the person before.
  return { key: keyOf(ring), legs: ring, isExplicit, difference, score };
}

/** What a person gains in cents; null where a value is a percentage. */
export function gainOf(gets: number | null, gives: number | null): number | null {
  return gets === null || gives === null ? null : gets - gives;
}

function keyOf(ring: readonly Edge[]): string {
  return ring
    .map(({ couponId, ownerId, takerId }) => `${couponId}:${ownerId}>${takerId}`)
    .sort()
    .join(' ');
}

function speaksAgainst(
  dismissal: Dismissal,
  leg: { gets: Edge; gives: Edge; gain: number | null; people: readonly number[] },
): boolean {
  switch (dismissal.reason) {
    case 'not_interested':
      return dismissal.couponId === leg.gets.couponId;
    case 'keep_mine':
      return (
        dismissal.giftId === leg.gives.couponId &&
        (dismissal.couponId === leg.gets.couponId ||
          (dismissal.wantId !== null && dismissal.wantId === leg.gets.wantId))
      );
    case 'unfair':
      return dismissal.difference !== null && leg.gain !== null && leg.gain <= dismissal.difference;
    case 'person':
      return dismissal.personId !== null && leg.people.includes(dismissal.personId);
  }
}

const NINE = 9;
const upToNine = (value: number) => Math.max(0, Math.min(NINE, Math.round(value)));

/**
 * How good a match is, higher is better, a digit each in this order: everybody looks for what they get; fairness in
 * value; few people; a coupon that expires soon; reputation of the one with the lowest.
 */
function scoreOf(given: {
  ring: readonly Edge[];
  isExplicit: boolean;
  difference: number | null;
  facts: Facts;
  now: Date;
}): number {
  const { ring, isExplicit, difference, facts, now } = given;
  const most = Math.max(1, ...ring.map(({ cents }) => cents ?? 0));
  const fairness = difference === null ? NINE / 2 : NINE * (1 - difference / most);
  const fewestDays = Math.min(
    ...ring.map(({ endsAt }) => (endsAt === null ? Number.POSITIVE_INFINITY : daysLeft(endsAt, now))),
  );
  const reputation = Math.min(...ring.map(({ takerId }) => facts.people.get(takerId)?.reputation ?? 0));
  const digits = [isExplicit ? 1 : 0, fairness, NINE - ring.length, NINE - fewestDays / 7, reputation / 10];
  return digits.map(upToNine).reduce((score, digit) => score * 10 + digit, 0);
}

/** The legs in the order of the ring, from the one that a person gives on: who gets a coupon gives the next. */
export function legsFrom<Leg extends { giver: { id: number }; receiver: { id: number } }>(
  legs: readonly Leg[],
  userId: number,
): Leg[] {
  const ordered: Leg[] = [];
  for (let next = userId; ordered.length < legs.length; ) {
    const leg = legs.find(({ giver }) => giver.id === next);
    if (!leg) break;
    ordered.push(leg);
    next = leg.receiver.id;
  }
  return ordered;
}

/** Values that differ by less than a tenth of the largest are not worth the fees of settling it. */
const SMALLEST_SHARE = 10;

/**
 * What each receiver pays their giver so that nobody gains or loses: the value of the coupon less the lowest value.
 * @param values in cents, of the coupons in the order of the legs; null: not known
 * @returns in that order, null for no price; null if it cannot be settled or is not worth it
 */
export function settlingPrices(values: readonly (Cents | null)[]): (Cents | null)[] | null {
  const known = values.filter((value) => value !== null);
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  if (known.length < values.length || (highest - lowest) * SMALLEST_SHARE < highest) return null;
  const prices = known.map((value) => (value === lowest ? null : value - lowest));
  const isPayable = (price: Cents | null) =>
    price === null || (price >= smallestBid() && price <= largestBid());
  return prices.some((price) => price !== null) && prices.every(isPayable) ? prices : null;
}
