import { z } from 'zod';
import { decimalToCents } from '#contract/money.ts';
import { PaypalError, unknownResource, unprocessable } from './errors.ts';
import { type Api, type ApiRequest, param, readBody } from './http.ts';
import { type Capture, type Funding, moneySchema, newId, now, type Order } from './objects.ts';
import { type Desk, showCapture, showOrder } from './views.ts';

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
export async function findCapture(desk: Desk, id: string): Promise<{ capture: Capture; order: Order }> {
  const capture = await desk.shelves.captures.get(id);
  if (capture === null) throw unknownResource();
  const order = await desk.shelves.orders.get(capture.orderId);
  if (order === null) throw new PaypalError(500, 'INTERNAL_SERVER_ERROR', 'A capture without its order.');
  return { capture, order };
}
