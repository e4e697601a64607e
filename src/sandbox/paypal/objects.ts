import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { baseCurrency, centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import { openCollection, type SandboxStore } from '#sandbox/store.ts';
import { missing } from './refusals.ts';

/** Amounts as PayPal writes them. */
export const moneySchema = z.object({
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  value: z.string().regex(/^\d{1,7}(\.\d{2})?$/),
});
export type Money = z.infer<typeof moneySchema>;

export const FUNDINGS = ['balance', 'declined', 'pending', 'bank'] as const;
/**
 * How the buyer pays: at once, with a card that will be declined, with something that clears later, or from a bank, to
 * which refunds take their time.
 */
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
  /** All refunds, also failed ones, oldest first. */
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
  status: z.enum(['COMPLETED', 'PENDING', 'FAILED']).default('COMPLETED'),
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
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED']).default('SUCCESS'),
  reason: z.string().nullable().default(null),
  /** Made by PayPal itself, not asked for. */
  isAutomatic: z.boolean().default(false),
  at: z.string().default(''),
});
export type PayoutItem = z.infer<typeof payoutItemSchema>;

const referralSchema = z.object({
  /** The token in the link. */
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
  /** What becomes of the payouts to this seller. */
  payouts: z.enum(['succeed', 'pend', 'fail']).default('succeed'),
});
export type Merchant = z.infer<typeof merchantSchema>;

const disputeSchema = z.object({
  id: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
  captureId: z.string(),
  amount: moneySchema,
  stage: z.enum(['INQUIRY', 'CHARGEBACK', 'PRE_ARBITRATION', 'ARBITRATION']),
  channel: z.enum(['INTERNAL', 'EXTERNAL']),
  status: z.enum(['OPEN', 'WAITING_FOR_SELLER_RESPONSE', 'UNDER_REVIEW', 'RESOLVED']),
  outcome: z.enum(['RESOLVED_BUYER_FAVOUR', 'RESOLVED_SELLER_FAVOUR']).nullable(),
  /** What it moved on the seller's account, oldest first. */
  movements: z.array(
    z.object({
      id: z.string(),
      reason: z.enum(['DISPUTE_SETTLEMENT', 'CHARGEBACK_FEE']),
      type: z.enum(['DEBIT', 'CREDIT']),
      amount: moneySchema,
      at: z.string(),
    }),
  ),
});
export type Dispute = z.infer<typeof disputeSchema>;

const replaySchema = z.object({
  /** Method, path and PayPal-Request-Id. */
  id: z.string(),
  question: z.string(),
  body: z.unknown(),
});

/** Until when the transaction search is complete, beside its usual delay. */
const reportSchema = z.object({ id: z.literal('report'), until: z.string() });

export type Stored = ReturnType<typeof openStored>;

export function openStored(store: SandboxStore) {
  const open = <T extends { id: string }>(kind: string, schema: z.ZodType<T>) =>
    openCollection(store, `paypal.${kind}`, schema, missing);
  return {
    orders: open('order', orderSchema),
    captures: open('capture', captureSchema),
    refunds: open('refund', refundSchema),
    payoutItems: open('payout_item', payoutItemSchema),
    referrals: open('referral', referralSchema),
    merchants: open('merchant', merchantSchema),
    disputes: open('dispute', disputeSchema),
    replays: open('request', replaySchema),
    reports: open('report', reportSchema),
  };
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

function randomOf(letters: string, length: number): string {
  return Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');
}

export const newLetters = (length: number) => randomOf(LETTERS, length);

/** Capitals and digits, like PayPal's ids. */
export const newId = (length = 17) => randomOf(`${LETTERS}0123456789`, length);

/** Merchants' ids have no digits that look like letters. */
export const newMerchantId = () => randomOf(`${LETTERS}23456789`, 13);

export function now(): string {
  return new Date().toISOString();
}

export function money(cents: number, currency_code: string = baseCurrency()): Money {
  return { currency_code, value: centsToDecimal(cents) };
}

/** Not below zero. */
export function minus(total: Money, ...parts: readonly Money[]): Money {
  const cents = parts.reduce((rest, part) => rest - decimalToCents(part.value), decimalToCents(total.value));
  return money(Math.max(0, cents), total.currency_code);
}

/** PayPal's fee: 2.9 % + 30 cents; half a cent is rounded up. */
export function paypalFee({ currency_code, value }: Money): Money {
  const share = Math.floor((decimalToCents(value) * 29 + 500) / 1_000);
  return money(share + 30, currency_code);
}

/** What every part of the sandbox works with. */
export interface PaypalContext {
  readonly stored: Stored;
  /** Our own account. */
  readonly partnerId: string;
  /** Sends an event. */
  emit(type: string, resourceType: string, resource: unknown): void;
  /** The sandbox's own address. */
  readonly url: () => string;
  /** Lets a pending capture or refund clear after a while. */
  readonly settleLater: (kind: 'capture' | 'refund', id: string) => void;
}

export function link(ctx: Pick<PaypalContext, 'url'>, rel: string, method: string, path: string) {
  return { rel, method, href: `${ctx.url()}${path}` };
}

/** The capture and its order. @throws Refusal RESOURCE_NOT_FOUND */
export async function findCapture(
  ctx: PaypalContext,
  id: string,
): Promise<{ capture: Capture; order: Order }> {
  const capture = await ctx.stored.captures.find(id);
  return { capture, order: await ctx.stored.orders.find(capture.orderId) };
}

/** Cents that a dispute has taken from the seller, without its fee. */
export function takenOf({ movements }: Dispute): number {
  return movements
    .filter(({ reason }) => reason === 'DISPUTE_SETTLEMENT')
    .reduce((sum, { type, amount }) => sum + (type === 'DEBIT' ? 1 : -1) * decimalToCents(amount.value), 0);
}

export async function disputesOf(
  { stored }: Pick<PaypalContext, 'stored'>,
  captureId: string,
): Promise<Dispute[]> {
  return (await stored.disputes.list()).filter((dispute) => dispute.captureId === captureId);
}
