import { z } from 'zod';
import { decimalToCents } from '#contract/money.ts';
import {
  type Api,
  type ApiRequest,
  forbidden,
  PaypalError,
  param,
  readBody,
  unknownResource,
  unprocessable,
} from './http.ts';
import {
  type Capture,
  type Desk,
  type Funding,
  minus,
  moneySchema,
  newId,
  now,
  type Order,
  type PayoutItem,
  paypalFee,
  type Refund,
  showCapture,
  showDispute,
  showOrder,
  showPayoutItem,
  showRefund,
} from './objects.ts';

const createSchema = z.object({
  intent: z.literal('CAPTURE'),
  purchase_units: z.tuple([
    z.object({
      amount: moneySchema,
      payee: z.object({ merchant_id: z.string() }),
      custom_id: z.string().max(127).optional(),
      invoice_id: z.string().max(127).optional(),
      description: z.string().max(127).optional(),
      payment_instruction: z.object({
        disbursement_mode: z.enum(['DELAYED', 'INSTANT']),
        platform_fees: z.tuple([z.object({ amount: moneySchema })]),
      }),
    }),
  ]),
});

/** Orders: made, read, captured. */
export function addOrders(api: Api, desk: Desk): void {
  api.post('/v2/checkout/orders', async (request) => {
    const order = await createOrder(desk, request);
    return { status: 201, body: await showOrder(desk, order) };
  });

  api.get('/v2/checkout/orders/:id', async (request) => ({
    status: 200,
    body: await showOrder(desk, await findOrder(desk, param(request, 'id'))),
  }));

  api.post('/v2/checkout/orders/:id/capture', async (request) => {
    const order = await captureOrder(desk, await findOrder(desk, param(request, 'id')));
    return { status: 201, body: await showOrder(desk, order) };
  });
}

/** @throws PaypalError RESOURCE_NOT_FOUND */
export async function findOrder({ shelves }: Desk, id: string): Promise<Order> {
  const order = await shelves.orders.get(id);
  if (order === null) throw unknownResource();
  return order;
}

/** What the buyer does on PayPal's pages: says yes, and how they pay. */
export async function approveOrder(desk: Desk, id: string, funding: Funding): Promise<void> {
  const order = await findOrder(desk, id);
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED', 'This order is paid.');
  const approved: Order = { ...order, status: 'APPROVED', funding };
  await desk.shelves.orders.put(approved);
  desk.webhooks.emit('CHECKOUT.ORDER.APPROVED', 'checkout-order', await showOrder(desk, approved));
}

/** A pending capture clears, or comes to nothing. */
export async function settlePending(
  desk: Desk,
  captureId: string,
  outcome: 'COMPLETED' | 'DECLINED',
): Promise<void> {
  const capture = await desk.shelves.captures.get(captureId);
  if (capture === null) throw unknownResource();
  if (capture.status !== 'PENDING') return;
  const settled = { ...capture, status: outcome };
  await desk.shelves.captures.put(settled);
  await tellOfCapture(desk, settled);
}

async function createOrder({ shelves }: Desk, request: ApiRequest): Promise<Order> {
  const [unit] = readBody(request, createSchema).purchase_units;
  const { disbursement_mode, platform_fees } = unit.payment_instruction;
  const platformFee = platform_fees[0].amount;
  if (decimalToCents(unit.amount.value) === 0) {
    throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', 'The amount must be greater than zero.');
  }
  if (decimalToCents(platformFee.value) > decimalToCents(unit.amount.value)) {
    throw unprocessable('PLATFORM_FEE_EXCEEDED', 'The platform fee exceeds the amount.');
  }
  const merchant = await shelves.merchants.get(unit.payee.merchant_id);
  if (merchant === null) throw unprocessable('PAYEE_ACCOUNT_INVALID', 'There is no such payee.');
  if (!merchant.isReceivable) {
    throw unprocessable('PAYEE_ACCOUNT_RESTRICTED', 'The payee cannot take payments.');
  }
  const order: Order = {
    id: newId(),
    status: 'CREATED',
    createTime: now(),
    amount: unit.amount,
    platformFee,
    disbursementMode: disbursement_mode,
    merchantId: merchant.id,
    customId: unit.custom_id ?? null,
    invoiceId: unit.invoice_id ?? null,
    description: unit.description ?? '',
    funding: null,
    captureId: null,
    refundIds: [],
  };
  await shelves.orders.put(order);
  return order;
}

async function captureOrder(desk: Desk, order: Order): Promise<Order> {
  const { shelves } = desk;
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED', 'The order is captured.');
  if (order.status === 'CREATED') throw unprocessable('ORDER_NOT_APPROVED', 'The payer has not approved it.');
  if (await isInvoicePaid(desk, order))
    throw unprocessable('DUPLICATE_INVOICE_ID', 'This invoice has been paid.');
  if (order.funding === 'declined') {
    // The buyer chooses anew.
    await shelves.orders.put({ ...order, status: 'CREATED', funding: null });
    throw unprocessable('INSTRUMENT_DECLINED', 'The instrument presented was declined.');
  }
  const capture: Capture = {
    id: newId(),
    status: order.funding === 'pending' ? 'PENDING' : 'COMPLETED',
    createTime: now(),
    orderId: order.id,
    payoutItemId: null,
  };
  const captured: Order = { ...order, status: 'COMPLETED', captureId: capture.id };
  await shelves.captures.put(capture);
  // The one write that decides: a stop before it has taken nothing.
  await shelves.orders.put(captured);
  await tellOfCapture(desk, capture);
  if (capture.status === 'PENDING') desk.clearLater(capture.id);
  return captured;
}

async function isInvoicePaid({ shelves }: Desk, { invoiceId }: Order): Promise<boolean> {
  if (invoiceId === null) return false;
  return (await shelves.orders.list()).some(
    (order) => order.invoiceId === invoiceId && order.captureId !== null,
  );
}

const CAPTURE_EVENTS = {
  COMPLETED: 'PAYMENT.CAPTURE.COMPLETED',
  PENDING: 'PAYMENT.CAPTURE.PENDING',
  DECLINED: 'PAYMENT.CAPTURE.DECLINED',
} as const;

async function tellOfCapture(desk: Desk, capture: Capture): Promise<void> {
  const order = await findOrder(desk, capture.orderId);
  desk.webhooks.emit(CAPTURE_EVENTS[capture.status], 'capture', showCapture(desk, order, capture));
}

/** The capture and the order that it paid. @throws PaypalError RESOURCE_NOT_FOUND */
async function findCapture(desk: Desk, id: string): Promise<{ capture: Capture; order: Order }> {
  const capture = await desk.shelves.captures.get(id);
  if (capture === null) throw unknownResource();
  const order = await desk.shelves.orders.get(capture.orderId);
  if (order === null) throw new PaypalError(500, 'INTERNAL_SERVER_ERROR', 'A capture without its order.');
  return { capture, order };
}

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
