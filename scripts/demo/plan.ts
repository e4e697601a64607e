import {
  BIDS,
  type DemoBid,
  type DemoMerchant,
  type DemoOffer,
  type DemoPerson,
  type DemoSwap,
  MERCHANTS,
  PEOPLE,
  SWAPS,
} from './content.ts';
import { draw, drawBetween } from './draw.ts';

/** A coupon, its owner and when it is listed. All times of a plan are days before the present, with fractions. */
export interface PlannedCoupon {
  readonly offer: DemoOffer;
  readonly merchant: DemoMerchant;
  readonly owner: DemoPerson;
  readonly code: string | null;
  /** Days from today to its last day, negative when that has passed; null never ends. */
  expires: number | null;
  listed: number;
}

export interface PlannedSwap {
  readonly ending: DemoSwap['ending'];
  readonly requester: DemoPerson;
  readonly wants: PlannedCoupon;
  readonly gives: PlannedCoupon;
  /** The other coupons of a bundle. */
  readonly alsoWants: readonly PlannedCoupon[];
  readonly alsoGives: readonly PlannedCoupon[];
  /** The proposal that this counter-offer answers. */
  readonly answers?: PlannedSwap;
  readonly message: string | undefined;
  readonly revised: string | undefined;
  /** When the claim is made, answered and decided. */
  readonly claim?: NonNullable<DemoSwap['claim']> & Record<'made' | 'answered' | 'decided', number>;
  readonly proposed: number;
  /** When the first person acts on the proposal, and when the next one does. */
  readonly answered: number;
  readonly concluded: number;
}

export interface PlannedBid
  extends Pick<
    DemoBid,
    'ending' | 'amount' | 'counter' | 'message' | 'through' | 'keepsCard' | 'claim' | 'answer' | 'note'
  > {
  readonly bidder: DemoPerson;
  readonly coupon: PlannedCoupon;
  readonly placed: number;
  /** When the owner answers, when the buyer pays and then judges the code, and when a claim ends. */
  readonly answered: number;
  readonly paid: number;
  readonly judged: number;
  readonly decided: number;
}

export interface DemoPlan {
  readonly people: readonly DemoPerson[];
  readonly coupons: readonly PlannedCoupon[];
  readonly swaps: readonly PlannedSwap[];
  readonly bids: readonly PlannedBid[];
}

/** Plans who lists which coupons and who trades them when. The plan is the same at every start. */
export function planDemo(): DemoPlan {
  const people = new Map(PEOPLE.map((person) => [person.username, person]));
  const coupons = assignOwners(people);
  const { planSwap, planBid } = createMatcher(people, coupons);
  return { people: PEOPLE, coupons, swaps: SWAPS.flatMap(planSwap), bids: BIDS.flatMap(planBid) };
}

/**
 * Gives every offer an owner: the one that a swap or a bid names, else a drawn one, until everybody has their
 * number of coupons.
 */
function assignOwners(people: ReadonlyMap<string, DemoPerson>): PlannedCoupon[] {
  const named = namedOwners();
  const room = PEOPLE.flatMap((person) => {
    const taken = [...named.values()].filter((username) => username === person.username).length;
    return Array.from({ length: person.shelf - taken }, () => person);
  });
  const offers = MERCHANTS.flatMap((merchant) => merchant.offers.map((offer) => ({ merchant, offer })));
  return offers
    .sort((a, b) => draw(`order of ${a.offer.title}`) - draw(`order of ${b.offer.title}`))
    .map(({ merchant, offer }) => {
      const username = named.get(offer.title);
      const owner = username === undefined ? room.shift() : people.get(username);
      if (!owner) throw new Error(`Nobody has room for the demo coupon “${offer.title}”`);
      const expires = expiryOf(offer, owner);
      return {
        offer,
        merchant,
        owner,
        code: codeOf(merchant, offer),
        expires,
        listed: listingOf(offer, owner, expires),
      };
    });
}

/** The owners that swaps and bids name, by the coupon's title. */
function namedOwners(): Map<string, string> {
  const owners = new Map(BIDS.map(({ on, to }) => [on, to]));
  for (const { by, to, wants, gives, alsoGives, counter, rivals } of SWAPS) {
    if (wants !== undefined) owners.set(wants, to);
    for (const side of [{ by, gives }, ...rivals])
      if (side.gives !== undefined) owners.set(side.gives, side.by);
    for (const title of alsoGives) owners.set(title, by);
    if (!counter) continue;
    for (const title of [counter.wants, ...counter.alsoWants]) owners.set(title, by);
    for (const title of [counter.gives, ...counter.alsoGives]) owners.set(title, to);
  }
  return owners;
}

/** The distribution of last days: how many of a hundred coupons end how many days from today. */
const EXPIRIES = [
  { share: 4, from: -12, to: -1 },
  { share: 10, from: 1, to: 6 },
  { share: 20, from: 7, to: 29 },
  { share: 28, from: 30, to: 119 },
  { share: 22, from: 120, to: 364 },
  { share: 8, from: 365, to: 730 },
];

function expiryOf({ title, expires }: DemoOffer, owner: DemoPerson): number | null {
  if (expires !== undefined) return expires;
  let chance = draw(`expiry of ${title}`) * 100;
  for (const { share, from, to } of EXPIRIES) {
    chance -= share;
    if (chance >= 0) continue;
    const days = Math.floor(drawBetween(`last day of ${title}`, from, to + 1));
    // Somebody who joined recently cannot own a coupon that expired before that.
    return owner.joined > 20 ? days : Math.abs(days);
  }
  return null;
}

/** The time of listing: after its owner joined, before its last day if that has passed, and more likely recent. */
function listingOf({ title }: DemoOffer, { joined }: DemoPerson, expires: number | null): number {
  const latest = expires !== null && expires < 0 ? 3 - expires : 0.05;
  return latest + (joined - 0.1 - latest) * draw(`listing of ${title}`) ** 1.5;
}

const DIGITS = '0123456789';
/** Without letters that are easily misread. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

function codeOf({ codes }: DemoMerchant, { title, hasNoCode }: DemoOffer): string | null {
  if (hasNoCode) return null;
  return codes.replace(/[#@]/g, (sign, at: number) => {
    const signs = sign === '#' ? DIGITS : LETTERS;
    return signs.charAt(Math.floor(draw(`sign ${at} of the code of ${title}`) * signs.length));
  });
}

/**
 * Chooses coupons for swaps and bids. A coupon that no swap or bid names is in at most one swap, with its rivals.
 */
function createMatcher(people: ReadonlyMap<string, DemoPerson>, coupons: readonly PlannedCoupon[]) {
  const named = namedOwners();
  const free = new Set(coupons.filter(({ offer }) => !named.has(offer.title)));
  const used = new Set<PlannedCoupon>();

  /** The coupon with this title, or the owner's next valid one. Its listing is moved before the proposal. */
  function take(username: string, title: string | undefined, proposed: number): PlannedCoupon {
    const coupon = title
      ? coupons.find(({ offer }) => offer.title === title)
      : [...free].find(
          ({ owner, expires }) => owner.username === username && (expires === null || expires > 0),
        );
    if (!coupon) throw new Error(`${username} has no coupon left for the demo deal of ${proposed} days ago`);
    free.delete(coupon);
    if (coupon.expires !== null) coupon.expires = Math.max(coupon.expires, -coupon.expires, 1);
    const longest = Math.min(12, coupon.owner.joined - proposed - 0.1);
    const listed = proposed + drawBetween(`head start of ${coupon.offer.title}`, 0.1, longest);
    coupon.listed = used.has(coupon) ? Math.max(coupon.listed, listed) : listed;
    used.add(coupon);
    return coupon;
  }

  const takeAll = (username: string, titles: readonly string[], proposed: number) =>
    titles.map((title) => take(username, title, proposed));

  function personOf(username: string): DemoPerson {
    const person = people.get(username);
    if (!person) throw new Error(`The demo knows nobody called ${username}`);
    return person;
  }

  function planSwap(swap: DemoSwap): PlannedSwap[] {
    const { ending, message, revised, rivals, counter } = swap;
    // So that they do not all happen in the same minute.
    const proposed = swap.proposed * drawBetween(`hour of ${swap.by} and ${swap.to}`, 0.985, 1);
    const wants = take(swap.to, swap.wants, proposed);
    if (ending === 'coupon expired') wants.expires = -Math.floor(proposed / 2);
    const gives = take(swap.by, swap.gives, proposed);
    const answered = soonAfter(proposed, `answer to ${gives.offer.title}`);
    const concluded = soonAfter(answered, `end of ${gives.offer.title}`);
    const requester = personOf(swap.by);
    const coupons = { wants, gives, alsoWants: [], alsoGives: takeAll(swap.by, swap.alsoGives, proposed) };
    const times = { proposed, answered, concluded };
    const claim = swap.claim && { claim: planClaim(swap.claim, concluded, gives.offer.title) };
    const main = { ending, requester, ...coupons, message, revised, ...times, ...claim };
    const decided = ending === 'pending' ? 0 : answered;
    return [
      main,
      ...rivals.map((rival, index): PlannedSwap => {
        const asked = proposed - ((proposed - decided) * (index + 1)) / (rivals.length + 1);
        return {
          ...main,
          ending: 'pending',
          requester: personOf(rival.by),
          gives: take(rival.by, rival.gives, asked),
          alsoGives: [],
          message: rival.message,
          revised: undefined,
          proposed: asked,
        };
      }),
      ...(counter ? [planCounter(swap, counter, main)] : []),
    ];
  }

  function planCounter(
    { by, to }: DemoSwap,
    { wants, gives, alsoWants, alsoGives, message }: NonNullable<DemoSwap['counter']>,
    main: PlannedSwap,
  ): PlannedSwap {
    const { proposed, answered } = main;
    return {
      ...main,
      ending: 'pending',
      requester: personOf(to),
      wants: take(by, wants, proposed),
      gives: take(to, gives, proposed),
      alsoWants: takeAll(by, alsoWants, proposed),
      alsoGives: takeAll(to, alsoGives, proposed),
      answers: main,
      message,
      revised: undefined,
      proposed: answered,
    };
  }

  function planBid(bid: DemoBid): PlannedBid[] {
    const { by, to, on, rivals, ...words } = bid;
    const placed = bid.placed * drawBetween(`hour of ${by} and ${on}`, 0.985, 1);
    const coupon = take(to, on, placed);
    if (bid.ending === 'coupon expired') coupon.expires = -Math.floor(placed / 2);
    const answered = soonAfter(placed, `answer to the bid on ${on}`);
    const paid = soonAfter(answered, `payment for ${on}`);
    const judged = soonAfter(paid, `verdict on ${on}`);
    const decided = soonAfter(judged, `decision on ${on}`);
    const times = { answered, paid, judged, decided };
    const until = bid.ending === 'pending' ? 0 : answered;
    return [
      { ...words, ...times, bidder: personOf(by), coupon, placed },
      ...rivals.map((rival, index): PlannedBid => {
        const bidAt = placed - ((placed - until) * (index + 1)) / (rivals.length + 1);
        return { ...rival, ...times, ending: 'pending', bidder: personOf(rival.by), coupon, placed: bidAt };
      }),
    ];
  }

  return { planSwap, planBid };
}

function planClaim(claim: NonNullable<DemoSwap['claim']>, concluded: number, title: string) {
  const made = soonAfter(concluded, `claim about the swap for ${title}`);
  const answered = soonAfter(made, `answer to the claim about the swap for ${title}`);
  return { ...claim, made, answered, decided: soonAfter(answered, `decision on the swap for ${title}`) };
}

/** A few hours or days later, never in the future. */
function soonAfter(daysAgo: number, name: string): number {
  return daysAgo - Math.min(daysAgo / 2, drawBetween(name, 0.1, 2));
}
