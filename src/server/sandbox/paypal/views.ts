import type { Capture, Dispute, Merchant, Order, PayoutItem, Refund, Shelves } from './objects.ts';
import { minus, paypalFee } from './objects.ts';
import type { Webhooks } from './webhooks.ts';

/** What the sandbox's acts work with. */
export interface Desk {
  readonly shelves: Shelves;
  readonly webhooks: Pick<Webhooks, 'emit'>;
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
