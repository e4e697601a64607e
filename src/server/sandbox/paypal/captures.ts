import { z } from 'zod';
import { decimalToCents } from '#contract/money.ts';
import { type Api, type ApiRequest, readBody } from './http.ts';
import {
  type Capture,
  link,
  minus,
  moneySchema,
  newId,
  now,
  type Order,
  type PayoutItem,
  type PaypalContext,
  paypalFee,
  type Refund,
} from './objects.ts';
import { forbidden, unprocessable } from './refusals.ts';

const refundSchema = z.object({
  amount: moneySchema,
  custom_id: z.string().max(127).optional(),
  payment_instruction: z.object({ platform_fees: z.tuple([z.object({ amount: moneySchema })]) }),
});

const payoutSchema = z.object({ reference_type: z.literal('TRANSACTION_ID'), reference_id: z.string() });

export function addCaptures(api: Api, ctx: PaypalContext): void {
  api.get('/v2/payments/captures/:id', async (request) => {
    const { order, capture } = await findCapture(ctx, request.id);
    return { status: 200, body: showCapture(ctx, order, capture) };
  });

  api.post('/v2/payments/captures/:id/refund', async (request) => {
    const refund = await refundCapture(ctx, request);
    return { status: 201, body: showRefund(ctx, refund) };
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
  ctx.emit(CAPTURE_EVENTS[capture.status], 'capture', showCapture(ctx, order, capture));
}

/** The capture and its order. @throws Refusal RESOURCE_NOT_FOUND */
export async function findCapture(
  ctx: PaypalContext,
  id: string,
): Promise<{ capture: Capture; order: Order }> {
  const capture = await ctx.stored.captures.find(id);
  return { capture, order: await ctx.stored.orders.find(capture.orderId) };
}

async function refundCapture(ctx: PaypalContext, request: ApiRequest): Promise<Refund> {
  const { stored } = ctx;
  const { order, capture } = await findCapture(ctx, request.id);
  if (request.onBehalfOf !== order.merchantId) throw forbidden('Only the payee can refund this capture.');
  const body = readBody(request, refundSchema);
  if (order.refundIds.length > 0) {
    throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.');
  }
  if (capture.status !== 'COMPLETED') {
    throw unprocessable('PENDING_CAPTURE', 'A capture that is not completed cannot be refunded.');
  }
  const platformFee = body.payment_instruction.platform_fees[0].amount;
  // ClipSwap makes no partial refunds.
  if (decimalToCents(body.amount.value) !== decimalToCents(order.amount.value)) {
    throw unprocessable('REFUND_AMOUNT_EXCEEDED', 'The sandbox gives back the whole amount only.');
  }
  if (decimalToCents(platformFee.value) > decimalToCents(order.platformFee.value)) {
    throw unprocessable('PLATFORM_FEE_EXCEEDED', 'The platform fee exceeds the one that was taken.');
  }
  const refund: Refund = {
    id: newId(),
    createTime: now(),
    captureId: capture.id,
    amount: body.amount,
    platformFee,
    customId: body.custom_id ?? null,
  };
  await stored.refunds.put(refund);
  // This write decides: if the program stops before it, nothing is refunded.
  await stored.orders.put({ ...order, refundIds: [...order.refundIds, refund.id] });
  ctx.emit('PAYMENT.CAPTURE.REFUNDED', 'refund', showRefund(ctx, refund));
  return refund;
}

/** Pays a delayed capture out to its seller, once. */
async function payOut(ctx: PaypalContext, captureId: string): Promise<{ item: PayoutItem; isNew: boolean }> {
  const { stored } = ctx;
  const { order, capture } = await findCapture(ctx, captureId);
  const known = capture.payoutItemId === null ? null : await stored.payoutItems.get(capture.payoutItemId);
  if (known !== null) return { item: known, isNew: false };
  const isHeld = order.disbursementMode === 'DELAYED' && order.refundIds.length === 0;
  if (capture.status !== 'COMPLETED' || !isHeld) {
    throw unprocessable('NO_FUNDS_TO_DISBURSE', 'Nothing is held for this transaction.');
  }
  const item: PayoutItem = {
    id: newId(32),
    captureId,
    amount: minus(order.amount, order.platformFee, paypalFee(order.amount)),
    merchantId: order.merchantId,
  };
  await stored.payoutItems.put(item);
  await stored.captures.put({ ...capture, payoutItemId: item.id });
  ctx.emit('PAYMENT.REFERENCED-PAYOUT-ITEM.COMPLETED', 'referenced-payout-item', showPayoutItem(ctx, item));
  return { item, isNew: true };
}

export function showCapture(ctx: PaypalContext, order: Order, capture: Capture) {
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
      link(ctx, 'self', 'GET', `/v2/payments/captures/${capture.id}`),
      link(ctx, 'refund', 'POST', `/v2/payments/captures/${capture.id}/refund`),
      link(ctx, 'up', 'GET', `/v2/checkout/orders/${order.id}`),
    ],
  };
}

export function showRefund(ctx: PaypalContext, refund: Refund) {
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
      link(ctx, 'self', 'GET', `/v2/payments/refunds/${refund.id}`),
      link(ctx, 'up', 'GET', `/v2/payments/captures/${refund.captureId}`),
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
