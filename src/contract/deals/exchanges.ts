import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { orBeyond } from '#contract/base/input-texts.ts';
import {
  amountSchema,
  daySchema,
  idSchema,
  instantSchema,
  optionalTextSchema,
  pagingSchema,
  removableTextSchema,
  searchSchema,
} from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { couponSummarySchema } from '#contract/coupons/coupons.ts';
import { acknowledgeUncheckedSchema } from '#contract/coupons/validation.ts';
import { depositAmountSchema } from '#contract/money/deposits.ts';
import { bidAmountSchema } from './bid-amounts.ts';
import {
  COUPONS_PER_SIDE,
  DEAL_MESSAGE_MAX,
  DEAL_STATUSES,
  dealReasonSchema,
  dealStatusSchema,
  EXCHANGE_KINDS,
  RING_PEOPLE,
} from './deals.ts';
import { standingSchema } from './standing.ts';

/** The coupons of one side of a swap. */
const couponIdsSchema = z
  .array(idSchema)
  .min(1, { error: TEXTS.exchanges.chooseCoupon })
  .max(COUPONS_PER_SIDE, { error: () => t`Choose at most ${COUPONS_PER_SIDE} coupons` })
  .refine((ids) => new Set(ids).size === ids.length, { error: () => t`Choose each coupon once` });

/** Money that settles a difference in value of a swap: who pays it, the author of the proposal or the other person. */
export const moneySchema = z.object({
  payer: z.enum(['author', 'other']),
  amount: bidAmountSchema.describe(
    'What the payee’s coupons are worth more, before fees: "12", "12.5" or "12.50"',
  ),
});
export type Money = z.output<typeof moneySchema>;
const addedMoneySchema = moneySchema
  .nullish()
  .describe('Money that one of the two pays besides, held and paid out like that of a sale');

/** A deposit that each side is asked for. */
export const askedDepositSchema = depositAmountSchema
  .nullish()
  .describe('What each person puts up by card before the swap; null: nothing. Not together with money');

const both = () => t`Give one coupon or a list of coupons, not both`;

/** A proposal: on each side one coupon, or a list of up to COUPONS_PER_SIDE. All that is asked for has one owner. */
export const proposeExchangeInputSchema = z
  .object({
    requestedCouponId: idSchema.optional(),
    requestedCouponIds: couponIdsSchema.optional(),
    offeredCouponId: z
      .int({ error: orBeyond(TEXTS.exchanges.chooseCoupon) })
      .pipe(idSchema)
      .optional(),
    offeredCouponIds: couponIdsSchema.optional(),
    money: addedMoneySchema,
    deposit: askedDepositSchema,
    message: optionalTextSchema(DEAL_MESSAGE_MAX),
  })
  .superRefine((input, issues) => {
    for (const side of ['requested', 'offered'] as const) {
      const [one, several] = [input[`${side}CouponId`], input[`${side}CouponIds`]];
      const path = [`${side}CouponId`];
      if (one === undefined && several === undefined)
        issues.addIssue({ code: 'custom', path, message: TEXTS.exchanges.chooseCoupon() });
      if (one !== undefined && several !== undefined)
        issues.addIssue({ code: 'custom', path: [`${side}CouponIds`], message: both() });
    }
  });
export type ProposeExchangeInput = z.output<typeof proposeExchangeInputSchema>;

/**
 * A change to a pending proposal of a swap: a missing field stays, a null or blank message is removed (decisions 3.7).
 */
export const reviseExchangeInputSchema = z
  .object({
    id: idSchema,
    requestedCouponIds: couponIdsSchema.optional(),
    offeredCouponId: idSchema.optional(),
    offeredCouponIds: couponIdsSchema.optional(),
    money: moneySchema.nullable().optional().describe('Null: none any more'),
    deposit: depositAmountSchema.nullable().optional().describe('Null: none any more'),
    message: removableTextSchema(DEAL_MESSAGE_MAX).optional(),
  })
  .refine(({ id: _, ...change }) => Object.values(change).some((value) => value !== undefined), {
    error: () => t`Give a coupon to offer or a message to change`,
    path: ['offeredCouponId'],
  })
  .refine((input) => input.offeredCouponId === undefined || input.offeredCouponIds === undefined, {
    error: both,
    path: ['offeredCouponIds'],
  });
export type ReviseExchangeInput = z.output<typeof reviseExchangeInputSchema>;

/** All coupons that the caller sees in an exchange. */
const seenCouponIdsSchema = z
  .array(idSchema)
  .max(2 * COUPONS_PER_SIDE)
  .optional();

/** All prices of coupons that the caller sees in an exchange. */
const seenPricesSchema = z
  .array(z.object({ couponId: idSchema, amount: amountSchema }))
  .max(2 * COUPONS_PER_SIDE)
  .optional()
  .describe('All prices that the caller sees in it. Needed to accept an exchange with prices');

/**
 * The answer to a pending swap by another proposal, in which the roles change: the caller asks for the coupons of whoever
 * made the offer. `couponIds` as in setStatus.
 */
export const counterExchangeInputSchema = z.object({
  id: idSchema,
  requestedCouponIds: couponIdsSchema,
  offeredCouponIds: couponIdsSchema,
  money: addedMoneySchema,
  deposit: depositAmountSchema.nullish().describe('Missing: as in the proposal that it answers; null: none'),
  message: optionalTextSchema(DEAL_MESSAGE_MAX),
  couponIds: seenCouponIdsSchema,
  prices: seenPricesSchema,
});
export type CounterExchangeInput = z.output<typeof counterExchangeInputSchema>;

/**
 * A move; in a ring, `accepted` is the caller's consent. `couponIds` are all coupons that the caller sees in it, or
 * `offeredCouponId` the first one on offer, `prices` all prices: if they have changed since, the move is refused, so that
 * nobody accepts an offer that they have not seen.
 */
export const setExchangeStatusInputSchema = z.object({
  id: idSchema,
  status: z.enum(DEAL_STATUSES).exclude(['pending']),
  offeredCouponId: idSchema.optional(),
  couponIds: seenCouponIdsSchema,
  prices: seenPricesSchema,
  deposit: amountSchema
    .optional()
    .describe('The deposit that the caller sees in it. Needed to accept an exchange with a deposit'),
  acknowledgeUnchecked: acknowledgeUncheckedSchema,
});
export type SetExchangeStatusInput = z.output<typeof setExchangeStatusInputSchema>;

/** The others in a proposal; whether it can ask for a deposit, and the one that is suggested because somebody in it is new. */
export const depositTermsInputSchema = z.object({ userIds: z.array(idSchema).min(1).max(RING_PEOPLE.max) });
export const depositTermsSchema = z.object({
  isAvailable: z.boolean(),
  deposit: amountSchema.nullable(),
});

export const EXCHANGE_TABS = ['all', 'requested', 'received', 'pending', 'completed'] as const;

export const listExchangesInputSchema = pagingSchema.extend({
  tab: z.enum(EXCHANGE_TABS).default('all'),
  search: searchSchema,
});
export type ListExchangesInput = z.output<typeof listExchangesInputSchema>;

/** What the receiver of a coupon pays its giver besides. */
const legPriceSchema = z.object({
  amount: amountSchema,
  /** With the fee of the receiver, and less that of the giver: those of the acceptance, or of now before it. */
  buyerTotal: amountSchema,
  netAmount: amountSchema,
  /** What the receiver pays by, like a bid: `/api/bids/{id}/checkout` and the others. Null until it is accepted. */
  bidId: idSchema.nullable(),
  /** Since when the money is held; null while it is not. */
  paidAt: instantSchema.nullable(),
  /** Whether the giver has an account to be paid to. */
  isGiverReady: z.boolean(),
});

/** A coupon that an exchange moves, with its giver and receiver. */
const legSchema = z.object({
  place: z.int(),
  coupon: couponSummarySchema,
  giverId: idSchema,
  giverUsername: z.string(),
  receiverId: idSchema,
  receiverUsername: z.string(),
  price: legPriceSchema.nullable(),
});

/** Somebody in an exchange. */
const partySchema = z.object({
  id: idSchema,
  username: z.string(),
  ...standingSchema.shape,
  consentedAt: instantSchema.nullable(),
  /** Since when their deposit is authorised; null: it is not, or there is none. */
  depositAt: instantSchema.nullable(),
});

/** An exchange as its parties see it. */
export const exchangeSchema = z.object({
  id: idSchema,
  /** A swap of two people, or a ring of three or more. */
  kind: z.enum(EXCHANGE_KINDS),
  status: dealStatusSchema,
  /** Why it ended, if a rule or a person ended it; else null. */
  reason: dealReasonSchema.nullable(),
  /** Whose act ended it, if a person's did. */
  endedById: idSchema.nullable(),
  /** The market day that made it: everybody in it had agreed beforehand. Null: somebody proposed it. */
  marketDay: daySchema.nullable(),
  /** The initial request message. */
  message: z.string().nullable(),
  requesterId: idSchema,
  requesterUsername: z.string(),
  /** All coupons that change hands, in a fixed order. */
  legs: z.array(legSchema),
  /** What each of them puts up by card before it can be completed; null: nothing. */
  deposit: amountSchema.nullable(),
  /** Everybody in it, the author first, and when each agreed. Whoever proposes has agreed. */
  parties: z.array(partySchema),
  /** The deadline for everybody in a ring, or for the answer to a counter-offer; null for the first proposal of a swap. */
  consentBy: instantSchema.nullable(),
  /** Its place in the negotiation: 1, or one more than the exchange it answers. */
  round: z.int(),
  /** The proposal that this counter-offer answers. */
  replacesId: idSchema.nullable(),
  /** The counter-offer that answers this one. */
  replacedById: idSchema.nullable(),
  /** Who gives the first coupon to the author. The owner at the time of the proposal; completion changes the owners of both coupons. */
  requestedCouponOwnerId: idSchema,
  requestedCouponOwnerUsername: z.string(),
  /** The first coupon that the author gets. */
  requestedCoupon: couponSummarySchema,
  /** The first coupon that the author gives. */
  offeredCoupon: couponSummarySchema,
  createdAt: instantSchema,
  updatedAt: instantSchema,
  acceptedAt: instantSchema.nullable(),
  completedAt: instantSchema.nullable(),
  /** When it lapses unless somebody acts; null after it has ended. */
  deadlineAt: instantSchema.nullable(),
});
exchangeSchema.register(z.globalRegistry, { id: 'Exchange' });

export type Exchange = z.output<typeof exchangeSchema>;
export type ExchangeTab = (typeof EXCHANGE_TABS)[number];
