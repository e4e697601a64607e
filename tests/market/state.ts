import type { BidReason, DealReason, DealStatus } from '#contract/deals/deals.ts';
import type { PaymentStatus } from '#contract/money/payments.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';

/**
 * The marketplace as plain data, with the rules that several acts share. It is written from the product's decisions and
 * shares no code with the server. Coupons and deals are known by the number of the act that made them.
 */

/** Who trades, and which providers can pay them; the last one is the admin. */
export const CAST = [
  { name: 'ann', sellsBy: ['stripe'] },
  { name: 'ben', sellsBy: ['stripe', 'paypal'] },
  { name: 'cho', sellsBy: [] },
  { name: 'dee', sellsBy: ['paypal'] },
  { name: 'the admin', sellsBy: [] },
] as const satisfies readonly { name: string; sellsBy: readonly PaymentProviderName[] }[];

/** A number and an id that nothing has. */
export const NOTHING = 2_000_000_000;

export const ADMIN = CAST.length - 1;
export const nameOf = (who: number) => CAST[who]?.name ?? `person ${who}`;

export interface Person {
  status: 'active' | 'suspended' | 'banned';
  hasLeft: boolean;
  isSignedIn: boolean;
  /** Whom they have blocked, in order. */
  blocked: number[];
  /** When they were banned, and when deadlines that began before are over at the earliest. A change replaces the list. */
  stops: readonly { readonly since: number; readonly clear: number }[];
  /** Codes that they gave and that did not work. */
  failedCodes: number;
  /** Whether they cannot sell until a moderator has looked. */
  isSaleStopped: boolean;
  /** The words that they look for, in order. */
  wants: string[];
}

export interface Coupon {
  owner: number;
  code: string;
  value: number;
  /** In cents: bids of `asking` or more are accepted, and nobody is told of those below `floor`. */
  asking: number | null;
  floor: number | null;
  /** Its last valid day; null when it never expires. */
  lastDay: string | null;
  isListed: boolean;
  /** Taken off the lists by a ban. */
  isHidden: boolean;
  isDeleted: boolean;
  /** The deal that holds it. */
  heldBy: number | null;
  /** The deal that gave it to its owner; null: none, or a refund. */
  cameBy: number | null;
}

interface DealState {
  status: DealStatus;
  reason: DealReason | BidReason | null;
  createdAt: number;
  acceptedAt: number;
}

/** What somebody pays besides for a coupon that they get, in cents. */
export interface Price {
  readonly coupon: number;
  readonly amount: number;
}

/** A coupon of an exchange, with who gives and who gets it. */
export interface Leg {
  readonly coupon: number;
  readonly giver: number;
  readonly receiver: number;
}

/** A swap between two, or a ring, in which each gives a coupon to the next. */
export interface Exchange extends DealState {
  readonly kind: 'swap' | 'ring';
  /** The first one has proposed it. */
  readonly parties: readonly number[];
  /** A change replaces the list. */
  legs: readonly Leg[];
  /** One at most in a swap. A change replaces the list. */
  prices: readonly Price[];
  /** What each puts up, in cents; null: nothing. */
  deposit: number | null;
  /** By who has put it up, in order. A change replaces the list. */
  deposits: readonly Deposit[];
  /** Who has agreed, in order. */
  consents: readonly number[];
  /** 1, or one more than that of the exchange that it answers. */
  readonly round: number;
  readonly replaces: number | null;
  completedAt: number;
  /** That codes do not work. A change replaces the list. */
  claims: readonly LegClaim[];
}

/** What a party has put up by card; `receiver`: who gets it, once their claim was granted. A change replaces it. */
export interface Deposit {
  readonly who: number;
  readonly at: number;
  readonly state: 'authorised' | 'captured' | 'over';
  readonly receiver: number | null;
}

/** A claim about a coupon of a swap. */
export interface LegClaim {
  readonly coupon: number;
  readonly status: 'open' | 'withdrawn' | 'upheld' | 'refused';
  readonly isAnswered: boolean;
  readonly at: number;
}

export interface Bid extends DealState {
  readonly kind: 'bid';
  /** The bidder and the seller. */
  readonly parties: readonly [number, number];
  readonly coupon: number;
  /** The exchange whose price it is; it begins and ends with it. */
  readonly of: number | null;
  /** Whether the money for an exchange was held before it ended. */
  isPaid: boolean;
  payment: Payment | null;
  /** 1, and one more with each counter-offer: the seller answers the odd ones. */
  round: number;
  /** In cents: what the bidder bids, and what the seller asks instead. */
  amount: number;
  counter: number | null;
  /** When the round began. */
  roundAt: number;
}

export type Deal = Exchange | Bid;

/** The latest payment of a bid. */
export interface Payment {
  readonly by: PaymentProviderName;
  /** Whether the buyer has paid at the provider. */
  isPaidThere: boolean;
  /** What the marketplace knows. */
  state: 'open' | 'processing' | 'given up' | 'held' | 'final' | 'refunding' | 'undone';
  paidAt: number;
  holdUntil: number;
  claim: 'open' | 'ended' | null;
  /** When it was made, and whether the seller has answered. */
  claimedAt: number;
  isAnswered: boolean;
}

/** The states of a payment as the model tells them apart. */
const STATES: Record<PaymentStatus, Payment['state']> = {
  created: 'open',
  open: 'open',
  processing: 'processing',
  held: 'held',
  releasing: 'final',
  completed: 'final',
  refunding: 'refunding',
  refunded: 'undone',
  charged_back: 'undone',
  cancelled: 'given up',
  failed: 'given up',
};
export const stateOf = ({ status }: { readonly status: PaymentStatus }) => STATES[status];

export interface State {
  now: number;
  readonly people: Person[];
  readonly coupons: Map<number, Coupon>;
  readonly deals: Map<number, Deal>;
  /** Claims that somebody has granted, by who gave the code. A change replaces the list. */
  granted: readonly { readonly giver: number; readonly at: number }[];
  /** Who made the claims that were declined. A change replaces the list. */
  declined: readonly number[];
}

export function openState(now: number): State {
  const people = CAST.map(
    (): Person => ({
      status: 'active',
      hasLeft: false,
      isSignedIn: true,
      failedCodes: 0,
      isSaleStopped: false,
      stops: [],
      blocked: [],
      wants: [],
    }),
  );
  return { now, people, coupons: new Map(), deals: new Map(), granted: [], declined: [] };
}

export function copyState({ now, people, coupons, deals, granted, declined }: State): State {
  const copyDeal = (deal: Deal): Deal =>
    deal.kind === 'bid' && deal.payment ? { ...deal, payment: { ...deal.payment } } : { ...deal };
  return {
    now,
    granted,
    declined,
    people: people.map((person) => ({
      ...person,
      blocked: [...person.blocked],
      wants: [...person.wants],
    })),
    coupons: new Map([...coupons].map(([id, coupon]) => [id, { ...coupon }])),
    deals: new Map([...deals].map(([id, deal]) => [id, copyDeal(deal)])),
  };
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The UTC day of an instant, `days` later. */
export const dayOf = (ms: number, days = 0) => new Date(ms + days * DAY_MS).toISOString().slice(0, 10);

/** Cents as the calls write them. */
export const dollars = (cents: number) => (cents / 100).toFixed(2);

export function personOf(state: State, who: number): Person {
  const person = state.people[who];
  if (!person) throw new Error(`There is no person ${who}`);
  return person;
}

/** Whoever can act again has this time; a ban lasts so long at most, for deadlines. */
const GRACE_MS = 72 * HOUR_MS;
const STOPPED_MAX_MS = 60 * DAY_MS;

/** The deadlines of a banned person wait, also when they were banned again before they had their time. */
export function stopClock(state: State, who: number): void {
  const person = personOf(state, who);
  const clear = state.now + STOPPED_MAX_MS + GRACE_MS;
  const isStopped = person.stops.some((stop) => stop.clear > state.now);
  person.stops = isStopped
    ? person.stops.map((stop) => (stop.clear > state.now ? { ...stop, clear } : stop))
    : [...person.stops, { since: state.now, clear }];
}

export function resumeClock(state: State, who: number): void {
  const person = personOf(state, who);
  person.stops = person.stops.map((stop) => ({ ...stop, clear: Math.min(stop.clear, state.now + GRACE_MS) }));
}

/** Whether a deadline is over that waits for this person. */
export function isOverFor(state: State, deadline: number, who: number): boolean {
  const stops = personOf(state, who).stops.filter(({ since }) => since < deadline);
  return Math.max(deadline, ...stops.map(({ clear }) => clear)) <= state.now;
}

/** Whether a person may own nothing on the lists. */
export const isBarred = (state: State, who: number) =>
  personOf(state, who).status === 'banned' || personOf(state, who).hasLeft;

export const hasBlocked = (state: State, who: number, whom: number) =>
  personOf(state, who).blocked.includes(whom);

export const couponsOf = (deal: Deal): readonly number[] =>
  deal.kind === 'bid' ? [deal.coupon] : deal.legs.map(({ coupon }) => coupon);

export const isOpen = ({ status }: Deal) => status === 'pending' || status === 'accepted';

export const hasExpired = (state: State, { lastDay }: Coupon) =>
  lastDay !== null && lastDay < dayOf(state.now);

/** Whether a coupon may change hands today; whether it is free is another question. */
export const isTradable = (state: State, coupon: Coupon) =>
  coupon.isListed && !coupon.isDeleted && !hasExpired(state, coupon);

/** Whether another coupon on the lists has this code. */
export const isTaken = (state: State, code: string, except: number) =>
  [...state.coupons].some(([id, coupon]) => id !== except && coupon.isListed && coupon.code === code);

/** Puts a coupon on the lists; a barred owner's is hidden instead. */
export function putOnList(state: State, coupon: Coupon): void {
  coupon.isHidden = isBarred(state, coupon.owner);
  coupon.isListed = !coupon.isHidden;
}

/** Gives a coupon to another person by a deal; on the lists it stays only if it was there. */
export function give(state: State, coupon: Coupon, to: number, by: number | null): void {
  Object.assign(coupon, { owner: to, isHidden: false, asking: null, floor: null, cameBy: by });
  if (coupon.isListed) putOnList(state, coupon);
}

/** Frees the coupons that a deal holds. */
export function free(state: State, dealId: number): void {
  for (const coupon of state.coupons.values()) if (coupon.heldBy === dealId) coupon.heldBy = null;
}

type Reason = Exclude<NonNullable<Deal['reason']>, 'exchange_ended'>;

export function endDeal(state: State, id: number, status: 'rejected' | 'cancelled', reason: Reason): void {
  const deal = state.deals.get(id);
  if (!deal) throw new Error(`There is no deal ${id}`);
  free(state, id);
  if (deal.kind !== 'bid' && deal.status === 'accepted') {
    for (const price of pricesOf(state, id)) {
      Object.assign(price, { status: 'cancelled', reason: 'exchange_ended' });
    }
  }
  Object.assign(deal, { status, reason });
}

/** The number of the bid by which a price of an exchange is paid. */
export const priceNumber = (exchange: number, coupon: number) => exchange + coupon / 1_000;

/** Whether the buyer of a completed bid still has what it, or its exchange, gave them, and promised it to nobody else. */
export function canReturn(state: State, bid: Bid, id: number): boolean {
  const coupon = state.coupons.get(bid.coupon);
  const deal = bid.of ?? id;
  if (!coupon || coupon.isDeleted || coupon.cameBy !== deal) return false;
  return coupon.heldBy === null || coupon.heldBy === deal;
}

/** The bids by which an accepted exchange is paid. */
export const pricesOf = (state: State, exchange: number): Bid[] =>
  [...state.deals.values()].filter((deal): deal is Bid => deal.kind === 'bid' && deal.of === exchange);

/** Ends the pending deals on some coupons. */
export function cancelPending(state: State, couponIds: readonly number[], reason: Reason): void {
  for (const [id, deal] of state.deals) {
    const isOnThem = couponsOf(deal).some((coupon) => couponIds.includes(coupon));
    if (deal.status === 'pending' && isOnThem) endDeal(state, id, 'cancelled', reason);
  }
}

/** Ends the open deals of a person, but not a bid that is being paid. */
export function cancelDealsOf(state: State, who: number, reason: Reason): void {
  for (const [id, deal] of state.deals) {
    // A price ends with its exchange.
    const isBeingPaid = deal.kind === 'bid' && (deal.of !== null || deal.payment?.state === 'processing');
    if (deal.parties.includes(who) && isOpen(deal) && !isBeingPaid) endDeal(state, id, 'cancelled', reason);
  }
}

/** Completes an exchange: all its coupons move, and all other deals on them end. */
export function moveLegs(state: State, id: number, deal: Exchange): void {
  for (const leg of deal.legs) {
    const coupon = state.coupons.get(leg.coupon);
    if (coupon) give(state, coupon, leg.receiver, id);
  }
  free(state, id);
  Object.assign(deal, { status: 'completed', completedAt: state.now });
  cancelPending(state, couponsOf(deal), 'rival_completed');
}
