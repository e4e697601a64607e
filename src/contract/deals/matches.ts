import { z } from 'zod';
import {
  amountSchema,
  daySchema,
  idSchema,
  instantSchema,
  optionalTextSchema,
} from '#contract/base/primitives.ts';
import { couponSummarySchema } from '#contract/coupons/coupons.ts';
import { DEAL_MESSAGE_MAX, RING_PEOPLE } from './deals.ts';
import { askedDepositSchema } from './exchanges.ts';

/** How many open suggestions somebody can be in. The database has the same number in `match_legs.slot`. */
export const OPEN_MATCHES_MAX = 5;

/** Why somebody does not want a match. All but the last teach the finder. */
const DISMISS_REASONS = ['not_interested', 'keep_mine', 'unfair', 'person', 'other'] as const;
const dismissReasonSchema = z
  .enum(DISMISS_REASONS)
  .describe(
    'not_interested: in the coupon they would get; keep_mine: they do not give their coupon for it; unfair: they would give too much; person: they do not trade with somebody in it',
  )
  .meta({ id: 'DismissReason' });
export type DismissReason = z.output<typeof dismissReasonSchema>;

const matchPersonSchema = z.object({
  id: idSchema,
  username: z.string(),
  profileImageUrl: z.string().nullable(),
  ratingCount: z.int().describe('Of the visible ratings that count, one of each person'),
  averageRating: z.number().nullable().describe('Of 10, with one decimal; null: not rated yet'),
});
export type MatchPerson = z.output<typeof matchPersonSchema>;

/** Who gives which coupon to whom. */
const matchLegSchema = z.object({
  coupon: couponSummarySchema,
  giver: matchPersonSchema,
  receiver: matchPersonSchema,
  price: amountSchema
    .nullable()
    .describe(
      'What its receiver would pay its giver to settle the difference: what it is worth more than the cheapest coupon. Null on all legs: a value is not known, or the values are nearly the same',
    ),
  isExplicit: z
    .boolean()
    .describe('Whether the receiver looks for it; else they have saved it or asked for it'),
});

/**
 * A swap that the finder suggests, as one of its people sees it. The legs are in the order of the ring and begin with the
 * viewer's: the receiver of each is the giver of the next, and the last one gives to the viewer.
 */
export const matchSchema = z.object({
  id: idSchema,
  legs: z.array(matchLegSchema).min(2),
  isExplicit: z.boolean().describe('Whether everybody in it looks for what they would get'),
  gain: z
    .int()
    .nullable()
    .describe('The value of what the viewer gets less that of what they give, in cents; null: not known'),
  difference: z
    .int()
    .nullable()
    .describe('The largest gain or loss of anybody in it, in cents; null: not known'),
  createdAt: instantSchema,
});
matchSchema.register(z.globalRegistry, { id: 'Match' });
export type Match = z.output<typeof matchSchema>;

export const matchCountSchema = z.object({
  open: z.int(),
  couponIds: z.array(idSchema).describe('The coupons that are part of them, whoever gives them'),
});
matchCountSchema.register(z.globalRegistry, { id: 'MatchCount' });
export type MatchCount = z.output<typeof matchCountSchema>;

/** What a coupon's page says of matches. */
export const couponMatchesSchema = z.object({
  wouldTake: z
    .array(couponSummarySchema)
    .describe('Coupons of the viewer that the owner looks for and would take for this one'),
  matches: z.array(matchSchema).describe('The viewer’s matches in which it is'),
});
couponMatchesSchema.register(z.globalRegistry, { id: 'CouponMatches' });
export type CouponMatches = z.output<typeof couponMatchesSchema>;

export const couponMatchesInputSchema = z.object({ couponId: idSchema });

export const dismissMatchInputSchema = z.object({
  id: idSchema,
  reason: dismissReasonSchema,
  personId: idSchema
    .optional()
    .describe('With "person": whom they do not trade with; may be left out where it is a swap of two'),
});
export type DismissMatchInput = z.output<typeof dismissMatchInputSchema>;

export const proposeMatchInputSchema = z.object({
  id: idSchema,
  deposit: askedDepositSchema,
  message: optionalTextSchema(DEAL_MESSAGE_MAX),
  prices: z
    .array(z.object({ couponId: idSchema, amount: amountSchema }))
    .max(RING_PEOPLE.max)
    .optional()
    .describe('To settle the difference with money: the prices of the legs, as the caller has seen them'),
});
export type ProposeMatchInput = z.output<typeof proposeMatchInputSchema>;

export const proposedMatchSchema = z.object({ exchangeId: idSchema }).meta({ id: 'ProposedMatch' });

const invitationSchema = z.object({
  merchant: z.string(),
  people: z.int().min(1).describe('How many would swap for a coupon of it'),
  isSwap: z
    .boolean()
    .describe(
      'Whether each of them has something that the viewer would take, so that one coupon brings a swap',
    ),
});
export type Invitation = z.output<typeof invitationSchema>;

/** The whole market as of last night, and what would bring more swaps. */
export const marketSchema = z.object({
  day: z
    .object({
      day: daySchema.describe('The night in UTC'),
      suggested: z.int().describe('Swaps and rings that are suggested; many share a coupon'),
      possible: z.int().describe('How many of them can all happen together'),
      coupons: z.int().describe('How many coupons change hands in these'),
    })
    .nullable()
    .describe('Null before the first night'),
  invitations: z
    .array(invitationSchema)
    .describe('The best first; for members, those with a swap come first'),
});
marketSchema.register(z.globalRegistry, { id: 'Market' });
export type Market = z.output<typeof marketSchema>;
