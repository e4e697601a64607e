import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { amountSchema, idSchema, instantSchema, REASON_MAX, textSchema } from '#contract/base/primitives.ts';
import { paymentProviderSchema } from '#contract/people/sellers.ts';

/**
 * How a seller's debt is settled. reversal: Stripe is asked to take it from the seller's balance there. payouts: it is
 * kept back from later Stripe payouts. provider: PayPal takes it from the seller's account there.
 */
const DEBT_WAYS = ['reversal', 'payouts', 'provider'] as const;
export type DebtWay = (typeof DEBT_WAYS)[number];

/** What a seller owes for a sale: the buyer has got money back after the seller had been paid. */
const sellerDebtSchema = z.object({
  paymentId: idSchema,
  bidId: idSchema,
  couponTitle: z.string(),
  provider: paymentProviderSchema,
  amount: amountSchema,
  /** When the money went back. */
  since: instantSchema,
  way: z.enum(DEBT_WAYS),
});
export type SellerDebt = z.output<typeof sellerDebtSchema>;

/** What the caller owes as a seller, oldest first, and how far it lowers the next payouts. */
export const sellerDebtsSchema = z.object({
  total: amountSchema,
  debts: z.array(sellerDebtSchema),
  nextPayouts: z.array(
    z.object({
      paymentId: idSchema,
      bidId: idSchema,
      couponTitle: z.string(),
      /** What the payout would be without the debts, and what is kept back from it. */
      amount: amountSchema,
      keptBack: amountSchema,
    }),
  ),
});
sellerDebtsSchema.register(z.globalRegistry, { id: 'SellerDebts' });
export type SellerDebts = z.output<typeof sellerDebtsSchema>;

/** A debt as admins see it. */
export const adminDebtSchema = sellerDebtSchema
  .extend({ sellerId: idSchema, sellerUsername: z.string() })
  .meta({ id: 'AdminDebt' });
export type AdminDebt = z.output<typeof adminDebtSchema>;

/** written_off: we bear it. collected: PayPal's report shows that PayPal has taken it from the seller; PayPal only. */
export const settleDebtInputSchema = z.object({
  paymentId: idSchema,
  how: z.enum(['written_off', 'collected']),
  /** For the audit log; the seller is not told. */
  reason: textSchema(REASON_MAX, 1, () => t`Please say why`),
});
export type SettleDebtInput = z.output<typeof settleDebtInputSchema>;
