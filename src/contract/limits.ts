const HOUR = 3_600;
const DAY = 24 * HOUR;

/** How many days an account counts as new. */
export const NEW_ACCOUNT_DAYS = 7;

/** How often a person may do what others would suffer from: `points` times within `seconds`. README.md lists them. */
export const LIMITS = {
  /** New codes at one merchant, right or wrong: of a person, and of an address. */
  codesOfOneMerchant: { points: 20, seconds: HOUR },
  /** The same at all merchants together. */
  codes: { points: 100, seconds: HOUR },
  listingsOfNewAccount: { points: 50, seconds: DAY },
  listings: { points: 500, seconds: DAY },
  /** Proposed and revised exchanges. */
  proposals: { points: 60, seconds: HOUR },
  bids: { points: 60, seconds: HOUR },
} as const;
