import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { centsToDecimal, decimalToCents } from '#contract/money.ts';
import { openShelf } from '../shelf.ts';
import type { SandboxStore } from '../store.ts';

/** Amounts as PayPal writes them. */
export const moneySchema = z.object({
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  value: z.string().regex(/^\d{1,7}(\.\d{2})?$/),
});
export type Money = z.infer<typeof moneySchema>;

export const FUNDINGS = ['balance', 'declined', 'pending'] as const;
/** How the buyer has chosen to pay: at once, with a card that will be declined, or with something that clears later. */
export type Funding = (typeof FUNDINGS)[number];

const orderSchema = z.object({
  id: z.string(),
  status: z.enum(['CREATED', 'APPROVED', 'COMPLETED']),
  createTime: z.string(),
  amount: moneySchema,
  platformFee: moneySchema,
  disbursementMode: z.enum(['DELAYED', 'INSTANT']),
  merchantId: z.string(),
  customId: z.string().nullable(),
  invoiceId: z.string().nullable(),
  description: z.string(),
  funding: z.enum(FUNDINGS).nullable(),
  captureId: z.string().nullable(),
  /** Not empty: everything was given back. */
  refundIds: z.array(z.string()),
});
export type Order = z.infer<typeof orderSchema>;

const captureSchema = z.object({
  id: z.string(),
  status: z.enum(['COMPLETED', 'PENDING', 'DECLINED']),
  createTime: z.string(),
  orderId: z.string(),
  payoutItemId: z.string().nullable(),
});
export type Capture = z.infer<typeof captureSchema>;

const refundSchema = z.object({
  id: z.string(),
  createTime: z.string(),
  captureId: z.string(),
  amount: moneySchema,
  platformFee: moneySchema,
  customId: z.string().nullable(),
});
export type Refund = z.infer<typeof refundSchema>;

const payoutItemSchema = z.object({
  id: z.string(),
  captureId: z.string(),
  amount: moneySchema,
  merchantId: z.string(),
});
export type PayoutItem = z.infer<typeof payoutItemSchema>;

const referralSchema = z.object({
  /** The token in its address. */
  id: z.string(),
  trackingId: z.string(),
  returnUrl: z.string(),
  isUsed: z.boolean(),
});
export type Referral = z.infer<typeof referralSchema>;

const merchantSchema = z.object({
  id: z.string(),
  trackingId: z.string(),
  isReceivable: z.boolean(),
  isEmailConfirmed: z.boolean(),
});
export type Merchant = z.infer<typeof merchantSchema>;

const disputeSchema = z.object({
  id: z.string(),
  createTime: z.string(),
  captureId: z.string(),
  amount: moneySchema,
  outcome: z.enum(['RESOLVED_BUYER_FAVOUR', 'RESOLVED_SELLER_FAVOUR']).nullable(),
});
export type Dispute = z.infer<typeof disputeSchema>;

const replaySchema = z.object({
  /** Method, path and PayPal-Request-Id. */
  id: z.string(),
  question: z.string(),
  body: z.unknown(),
});

/** Everything that the sandbox stores. */
export function openShelves(store: SandboxStore) {
  return {
    orders: openShelf(store, 'paypal.order', orderSchema),
    captures: openShelf(store, 'paypal.capture', captureSchema),
    refunds: openShelf(store, 'paypal.refund', refundSchema),
    payoutItems: openShelf(store, 'paypal.payout_item', payoutItemSchema),
    referrals: openShelf(store, 'paypal.referral', referralSchema),
    merchants: openShelf(store, 'paypal.merchant', merchantSchema),
    disputes: openShelf(store, 'paypal.dispute', disputeSchema),
    replays: openShelf(store, 'paypal.request', replaySchema),
  };
}
export type Shelves = ReturnType<typeof openShelves>;

const ID_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';

/** An id as PayPal's look: capitals and digits. */
export function newId(length = 17): string {
  return Array.from({ length }, () => ID_LETTERS.charAt(randomInt(ID_LETTERS.length))).join('');
}

export function now(): string {
  return new Date().toISOString();
}

export function minus(total: Money, ...parts: readonly Money[]): Money {
  const cents = parts.reduce((rest, part) => rest - decimalToCents(part.value), decimalToCents(total.value));
  return { currency_code: total.currency_code, value: centsToDecimal(Math.max(0, cents)) };
}

/** PayPal's own share: 2.9 % and 30 cents, to the cent, half up. */
export function paypalFee({ currency_code, value }: Money): Money {
  const share = Math.floor((decimalToCents(value) * 29 + 500) / 1_000);
  return { currency_code, value: centsToDecimal(share + 30) };
}
