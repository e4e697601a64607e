import { z } from 'zod';
import { decimalToCents } from '#contract/base/money.ts';

/** PayPal's money, `{ currency_code: 'CAD', value: '10.50' }`, as cents. */
const moneySchema = z
  .object({ currency_code: z.string().length(3), value: z.string().regex(/^\d{1,8}(\.\d{1,2})?$/) })
  .transform(({ currency_code, value }) => ({ currency: currency_code, cents: decimalToCents(value) }));

export const refundSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: moneySchema.optional(),
  /** Absent on a refund that is not completed. */
  seller_payable_breakdown: z
    .object({ platform_fees: z.array(z.object({ amount: moneySchema })).default([]) })
    .optional(),
});

const breakdownSchema = z.object({ paypal_fee: moneySchema.optional(), net_amount: moneySchema.optional() });

export const captureSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: moneySchema,
  custom_id: z.string().optional(),
  payee: z.object({ merchant_id: z.string().optional() }).optional(),
  supplementary_data: z
    .object({ related_ids: z.object({ order_id: z.string().optional() }).optional() })
    .optional(),
  /** Absent while the capture is pending. */
  seller_receivable_breakdown: breakdownSchema.optional(),
});

const purchaseUnitSchema = z.object({
  amount: moneySchema,
  custom_id: z.string().optional(),
  payee: z.object({ merchant_id: z.string().optional() }).optional(),
  payments: z
    .object({ captures: z.array(captureSchema).optional(), refunds: z.array(refundSchema).optional() })
    .optional(),
});

export const orderSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  purchase_units: z.tuple([purchaseUnitSchema], z.unknown()),
});

export const disputesSchema = z.object({
  items: z.array(z.object({ dispute_id: z.string().min(1) })).default([]),
});

export const disputeSchema = z.object({
  dispute_id: z.string().min(1),
  status: z.string(),
  dispute_amount: moneySchema,
  dispute_outcome: z
    .object({ outcome_code: z.string().optional(), amount_refunded: moneySchema.optional() })
    .optional(),
  seller_response_due_date: z.iso.datetime({ offset: true }).optional(),
});

/** Money in a report, below zero when it leaves the account. */
const signedMoneySchema = z
  .object({ currency_code: z.string().length(3), value: z.string().regex(/^-?\d{1,8}(\.\d{1,2})?$/) })
  .transform(({ currency_code, value }) => {
    const cents = decimalToCents(value.replace('-', ''));
    return { currency: currency_code, cents: value.startsWith('-') ? -cents : cents };
  });

/** PayPal writes the zone as +0000, which ISO 8601 does not mix with the colons of the time. */
const timeSchema = z
  .string()
  .transform((text) => new Date(text))
  .refine((at) => !Number.isNaN(at.getTime()));

export const transactionsSchema = z.object({
  transaction_details: z
    .array(
      z.object({
        transaction_info: z.object({
          transaction_id: z.string().min(1),
          paypal_reference_id: z.string().optional(),
          transaction_event_code: z.string(),
          transaction_initiation_date: timeSchema,
          transaction_amount: signedMoneySchema,
          fee_amount: signedMoneySchema.optional(),
          transaction_status: z.string(),
          transaction_subject: z.string().optional(),
          custom_field: z.string().optional(),
          invoice_id: z.string().optional(),
        }),
      }),
    )
    .default([]),
  last_refreshed_datetime: timeSchema.optional(),
  total_pages: z.number().int().min(0),
});

export const payoutItemSchema = z.object({
  item_id: z.string().min(1),
  processing_state: z.object({ status: z.string(), reason: z.string().optional() }),
  reference_id: z.string(),
  payout_amount: moneySchema.optional(),
  payout_destination: z.string().optional(),
});
