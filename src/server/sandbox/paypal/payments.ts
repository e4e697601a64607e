import { z } from 'zod';
import { decimalToCents } from '#contract/money.ts';
import { forbidden, unknownResource, unprocessable } from './errors.ts';
import { type Api, type ApiRequest, param, readBody } from './http.ts';
import { minus, moneySchema, newId, now, type PayoutItem, paypalFee, type Refund } from './objects.ts';
import { findCapture } from './orders.ts';
import { type Desk, showCapture, showDispute, showPayoutItem, showRefund } from './views.ts';

const refundSchema = z.object({
  amount: moneySchema,
  custom_id: z.string().max(127).optional(),
  payment_instruction: z.object({ platform_fees: z.tuple([z.object({ amount: moneySchema })]) }),
});

const payoutSchema = z.object({ reference_type: z.literal('TRANSACTION_ID'), reference_id: z.string() });

/** Captures, refunds, payouts and disputes: what becomes of money that was taken. */
export function addPayments(api: Api, desk: Desk): void {
  api.get('/v2/payments/captures/:id', async (request) => {
    const { order, capture } = await findCapture(desk, param(request, 'id'));
    return { status: 200, body: showCapture(desk, order, capture) };
  });

  api.post('/v2/payments/captures/:id/refund', async (request) => {
    const refund = await refundCapture(desk, request);
    return { status: 201, body: showRefund(desk, refund) };
  });

  api.post('/v1/payments/referenced-payouts-items', async (request) => {
    const { item, isNew } = await payOut(desk, readBody(request, payoutSchema).reference_id);
    return { status: isNew ? 201 : 200, body: showPayoutItem(desk, item) };
  });

  api.get('/v1/payments/referenced-payouts-items/:id', async (request) => {
    const item = await desk.shelves.payoutItems.get(param(request, 'id'));
    if (item === null) throw unknownResource();
    return { status: 200, body: showPayoutItem(desk, item) };
  });

  api.get('/v1/customer/disputes', async ({ query }) => {
    const disputes = await desk.shelves.disputes.list();
    const wanted = disputes.filter(({ captureId }) => captureId === query.disputed_transaction_id);
    return { status: 200, body: { items: await Promise.all(wanted.map(({ id }) => showOne(desk, id))) } };
  });

  api.get('/v1/customer/disputes/:id', async (request) => ({
    status: 200,
    body: await showOne(desk, param(request, 'id')),
  }));
}

/** The buyer's bank, or PayPal itself, takes the buyer's side for now. @returns the dispute's id */
export async function openDispute(desk: Desk, captureId: string): Promise<string> {
  const { order } = await findCapture(desk, captureId);
  const id = `PP-D-${newId(6)}`;
  const dispute = { id, createTime: now(), captureId, amount: order.amount, outcome: null };
  await desk.shelves.disputes.put(dispute);
  desk.webhooks.emit('CUSTOMER.DISPUTE.CREATED', 'dispute', showDispute(desk, dispute, order));
  return id;
}

/** @param outcome as the seller sees it */
export async function closeDispute(desk: Desk, id: string, outcome: 'won' | 'lost'): Promise<void> {
  const dispute = await desk.shelves.disputes.get(id);
  if (dispute === null) throw unknownResource();
  const code = outcome === 'won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR';
  const closed = { ...dispute, outcome: code } as const;
  await desk.shelves.disputes.put(closed);
  const { order } = await findCapture(desk, dispute.captureId);
  desk.webhooks.emit('CUSTOMER.DISPUTE.RESOLVED', 'dispute', showDispute(desk, closed, order));
}

async function showOne(desk: Desk, id: string) {
  const dispute = await desk.shelves.disputes.get(id);
  if (dispute === null) throw unknownResource();
  const { order } = await findCapture(desk, dispute.captureId);
  return showDispute(desk, dispute, order);
}

async function refundCapture(desk: Desk, request: ApiRequest): Promise<Refund> {
  const { shelves } = desk;
  const { order, capture } = await findCapture(desk, param(request, 'id'));
  if (request.onBehalfOf !== order.merchantId) throw forbidden('Only the payee can refund this capture.');
  const body = readBody(request, refundSchema);
  if (order.refundIds.length > 0) {
    throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.');
  }
  if (capture.status !== 'COMPLETED') {
    throw unprocessable('PENDING_CAPTURE', 'A capture that is not completed cannot be refunded.');
  }
  const platformFee = body.payment_instruction.platform_fees[0].amount;
  // Everything or nothing: ClipSwap makes no other refunds.
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
  await shelves.refunds.put(refund);
  // The one write that decides: a stop before it has refunded nothing.
  await shelves.orders.put({ ...order, refundIds: [...order.refundIds, refund.id] });
  desk.webhooks.emit('PAYMENT.CAPTURE.REFUNDED', 'refund', showRefund(desk, refund));
  return refund;
}

/** Pays a delayed capture out to its seller; once. */
async function payOut(desk: Desk, captureId: string): Promise<{ item: PayoutItem; isNew: boolean }> {
  const { shelves } = desk;
  const { order, capture } = await findCapture(desk, captureId);
  const known = capture.payoutItemId === null ? null : await shelves.payoutItems.get(capture.payoutItemId);
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
  await shelves.payoutItems.put(item);
  await shelves.captures.put({ ...capture, payoutItemId: item.id });
  desk.webhooks.emit(
    'PAYMENT.REFERENCED-PAYOUT-ITEM.COMPLETED',
    'referenced-payout-item',
    showPayoutItem(desk, item),
  );
  return { item, isNew: true };
}
