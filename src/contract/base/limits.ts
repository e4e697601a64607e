const HOUR = 3_600;
const DAY = 24 * HOUR;

/** The time to answer the challenge of a passkey. */
export const CHALLENGE_MINUTES = 5;

/**
 * How long a session lasts: days without a visit, and days in all (ASVS 7.3.2). A visit in the second half of the former
 * renews it.
 */
export const SESSION_IDLE_DAYS = 30;
export const SESSION_MAX_DAYS = 180;
/** For how many days after a sign-in a browser is known. */
export const DEVICE_DAYS = 180;

/** How many days an account counts as new. */
export const NEW_ACCOUNT_DAYS = 7;

/**
 * How often a person may do things that could harm others: `points` times within `seconds`.
 */
export const LIMITS = {
  /**
   * New codes at one merchant, valid or not; counted for a person, and for a network address: of IPv6 its /64, four times
   * as many for the /56 and sixteen times for the /48.
   */
  codesOfOneMerchant: { points: 20, seconds: HOUR },
  /**
   * New codes at one merchant, once a person and code, where the answer says whether the code exists: of an established
   * person alone, then by all people with confirmed addresses together; and by all others together. Beyond it no answer
   * says so: coupons wait for a moderator, codes are not validated.
   */
  codesOfOneMerchantOfOwn: { points: 20, seconds: DAY },
  codesOfOneMerchantByStrangers: { points: 50, seconds: DAY },
  /** Pictures whose text is read; for a network address three times as many. */
  texts: { points: 40, seconds: HOUR },
  /** A person's coupons that wait for a moderator. */
  waitingCoupons: { points: 10, seconds: DAY },
  /** As for one merchant, for all merchants together. */
  codes: { points: 100, seconds: HOUR },
  listingsOfNewAccount: { points: 50, seconds: DAY },
  listings: { points: 500, seconds: DAY },
  /** Proposed and revised exchanges. */
  proposals: { points: 60, seconds: HOUR },
  bids: { points: 60, seconds: HOUR },
} as const;

/** The most unpaid accepted bids of a person; beyond that, bids at an asking price wait for the owner. */
export const UNPAID_AT_ASKING_PRICE = 3;

/** How soon a new person has to begin to pay what an asking price has accepted. */
export const BEGIN_MINUTES = 30;

/**
 * The most open deals of a new person: own proposals and bids, accepted swaps, and swaps about which a claim is open or
 * can still be made. OPEN_DEALS_AT_FIRST until the first has gone well, then OPEN_DEALS_AFTER_FIRST, and no limit once
 * deals with DEALS_TO_ESTABLISH people have.
 */
export const OPEN_DEALS_AT_FIRST = 3;
export const OPEN_DEALS_AFTER_FIRST = 10;
export const DEALS_TO_ESTABLISH = 5;
/** The most open proposals in which a person offers the same coupon. */
export const OFFERS_OF_COUPON = 5;

/** What one person can look for at a time. */
export const WANTS_MAX = 50;
/** The same for people who have dealt well with enough others: `DEALS_TO_ESTABLISH`. */
export const WANTS_MAX_OF_ESTABLISHED = 200;
/** Coupons that one want can name as what the person would give. */
export const WANT_GIFTS_MAX = 50;
