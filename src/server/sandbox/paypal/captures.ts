import { z } from 'zod';
import { decimalToCents } from '#contract/money.ts';
import { type Api, readBody } from './http.ts';
import {
  type Capture,
  findCapture,
  link,
  type Money,
  minus,
  money,
  newId,
  type Order,
  type PayoutItem,
  type PaypalContext,
  paypalFee,
} from './objects.ts';
import { liveRefunds, statusWithRefunds } from './refunds.ts';
import { unprocessable } from './refusals.ts';

const payoutSchema = z.object({ reference_type: z.literal('TRANSACTION_ID'), reference_id: z.string() });

export function addCaptures(api: Api, ctx: PaypalContext): void {
  api.get('/v2/payments/captures/:id', async (request) => {
    const { order, capture } = await findCapture(ctx, request.id);
    return { status: 200, body: await showCapture(ctx, order, capture) };
  });

  api.post('/v1/payments/referenced-payouts-items', async (request) => {
    const { item, isNew } = await payOut(ctx, readBody(request, payoutSchema).reference_id);
    return { status: isNew ? 201 : 200, body: showPayoutItem(ctx, item) };
  });

  api.get('/v1/payments/referenced-payouts-items/:id', async (request) => {
    const item = await ctx.stored.payoutItems.find(request.id);
    return { status: 200, body: showPayoutItem(ctx, item) };
  });
}

/** A pending capture clears or is declined. */
export async function settlePending(
  ctx: PaypalContext,
  captureId: string,
  outcome: 'COMPLETED' | 'DECLINED',
): Promise<void> {
  const capture = await ctx.stored.captures.find(captureId);
  if (capture.status !== 'PENDING') return;
  const settled = { ...capture, status: outcome };
  await ctx.stored.captures.put(settled);
  await emitCapture(ctx, settled);
}

const CAPTURE_EVENTS = {
  COMPLETED: 'PAYMENT.CAPTURE.COMPLETED',
  PENDING: 'PAYMENT.CAPTURE.PENDING',
  DECLINED: 'PAYMENT.CAPTURE.DECLINED',
} as const;

export async function emitCapture(ctx: PaypalContext, capture: Capture): Promise<void> {
  const order = await ctx.stored.orders.find(capture.orderId);
  ctx.emit(CAPTURE_EVENTS[capture.status], 'capture', await showCapture(ctx, order, capture));
}

/** Pays a delayed capture out to its seller, once. */
async function payOut(ctx: PaypalContext, captureId: string): Promise<{ item: PayoutItem; isNew: boolean }> {
  const { stored } = ctx;
  const { order, capture } = await findCapture(ctx, captureId);
  const known = capture.payoutItemId === null ? null : await stored.payoutItems.get(capture.payoutItemId);
  if (known !== null) return { item: known, isNew: false };
  const amount = await heldOf(ctx, order);
  if (capture.status !== 'COMPLETED' || decimalToCents(amount.value) === 0) {
    throw unprocessable('NO_FUNDS_TO_DISBURSE', 'Nothing is held for this transaction.');
  }
  const item: PayoutItem = {
    id: newId(32),
    captureId,
    amount,
    merchantId: order.merchantId,
  };
  await stored.payoutItems.put(item);
  await stored.captures.put({ ...capture, payoutItemId: item.id });
  ctx.emit('PAYMENT.REFERENCED-PAYOUT-ITEM.COMPLETED', 'referenced-payout-item', showPayoutItem(ctx, item));
  return { item, isNew: true };
}

/** What PayPal holds for the seller before a payout. */
async function heldOf(ctx: PaypalContext, order: Order): Promise<Money> {
  const { amount, platformFee, disbursementMode } = order;
  if (disbursementMode === 'INSTANT') return money(0);
  const refunded = (await liveRefunds(ctx, order)).map((refund) => minus(refund.amount, refund.platformFee));
  return minus(amount, platformFee, paypalFee(amount), ...refunded);
}

export async function showCapture(ctx: PaypalContext, order: Order, capture: Capture) {
  const fee = paypalFee(order.amount);
  const breakdown = {
    gross_amount: order.amount,
    paypal_fee: fee,
    platform_fees: [{ amount: order.platformFee }],
    net_amount: minus(order.amount, order.platformFee, fee),
  };
  return {
    id: capture.id,
    status: await statusWithRefunds(ctx, order, capture),
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
      link(ctx, 'self', 'GET', `/v2/payments/captures/${capture.id}`),
      link(ctx, 'refund', 'POST', `/v2/payments/captures/${capture.id}/refund`),
      link(ctx, 'up', 'GET', `/v2/checkout/orders/${order.id}`),
    ],
  };
}

function showPayoutItem(ctx: PaypalContext, item: PayoutItem) {
  return {
    item_id: item.id,
    processing_state: { status: 'SUCCESS' },
    reference_id: item.captureId,
    reference_type: 'TRANSACTION_ID',
    payout_amount: item.amount,
    payout_destination: item.merchantId,
    links: [link(ctx, 'self', 'GET', `/v1/payments/referenced-payouts-items/${item.id}`)],
  };
}

export function idsOf({ customId, invoiceId }: Order) {
  return {
    ...(customId !== null && { custom_id: customId }),
    ...(invoiceId !== null && { invoice_id: invoiceId }),
  };
}
