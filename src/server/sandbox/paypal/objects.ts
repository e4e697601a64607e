import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { centsToDecimal, decimalToCents } from '#contract/money.ts';
import { openShelf, type SandboxStore } from '../store.ts';

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

/** What the sandbox's acts work with. */
export interface Desk {
  readonly shelves: Shelves;
  readonly webhooks: { emit(type: string, resourceType: string, resource: unknown): void };
  /** The sandbox's own address. */
  readonly url: () => string;
  /** Has a pending capture clear after a while, where nobody is going to do it by hand. */
  readonly clearLater: (captureId: string) => void;
}

/** An order as PayPal shows it, with what was captured and refunded. */
export async function showOrder(desk: Desk, order: Order) {
  const { shelves } = desk;
  const capture = order.captureId === null ? null : await shelves.captures.get(order.captureId);
  const refunds = await Promise.all(order.refundIds.map((id) => shelves.refunds.get(id)));
  const payments = capture && {
    captures: [showCapture(desk, order, capture)],
    ...(refunds.length > 0 && {
      refunds: refunds.flatMap((refund) => (refund ? [showRefund(desk, refund)] : [])),
    }),
  };
  return {
    id: order.id,
    intent: 'CAPTURE',
    status: order.status,
    create_time: order.createTime,
    purchase_units: [
      {
        reference_id: 'default',
        amount: order.amount,
        payee: { merchant_id: order.merchantId },
        description: order.description,
        ...idsOf(order),
        payment_instruction: {
          disbursement_mode: order.disbursementMode,
          platform_fees: [{ amount: order.platformFee }],
        },
        ...(payments && { payments }),
      },
    ],
    links: [
      link(desk, 'self', 'GET', `/v2/checkout/orders/${order.id}`),
      link(desk, 'capture', 'POST', `/v2/checkout/orders/${order.id}/capture`),
    ],
  };
}

export function showCapture(desk: Desk, order: Order, capture: Capture) {
  const fee = paypalFee(order.amount);
  const breakdown = {
    gross_amount: order.amount,
    paypal_fee: fee,
    platform_fees: [{ amount: order.platformFee }],
    net_amount: minus(order.amount, order.platformFee, fee),
  };
  return {
    id: capture.id,
    status: order.refundIds.length > 0 ? 'REFUNDED' : capture.status,
    ...(capture.status === 'PENDING' && { status_details: { reason: 'PENDING_REVIEW' } }),
    amount: order.amount,
    final_capture: true,
    disbursement_mode: order.disbursementMode,
    payee: { merchant_id: order.merchantId },
    ...idsOf(order),
    ...(capture.status === 'COMPLETED' && { seller_receivable_breakdown: breakdown }),
    supplementary_data: { related_ids: { order_id: order.id } },
    create_time: capture.createTime,
    links: [
      link(desk, 'self', 'GET', `/v2/payments/captures/${capture.id}`),
      link(desk, 'refund', 'POST', `/v2/payments/captures/${capture.id}/refund`),
      link(desk, 'up', 'GET', `/v2/checkout/orders/${order.id}`),
    ],
  };
}

export function showRefund(desk: Desk, refund: Refund) {
  return {
    id: refund.id,
    status: 'COMPLETED',
    amount: refund.amount,
    ...(refund.customId !== null && { custom_id: refund.customId }),
    seller_payable_breakdown: {
      gross_amount: refund.amount,
      platform_fees: [{ amount: refund.platformFee }],
      total_refunded_amount: refund.amount,
    },
    create_time: refund.createTime,
    links: [
      link(desk, 'self', 'GET', `/v2/payments/refunds/${refund.id}`),
      link(desk, 'up', 'GET', `/v2/payments/captures/${refund.captureId}`),
    ],
  };
}

export function showPayoutItem(desk: Desk, item: PayoutItem) {
  return {
    item_id: item.id,
    processing_state: { status: 'SUCCESS' },
    reference_id: item.captureId,
    reference_type: 'TRANSACTION_ID',
    payout_amount: item.amount,
    payout_destination: item.merchantId,
    links: [link(desk, 'self', 'GET', `/v1/payments/referenced-payouts-items/${item.id}`)],
  };
}

export function showMerchant(merchant: Merchant, partnerClientId: string) {
  return {
    merchant_id: merchant.id,
    tracking_id: merchant.trackingId,
    products: [{ name: 'EXPRESS_CHECKOUT', status: 'ACTIVE' }],
    payments_receivable: merchant.isReceivable,
    primary_email_confirmed: merchant.isEmailConfirmed,
    oauth_integrations: [
      {
        integration_type: 'OAUTH_THIRD_PARTY',
        oauth_third_party: [{ partner_client_id: partnerClientId, merchant_client_id: merchant.id }],
      },
    ],
  };
}

export function showDispute(desk: Desk, dispute: Dispute, order: Order) {
  return {
    dispute_id: dispute.id,
    create_time: dispute.createTime,
    disputed_transactions: [
      {
        seller_transaction_id: dispute.captureId,
        ...(order.customId !== null && { custom: order.customId }),
        ...(order.invoiceId !== null && { invoice_number: order.invoiceId }),
        seller: { merchant_id: order.merchantId },
      },
    ],
    reason: 'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
    status: dispute.outcome === null ? 'UNDER_REVIEW' : 'RESOLVED',
    dispute_amount: dispute.amount,
    ...(dispute.outcome !== null && { dispute_outcome: { outcome_code: dispute.outcome } }),
    dispute_life_cycle_stage: 'CHARGEBACK',
    links: [link(desk, 'self', 'GET', `/v1/customer/disputes/${dispute.id}`)],
  };
}

export function link(desk: Pick<Desk, 'url'>, rel: string, method: string, path: string) {
  return { rel, method, href: `${desk.url()}${path}` };
}

function idsOf({ customId, invoiceId }: Order) {
  return {
    ...(customId !== null && { custom_id: customId }),
    ...(invoiceId !== null && { invoice_id: invoiceId }),
  };
}
