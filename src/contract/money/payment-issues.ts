import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField } from '#contract/base/input-texts.ts';
import {
  amountSchema,
  idSchema,
  instantSchema,
  pagingSchema,
  REASON_MAX,
  textSchema,
} from '#contract/base/primitives.ts';
import { sortSchema } from '#contract/base/tables.ts';
import { saleClaimStatusSchema } from '#contract/money/claims.ts';
import { userStatusSchema } from '#contract/people/accounts.ts';
import { paymentProviderSchema } from '#contract/people/sellers.ts';
import { paymentStatusSchema } from './payments.ts';

/** What waits for an admin because no program can decide it. */
export const PAYMENT_ISSUE_KINDS = [
  /** A payout, refund, reversal or capture that was given up, or fails for more than a day. */
  'operation',
  /** A payment that does not add up. */
  'review',
  /** A dispute that is open. */
  'dispute',
  /** A provider's event that is about nothing of ours, or fails for more than a day. */
  'event',
  /** A seller who is not paid: a restricted account, a suspension, a ban. */
  'seller',
  /** Where our books and the provider's differ. */
  'difference',
] as const;
const paymentIssueKindSchema = z.enum(PAYMENT_ISSUE_KINDS).meta({ id: 'PaymentIssueKind' });
export type PaymentIssueKind = z.output<typeof paymentIssueKindSchema>;

/** Names an issue. */
export const paymentIssueInputSchema = z.object({
  kind: paymentIssueKindSchema,
  ref: z.string().min(1).max(300),
});
export type PaymentIssueInput = z.output<typeof paymentIssueInputSchema>;

export const listPaymentIssuesInputSchema = pagingSchema.extend({
  /** Those that an admin has marked as handled, while they last. */
  isHandled: z.boolean().default(false),
  kind: paymentIssueKindSchema.optional(),
  /** The oldest first unless asked otherwise. */
  sort: sortSchema('since'),
});
export type ListPaymentIssuesInput = z.output<typeof listPaymentIssuesInputSchema>;
export type PaymentIssueFilters = Omit<ListPaymentIssuesInput, 'page' | 'limit'>;

export const notePaymentIssueInputSchema = paymentIssueInputSchema.extend({
  text: textSchema(REASON_MAX, 1, () => t`Please write something`),
});
export type NotePaymentIssueInput = z.output<typeof notePaymentIssueInputSchema>;

const personSchema = z.object({ id: idSchema, username: z.string(), status: userStatusSchema });

export const paymentIssueSchema = z.object({
  kind: paymentIssueKindSchema,
  ref: z.string(),
  provider: paymentProviderSchema,
  /** The operation ('payout'), the type of the event, why a seller is not paid ('account_restricted'), or what differs ('refund'). */
  what: z.string(),
  since: instantSchema,
  /** In the base currency: what the provider was asked for, what was paid, or what waits for a seller. */
  amount: amountSchema.nullable(),
  attempts: z.int(),
  lastError: z.string().nullable(),
  /** When a program tries again; null: never. */
  nextTryAt: instantSchema.nullable(),
  /** When the evidence for a dispute is due. */
  dueAt: instantSchema.nullable(),
  paymentId: idSchema.nullable(),
  bidId: idSchema.nullable(),
  couponTitle: z.string().nullable(),
  buyer: personSchema.nullable(),
  seller: personSchema.nullable(),
  /** Of a seller: what the provider still needs. */
  requirements: z.array(z.string()),
  handledAt: instantSchema.nullable(),
  handledBy: z.string().nullable(),
  notes: z.array(z.object({ id: idSchema, author: z.string(), text: z.string(), createdAt: instantSchema })),
});
paymentIssueSchema.register(z.globalRegistry, { id: 'PaymentIssue' });
export type PaymentIssue = z.output<typeof paymentIssueSchema>;

/** The issue after a try; null if it is settled. */
export const retriedPaymentIssueSchema = z
  .object({ issue: paymentIssueSchema.nullable() })
  .meta({ id: 'RetriedPaymentIssue' });
export type RetriedPaymentIssue = z.output<typeof retriedPaymentIssueSchema>;

export const paymentInputSchema = z.object({ paymentId: idSchema });

/** A payment with all of its money, for admins. Amounts are decimal texts in the base currency. */
export const paymentDetailsSchema = z.object({
  id: idSchema,
  bidId: idSchema,
  couponId: idSchema,
  couponTitle: z.string(),
  provider: paymentProviderSchema,
  status: paymentStatusSchema,
  buyer: personSchema,
  seller: personSchema,
  paidAt: instantSchema.nullable(),
  holdUntil: instantSchema.nullable(),
  isDisputed: z.boolean(),
  evidenceDueAt: instantSchema.nullable(),
  claim: saleClaimStatusSchema.nullable(),
  buyerTotal: amountSchema,
  netAmount: amountSchema,
  captured: amountSchema,
  refunded: amountSchema,
  takenByBank: amountSchema,
  paidOut: amountSchema,
  reversed: amountSchema,
  providerFees: amountSchema,
  /** What has gone back to the buyer for good, by refunds and by the bank. */
  returned: amountSchema,
  refundable: amountSchema,
  /** Why nothing can be refunded now; null if something can. */
  refundObstacle: z.string().nullable(),
  operations: z.array(
    z.object({
      kind: z.string(),
      amount: amountSchema.nullable(),
      attempts: z.int(),
      lastError: z.string().nullable(),
      /** 'dispute', 'account_restricted', … */
      waitsFor: z.string().nullable(),
      nextTryAt: instantSchema.nullable(),
      givenUpAt: instantSchema.nullable(),
      doneAt: instantSchema.nullable(),
    }),
  ),
});
paymentDetailsSchema.register(z.globalRegistry, { id: 'PaymentDetails' });
export type PaymentDetails = z.output<typeof paymentDetailsSchema>;

export const refundInputSchema = z.object({
  paymentId: idSchema,
  amount: amountSchema.refine((amount) => Number(amount) > 0, {
    error: ofField(() => t`Must be more than 0`),
  }),
  /** What the admin has seen as returned so far. Another number refuses the refund. */
  returned: amountSchema,
  /** Both parties are told. */
  reason: textSchema(REASON_MAX, 1, () => t`Please say why: we tell both parties`),
});
export type RefundInput = z.output<typeof refundInputSchema>;

/** A text for the answer to a dispute. */
export const evidenceSchema = z
  .object({ text: z.string(), dueAt: instantSchema.nullable() })
  .meta({ id: 'Evidence' });
export type Evidence = z.output<typeof evidenceSchema>;
