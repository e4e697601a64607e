import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { baseCurrency, type Cents, decimalToCents, formatMoney } from '#contract/base/money.ts';
import { amountSchema, idSchema, instantSchema } from '#contract/base/primitives.ts';

/** What a deposit may be, in cents of the base currency. */
export const DEPOSIT = { min: 200, max: 2_000 } as const;
/** Hours after the agreement in which everybody puts up their deposit, as those who pay pay. */
export const DEPOSIT_HOURS = 48;
/**
 * Days after the first deposit was authorised in which the exchange must be completed. A card's authorisation lapses after
 * DEPOSIT_LAPSE_DAYS: so the 72 hours for claims fit inside.
 */
export const DEPOSIT_COMPLETE_DAYS = 4;
export const DEPOSIT_LAPSE_DAYS = 7;

/** A coupon as far as its worth bounds a deposit. */
interface Valued {
  readonly discountType: string;
  /** Hundredths; 0: not stated. */
  readonly value: number;
}

/**
 * The largest deposit for an exchange: at most what the side with the smaller value gives.
 * @param sides the coupons that each person gives; a side with a coupon of no known worth sets no bound
 * @returns cents; null where even the smallest deposit is more than that
 */
export function largestDeposit(sides: readonly (readonly Valued[])[]): Cents | null {
  const worths = sides
    .filter((side) => side.every(({ discountType, value }) => discountType === 'fixed' && value > 0))
    .map((side) => side.reduce((sum, { value }) => sum + value, 0));
  const largest = Math.min(DEPOSIT.max, ...worths);
  return largest < DEPOSIT.min ? null : largest;
}

const cents = (text: string) => (/^\d{1,8}(\.\d{1,2})?$/.test(text) ? decimalToCents(text) : Number.NaN);
const money = (amount: Cents) => formatMoney(amount, baseCurrency());

/** A deposit as people type it: '5', '5.5' or '5.50'. */
export const depositAmountSchema = z
  .string()
  .trim()
  .refine((text) => cents(text) >= DEPOSIT.min && cents(text) <= DEPOSIT.max, {
    error: () => t`Enter a deposit from ${money(DEPOSIT.min)} to ${money(DEPOSIT.max)}`,
  })
  .describe('What each person puts up by card: "5", "5.5" or "5.50"');

/**
 * open: waits for the card. authorised: the money is reserved on the card, and not taken. captured: taken, as there is a
 * claim. Ends: voided (never taken), refunded, paid_out (to whoever made the claim), charged_back (taken back by the bank).
 */
const DEPOSIT_STATUSES = [
  'open',
  'authorised',
  'captured',
  'voided',
  'refunded',
  'paid_out',
  'charged_back',
] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** The caller's deposit for an exchange. */
export const depositSchema = z.object({
  exchangeId: idSchema,
  amount: amountSchema,
  status: z.enum(DEPOSIT_STATUSES),
  authorisedAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
});
depositSchema.register(z.globalRegistry, { id: 'Deposit' });
export type Deposit = z.output<typeof depositSchema>;

/** The deposit of the caller for this exchange. */
export const ownDepositInputSchema = z.object({ exchangeId: idSchema });

export const depositIntentSchema = z.object({ depositId: idSchema, clientSecret: z.string() });
export type DepositIntent = z.output<typeof depositIntentSchema>;

/** What newcomers and whoever deals with them are asked for unless they say otherwise, in cents; 0: nothing. */
export const newcomerDepositSchema = z
  .int()
  .min(0)
  .max(DEPOSIT.max)
  .refine((amount) => amount === 0 || amount >= DEPOSIT.min, {
    error: () => t`Enter 0, or a deposit from ${money(DEPOSIT.min)} to ${money(DEPOSIT.max)}`,
  });
