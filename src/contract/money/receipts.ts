import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField } from '#contract/base/input-texts.ts';
import { amountSchema, daySchema, idSchema, instantSchema } from '#contract/base/primitives.ts';
import { portionOf, portionSchema } from '#contract/base/tables.ts';
import { paymentProviderSchema } from '#contract/people/sellers.ts';
import { feeRateSchema } from './fees.ts';
import { paymentStatusSchema } from './payments.ts';

/** A change of a balance: what came in is positive. */
const signedAmountSchema = z
  .string()
  .regex(/^-?\d{1,8}\.\d{2}$/)
  .meta({ id: 'SignedAmount', description: 'An amount as a decimal text with two digits: "12.50", "-3.00"' });

/** A receipt is the buyer's receipt of a sale, a statement the seller's. */
const RECEIPT_KINDS = ['receipt', 'statement'] as const;
const receiptKindSchema = z.enum(RECEIPT_KINDS).meta({ id: 'ReceiptKind' });
export type ReceiptKind = z.output<typeof receiptKindSchema>;

export const receiptInputSchema = z.object({
  paymentId: idSchema,
  /** Which of the two receipts; for admins, who are no party. The parties get their own. */
  kind: receiptKindSchema.optional(),
});
export type ReceiptInput = z.output<typeof receiptInputSchema>;

/** A party's receipt of a paid sale, without the other party's fee. */
export const receiptSchema = z.object({
  kind: receiptKindSchema,
  /** 'R-000042' or 'S-000042'. */
  number: z.string(),
  paymentId: idSchema,
  bidId: idSchema,
  /** The exchange in which it was paid besides a coupon; null for a sale. */
  exchangeId: idSchema.nullable(),
  paidAt: instantSchema,
  buyerUsername: z.string(),
  sellerUsername: z.string(),
  couponTitle: z.string(),
  merchant: z.string(),
  amount: amountSchema,
  feeRate: feeRateSchema,
  fee: amountSchema,
  /** What the buyer paid, or what the seller receives. */
  total: amountSchema,
  provider: paymentProviderSchema,
  /** Null where the card was not saved. */
  card: z.object({ brand: z.string(), lastFour: z.string() }).nullable(),
  status: paymentStatusSchema,
  isDisputed: z.boolean(),
  /** What has moved to or from this party since the payment, oldest first. */
  movements: z.array(
    z.object({ id: idSchema, at: instantSchema, text: z.string(), amount: signedAmountSchema }),
  ),
});
receiptSchema.register(z.globalRegistry, { id: 'Receipt' });
export type Receipt = z.output<typeof receiptSchema>;

/** A calendar month in UTC, `YYYY-MM`. */
export const monthSchema = z
  .string()
  .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, { error: ofField(() => t`Is no month such as 2026-11`) });

export const sellerStatementInputSchema = z.object({ month: monthSchema });

/** What the ledger owed to the caller as a seller in one month. */
export const sellerStatementSchema = z.object({
  month: monthSchema,
  opening: signedAmountSchema,
  /** Sales before fees. */
  sales: signedAmountSchema,
  fees: signedAmountSchema,
  /** What the payment provider kept from the seller's share. */
  providerFees: signedAmountSchema,
  refunds: signedAmountSchema,
  payouts: signedAmountSchema,
  /** Debts that the provider has collected or that we have written off. What payouts have covered adds up to zero. */
  debts: signedAmountSchema,
  closing: signedAmountSchema,
});
sellerStatementSchema.register(z.globalRegistry, { id: 'SellerStatement' });
export type SellerStatement = z.output<typeof sellerStatementSchema>;

export const sellerStatementRowsInputSchema = z.object({ month: monthSchema, ...portionOf });
export type SellerStatementRowsInput = z.output<typeof sellerStatementRowsInputSchema>;

/** A line of a seller's statement; `sale` and `fee` only for a sale. */
const sellerStatementRowSchema = z.object({
  id: idSchema,
  createdAt: instantSchema,
  text: z.string(),
  number: z.string(),
  paymentId: idSchema,
  couponTitle: z.string(),
  sale: amountSchema.nullable(),
  fee: amountSchema.nullable(),
  /** What it changes in the balance. */
  amount: signedAmountSchema,
});
export type SellerStatementRow = z.output<typeof sellerStatementRowSchema>;
export const sellerStatementRowsSchema = portionSchema(sellerStatementRowSchema);
export type SellerStatementRows = z.output<typeof sellerStatementRowsSchema>;

/** The first and the last day of an export, in UTC. */
export const journalRowsInputSchema = z
  .object({ from: daySchema, to: daySchema, ...portionOf })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: () => t`The last day is before the first` });
export type JournalRowsInput = z.output<typeof journalRowsInputSchema>;

/** An entry of the ledger. The entries of a journal add up to zero. */
const journalRowSchema = z.object({
  id: z.int(),
  journalId: idSchema,
  createdAt: instantSchema,
  journal: z.string(),
  /** Null where it is about a deposit. */
  paymentId: idSchema.nullable(),
  depositId: idSchema.nullable(),
  account: z.string(),
  provider: z.string().nullable(),
  username: z.string().nullable(),
  /** Positive is debit, negative is credit. */
  amount: signedAmountSchema,
});
export const journalRowsSchema = portionSchema(journalRowSchema);
export type JournalRows = z.output<typeof journalRowsSchema>;
