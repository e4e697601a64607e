import { z } from 'zod';
import {
  amountSchema,
  bodySchema,
  idInputSchema,
  idSchema,
  instantSchema,
  pagingSchema,
  searchSchema,
} from '#contract/base/primitives.ts';
import { portionOf, portionSchema, sortSchema } from '#contract/base/tables.ts';
import { acknowledgeUncheckedSchema } from '#contract/coupons/validation.ts';
import {
  announcedEndSchema,
  claimNoteSchema,
  claimPicturesSchema,
  claimReasonSchema,
  findingSchema,
  saleClaimStatusSchema,
  shopAnswerSchema,
  shownPicturesSchema,
} from '#contract/money/claims.ts';
import { paymentProviderSchema } from '#contract/people/sellers.ts';
import { feeRatesSchema } from './fees.ts';
import { coverSchema } from './guarantee.ts';

/**
 * The states of a payment. Unpaid it only moves forward: created → open → processing, or → cancelled, failed.
 * A paid sale is held, then final (releasing, completed) or undone (refunding, refunded, charged_back); within these
 * the state follows the money, which may still move.
 */
export const PAYMENT_STATUSES = [
  /** Stored; the provider does not know of it yet, or has not answered. */
  'created',
  /** The provider waits for the buyer. */
  'open',
  /** The buyer has paid; the provider has not confirmed it yet. */
  'processing',
  /** Paid and confirmed. The coupon has changed owners, and the seller's money is held. */
  'held',
  /** The hold is over; the payout is on its way. */
  'releasing',
  /** The seller has been paid. */
  'completed',
  /** A refund was decided; the provider has not confirmed it yet. */
  'refunding',
  'refunded',
  /** Never paid. */
  'cancelled',
  'failed',
  /** The buyer's bank has taken the money back. */
  'charged_back',
] as const;
export const paymentStatusSchema = z.enum(PAYMENT_STATUSES).meta({ id: 'PaymentStatus' });
export type PaymentStatus = z.output<typeof paymentStatusSchema>;

/** Why a seller is not paid yet. */
const WAIT_REASONS = [
  'dispute',
  'refund',
  'seller_banned',
  'seller_suspended',
  'account_restricted',
  'report',
] as const;
const waitReasonSchema = z.enum(WAIT_REASONS).meta({ id: 'WaitReason' });
export type WaitReason = z.output<typeof waitReasonSchema>;

/** Hours that the seller's money is held after the payment (decisions 4.3). */
export const HOLD_HOURS = 72;

/** The state of a bid's payment, for both of its parties. */
export const protectionSchema = z.object({
  paymentId: idSchema,
  status: paymentStatusSchema,
  provider: paymentProviderSchema,
  /** When the hold ends; null before the payment. */
  holdUntil: instantSchema.nullable(),
  claim: shownPicturesSchema
    .extend({
      id: idSchema,
      status: saleClaimStatusSchema,
      reason: z.string(),
      createdAt: instantSchema,
      /** Until when the seller's word is awaited; null if a moderator can decide. */
      answerBy: instantSchema.nullable(),
      announcedEnd: announcedEndSchema.nullable(),
      finding: findingSchema.nullable(),
      /** The seller's word. */
      answer: z.string().nullable(),
      note: z.string().nullable(),
      /** Whether it was made after the hold, under the guarantee. */
      isLate: z.boolean(),
      /** What the merchant said about the code, as the buyer tells it. */
      shopAnswer: z.string().nullable(),
    })
    .nullable(),
  /** The guarantee; null without one, and after its end. For the seller, `fromReserve` is 0.00. */
  cover: coverSchema.nullable(),
  /** Whether the viewer can make a claim under the guarantee now. */
  mayClaimLate: z.boolean(),
  /** What a granted claim under the guarantee still gives the buyer, in the base currency. */
  waiting: amountSchema,
  /** Whether the buyer's bank disputes the payment. */
  isDisputed: z.boolean(),
  /** What the buyer has been refunded so far, and what disputes have taken, in the base currency. */
  refunded: amountSchema,
  takenByBank: amountSchema,
  /** Refunds that the provider or a bank has sent back; a person finds another way then. */
  refundFailed: amountSchema,
  /** For the seller alone: the part of the money that is the seller's as it stands now; null before the payment. */
  sellerShare: amountSchema.nullable(),
  /** For the seller alone: what was kept back from the payout for debts, and why the payout waits. */
  keptBack: amountSchema,
  waitsFor: waitReasonSchema.nullable(),
});
protectionSchema.register(z.globalRegistry, { id: 'Protection' });
export type Protection = z.output<typeof protectionSchema>;

/** What the checkout shows before the payment. Amounts are decimal texts in the base currency. */
export const checkoutSchema = z.object({
  bidId: idSchema,
  amount: amountSchema,
  buyerFee: amountSchema,
  buyerTotal: amountSchema,
  /** The guarantee as it is if the buyer pays now; null without one. */
  cover: coverSchema.nullable(),
  /** The providers that this installation has and that can pay the seller. */
  providers: z.array(paymentProviderSchema),
});
checkoutSchema.register(z.globalRegistry, { id: 'Checkout' });
export type Checkout = z.output<typeof checkoutSchema>;

/** What the browser needs to load the providers' scripts. Null: the provider is not set up here. */
export const paymentClientSchema = z.object({
  /** Whether payments move no real money. */
  isSandbox: z.boolean(),
  stripe: z.object({ publishableKey: z.string(), scriptUrl: z.string().nullable() }).nullable(),
  paypal: z
    .object({ clientId: z.string(), attributionId: z.string().nullable(), sdkBaseUrl: z.string().nullable() })
    .nullable(),
});
paymentClientSchema.register(z.globalRegistry, { id: 'PaymentClient' });
export type PaymentClient = z.output<typeof paymentClientSchema>;

export const createPaymentIntentInputSchema = z.object({
  bidId: idSchema,
  /** Whether the buyer wants to save the card for later payments. */
  keepCard: z.boolean().default(false),
  acknowledgeUnchecked: acknowledgeUncheckedSchema,
});
export const paymentIntentSchema = z
  .object({ paymentId: idSchema, clientSecret: z.string() })
  .meta({ id: 'PaymentIntent' });

/** Pays with a saved card. With `requires_action`, the browser opens the bank's confirmation. */
export const payWithCardInputSchema = z.object({
  bidId: idSchema,
  paymentMethodId: idSchema,
  acknowledgeUnchecked: acknowledgeUncheckedSchema,
});
export const payWithCardSchema = z.object({
  paymentId: idSchema,
  clientSecret: z.string(),
  status: z.enum(['requires_action', 'processing', 'succeeded']),
});
payWithCardSchema.register(z.globalRegistry, { id: 'PayWithCard' });
export type PayWithCard = z.output<typeof payWithCardSchema>;

export const createPaypalOrderInputSchema = z.object({
  bidId: idSchema,
  acknowledgeUnchecked: acknowledgeUncheckedSchema,
});
export const paypalOrderSchema = z
  .object({ paymentId: idSchema, orderId: z.string() })
  .meta({ id: 'PaypalOrder' });
export const capturePaypalOrderInputSchema = z.object({ bidId: idSchema });

/** A provider's event from its webhook, with the names of its headers in lower case. */
export const webhookInputSchema = z.object({
  provider: paymentProviderSchema,
  headers: z.record(z.string().max(200), z.string().max(16_384)),
  read: bodySchema<() => Promise<string>>().describe('Reads the body byte for byte'),
});
export type WebhookInput = z.output<typeof webhookInputSchema>;

/** The payment of this bid. */
export const bidPaymentInputSchema = z.object({ bidId: idSchema });

/** A claim that the code does not work. After the hold, it needs the shop's answer or a picture. */
export const openClaimInputSchema = bidPaymentInputSchema.extend({
  reason: claimReasonSchema,
  shopAnswer: shopAnswerSchema.describe('Only after the hold, under the guarantee'),
  pictures: claimPicturesSchema,
});
export type OpenClaimInput = z.output<typeof openClaimInputSchema>;

export const CLAIM_DECISIONS = ['refund', 'release'] as const;
export const decideClaimInputSchema = idInputSchema.extend({
  decision: z.enum(CLAIM_DECISIONS),
  note: claimNoteSchema,
});
export type DecideClaimInput = z.output<typeof decideClaimInputSchema>;

/** A saved card: never its number, only what its owner recognizes it by. */
export const paymentMethodSchema = z.object({
  id: idSchema,
  type: z.literal('card'),
  brand: z.string(),
  lastFour: z.string(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
  isDefault: z.boolean(),
  createdAt: instantSchema,
});
paymentMethodSchema.register(z.globalRegistry, { id: 'PaymentMethod' });
export type PaymentMethod = z.output<typeof paymentMethodSchema>;

const FEE_PERIODS = ['day', 'week', 'month', 'year', 'all'] as const;
export type FeePeriod = (typeof FEE_PERIODS)[number];
const feePeriodSchema = z.enum(FEE_PERIODS).default('all');
const feeFilters = {
  period: feePeriodSchema,
  status: paymentStatusSchema.optional(),
  /** The whole username of the buyer or the seller. */
  person: searchSchema,
  sort: sortSchema('date', 'amount'),
};
export const listPlatformFeesInputSchema = pagingSchema.extend(feeFilters);
export type ListPlatformFeesInput = z.output<typeof listPlatformFeesInputSchema>;
export type FeeFilters = Omit<ListPlatformFeesInput, 'page' | 'limit'>;

export const feeRowsInputSchema = z.object({ ...feeFilters, ...portionOf });
export type FeeRowsInput = z.output<typeof feeRowsInputSchema>;

/** A row of the admin's fee table (spec/3 section 3). Amounts are decimal texts in the base currency. */
export const platformFeeSchema = z.object({
  id: idSchema,
  createdAt: instantSchema,
  couponTitle: z.string(),
  buyerUsername: z.string(),
  sellerUsername: z.string(),
  amount: amountSchema,
  /** What ClipSwap has kept: both fees less what refunds and banks have taken of them. */
  fee: amountSchema,
  status: paymentStatusSchema,
});
platformFeeSchema.register(z.globalRegistry, { id: 'PlatformFee' });
export type PlatformFee = z.output<typeof platformFeeSchema>;

export const feeRowsSchema = portionSchema(platformFeeSchema);
export type FeeRows = z.output<typeof feeRowsSchema>;

export const adminStatsSchema = z.object({
  /** Less what refunds and banks have taken of them. */
  platformFees: amountSchema,
  processedTransactions: z.int(),
  /** Those of bids that are accepted now. */
  feeRates: feeRatesSchema,
  /** The reserve of the guarantee: what it holds, and what has moved. */
  reserve: z.object({
    balance: amountSchema,
    /** From fees, less what went back with them. */
    paidIn: amountSchema,
    /** For late claims that sellers could not pay. */
    laidOut: amountSchema,
    /** Of that, what sellers have paid since. */
    cameBack: amountSchema,
  }),
});
adminStatsSchema.register(z.globalRegistry, { id: 'AdminStats' });
export type AdminStats = z.output<typeof adminStatsSchema>;

/** An entry of the history of fees (spec/3 section 3, Transaction log). */
export const feeLogSchema = z.object({
  id: idSchema,
  createdAt: instantSchema,
  username: z.string(),
  action: z.string(),
  details: z.string(),
});
feeLogSchema.register(z.globalRegistry, { id: 'FeeLog' });
export type FeeLog = z.output<typeof feeLogSchema>;
export const feeLogRowsSchema = portionSchema(feeLogSchema);
export type FeeLogRows = z.output<typeof feeLogRowsSchema>;

const feeLogFilters = { sort: sortSchema('date') };
export const listFeeLogsInputSchema = pagingSchema.extend(feeLogFilters);
export type ListFeeLogsInput = z.output<typeof listFeeLogsInputSchema>;
export const feeLogRowsInputSchema = z.object({ ...feeLogFilters, ...portionOf });
