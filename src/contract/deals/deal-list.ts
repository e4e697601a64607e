import { z } from 'zod';
import { instantSchema, pagingSchema } from '#contract/base/primitives.ts';
import { paymentProviderSchema } from '#contract/people/sellers.ts';
import { bidSchema } from './bids.ts';
import { exchangeSchema } from './exchanges.ts';

const DEAL_FILTERS = ['all', 'bids', 'exchanges', 'claims'] as const;
export type DealFilter = (typeof DEAL_FILTERS)[number];

export const listDealsInputSchema = pagingSchema.extend({
  only: z.enum(DEAL_FILTERS).default('all').describe('`claims`: deals about which there is, or was, a claim'),
});
export type ListDealsInput = z.output<typeof listDealsInputSchema>;

/** For whom a deal waits: for the caller, for others, or for nobody because it has ended. */
const DEAL_STAGES = ['yours', 'others', 'ended'] as const;
export type DealStage = (typeof DEAL_STAGES)[number];

/** What the caller is to do next. */
const NEXT_ACTS = [
  'answer',
  'complete',
  'pay',
  'put_up_deposit',
  'set_up_payments',
  'try_code',
  'answer_claim',
] as const;
export type NextAct = (typeof NEXT_ACTS)[number];

const placeSchema = z.object({
  stage: z.enum(DEAL_STAGES),
  nextAct: z.enum(NEXT_ACTS).nullable().describe('Null unless it is the caller’s turn'),
  /**
   * When the deal ends by itself, or until when the caller’s answer to a claim, or their word on a code that they bought, is
   * awaited; null without a deadline.
   */
  deadlineAt: instantSchema.nullable(),
  hasOpenClaim: z.boolean(),
});

/** A deal as one of its parties sees it in the list of all kinds. */
export const dealSchema = z.discriminatedUnion('dealType', [
  placeSchema.extend({ dealType: z.literal('bid'), bid: bidSchema }),
  placeSchema.extend({ dealType: z.literal('exchange'), exchange: exchangeSchema }),
]);
export type Deal = z.output<typeof dealSchema>;

/** What the caller has under way to get a coupon, and how its owner can be paid. */
export const dealsForCouponSchema = z.object({
  bid: bidSchema.nullable(),
  exchange: exchangeSchema.nullable(),
  payBy: z.array(paymentProviderSchema).describe('Empty: the owner has no account that can be paid yet'),
});
export type DealsForCoupon = z.output<typeof dealsForCouponSchema>;

/** How many deals wait for the caller, counted up to COUNT_CAP. */
export const dealCountSchema = z.object({ yours: z.int() }).meta({ id: 'DealCount' });
