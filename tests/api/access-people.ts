import type { Actor } from '#server/context/context.ts';
import type { TestSale } from '#tests/support/sales.ts';

/** The owner has the coupon that the calls are about; the counterpart has asked for it and bid on it. */
export const PEOPLE = [
  'anonymous',
  'stranger',
  'counterpart',
  'owner',
  'moderator',
  'admin',
  'suspended',
] as const;
export type Person = (typeof PEOPLE)[number];

/** What the inputs of the calls refer to. */
export interface World {
  readonly people: Record<Person, Actor | null>;
  readonly couponId: number;
  /** The coupon that each of the seven can offer. */
  readonly ownCouponIds: Record<Person, number>;
  /** Of a feed, for everybody. */
  readonly offerId: number;
  readonly exchangeId: number;
  readonly bidId: number;
  readonly notificationId: number;
  /** A browser in which the owner is signed in. */
  readonly ownerSessionId: number;
  readonly passkeyId: number;
  /** A key for programs of the owner's. */
  readonly keyId: number;
  /** Of the owner. */
  readonly identityId: number;
  /** The counterpart is the buyer, the owner the seller. */
  readonly acceptedBidId: number;
  readonly sale: TestSale;
  readonly claimed: TestSale;
  /** The counterpart's, open, about a coupon that the owner gave in an exchange. */
  readonly legClaimId: number;
  /** The owner's. */
  readonly cardId: number;
  /** The owner's. */
  readonly wantId: number;
  /** The owner's. */
  readonly webhookId: number;
  /** The owner's and the counterpart's. */
  readonly matchId: number;
  /** A picture that the owner has uploaded for no coupon yet. */
  readonly imageId: string;
  /** A picture of the counterpart's claim about an exchange. */
  readonly evidenceId: string;
  /** The counterpart's, about the stranger. */
  readonly reportId: number;
}

/** The status for each person, and the input of the call, if it takes one. */
export type AccessRow = readonly [
  answers: Record<Person, number>,
  input?: (world: World, person: Person) => unknown,
];

export const all = (status: number) =>
  Object.fromEntries(PEOPLE.map((person) => [person, status])) as Record<Person, number>;
/** Everybody signed in. */
export const members = { ...all(200), anonymous: 401 };
/** Everybody signed in who may act. */
export const activeMembers = { ...members, suspended: 403 };
/** Everybody signed in, none of whom has a second factor. */
export const withoutSecondFactor = { ...all(409), anonymous: 401 };
/** What is public, but only the owner may do. */
export const onlyOwner = { ...all(403), anonymous: 401, owner: 200 };
/** What nobody but the owner may know of. */
export const hiddenFromOthers = { ...all(404), anonymous: 401, owner: 200 };
/** Both parties of a deal. */
export const parties = { ...hiddenFromOthers, counterpart: 200 };
/** Both parties of a deal, while they may act. */
export const activeParties = { ...parties, suspended: 403 };
export const moderators = { ...all(403), anonymous: 401, moderator: 200, admin: 200 };
export const admins = { ...all(403), anonymous: 401, admin: 200 };
/** Those who may be paid: no payment provider is set up here. */
export const sellers = { ...all(503), anonymous: 401, suspended: 403 };
/** Only the bidder may pay: no payment provider is set up here. */
export const payers = { ...all(403), anonymous: 401, counterpart: 503 };
/** Of a sale between the two: only the buyer may. */
export const buyers = (answer: number) => ({ ...parties, counterpart: answer, owner: 403 });

/** Who would buy at the asking price of a coupon that has none. */
export const withoutPrice = { ...all(409), anonymous: 401, suspended: 403, owner: 403 };
