import type { Api } from './http.ts';
import {
  type Capture,
  findCapture,
  link,
  minus,
  type Order,
  type PaypalContext,
  paypalFee,
} from './objects.ts';
import { statusWithRefunds } from './refunds.ts';

export function addCaptures(api: Api, ctx: PaypalContext): void {
  api.get('/v2/payments/captures/:id', async (request) => {
    const { order, capture } = await findCapture(ctx, request.id);
    return { status: 200, body: await showCapture(ctx, order, capture) };
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

export function idsOf({ customId, invoiceId }: Order) {
  return {
    ...(customId !== null && { custom_id: customId }),
    ...(invoiceId !== null && { invoice_id: invoiceId }),
  };
}
