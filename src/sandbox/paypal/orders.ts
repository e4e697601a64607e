import { z } from 'zod';
import { decimalToCents } from '#contract/base/money.ts';
import { emitCapture, idsOf, showCapture } from './captures.ts';
import { type Api, type ApiRequest, readBody } from './http.ts';
import {
  type Capture,
  type Funding,
  link,
  money,
  moneySchema,
  newId,
  now,
  type Order,
  type PaypalContext,
} from './objects.ts';
import { showRefund } from './refunds.ts';
import { unprocessable } from './refusals.ts';

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

export function addOrders(api: Api, ctx: PaypalContext): void {
  api.post('/v2/checkout/orders', async (request) => {
    const order = await createOrder(ctx, request);
    return { status: 201, body: await showOrder(ctx, order) };
  });

  api.get('/v2/checkout/orders/:id', async (request) => ({
    status: 200,
    body: await showOrder(ctx, await ctx.stored.orders.find(request.id)),
  }));

  api.post('/v2/checkout/orders/:id/capture', async (request) => {
    const order = await captureOrder(ctx, await ctx.stored.orders.find(request.id));
    return { status: 201, body: await showOrder(ctx, order) };
  });
}

/** The buyer approves the order on PayPal's pages. */
export async function approveOrder(ctx: PaypalContext, id: string, funding: Funding): Promise<void> {
  const order = await ctx.stored.orders.find(id);
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED', 'This order is paid.');
  const approved: Order = { ...order, status: 'APPROVED', funding };
  await ctx.stored.orders.put(approved);
  ctx.emit('CHECKOUT.ORDER.APPROVED', 'checkout-order', await showOrder(ctx, approved));
}

async function createOrder({ stored }: PaypalContext, request: ApiRequest): Promise<Order> {
  const [unit] = readBody(request, createSchema).purchase_units;
  const { disbursement_mode, platform_fees } = unit.payment_instruction;
  const platformFee = platform_fees[0].amount;
  if (decimalToCents(unit.amount.value) === 0) {
    throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', 'The amount must be greater than zero.');
  }
  if (decimalToCents(platformFee.value) > decimalToCents(unit.amount.value)) {
    throw unprocessable('PLATFORM_FEE_EXCEEDED', 'The platform fee exceeds the amount.');
  }
  const merchant = await stored.merchants.get(unit.payee.merchant_id);
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
  await stored.orders.put(order);
  return order;
}

/** Somebody pays something else on our own account: ClipSwap has not asked for it. @returns the capture's id */
export async function payElsewhere(ctx: PaypalContext, amount: number): Promise<string> {
  const id = newId();
  await ctx.stored.orders.put({
    id,
    status: 'CREATED',
    createTime: now(),
    amount: money(amount),
    platformFee: money(0),
    disbursementMode: 'INSTANT',
    merchantId: ctx.partnerId,
    customId: null,
    invoiceId: `SHOP-${id}`,
    description: 'Invoice of another shop',
    funding: null,
    captureId: null,
    refundIds: [],
  });
  await approveOrder(ctx, id, 'balance');
  const { captureId } = await captureOrder(ctx, await ctx.stored.orders.find(id));
  return captureId ?? '';
}

async function captureOrder(ctx: PaypalContext, order: Order): Promise<Order> {
  const { stored } = ctx;
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED', 'The order is captured.');
  if (order.status === 'CREATED') throw unprocessable('ORDER_NOT_APPROVED', 'The payer has not approved it.');
  if (await isInvoicePaid(ctx, order))
    throw unprocessable('DUPLICATE_INVOICE_ID', 'This invoice has been paid.');
  if (order.funding === 'declined') {
    // The buyer has to choose again.
    await stored.orders.put({ ...order, status: 'CREATED', funding: null });
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
  await stored.captures.put(capture);
  // This write decides: if the program stops before it, nothing is paid.
  await stored.orders.put(captured);
  await emitCapture(ctx, capture);
  if (capture.status === 'PENDING') ctx.settleLater('capture', capture.id);
  return captured;
}

async function isInvoicePaid({ stored }: PaypalContext, { invoiceId }: Order): Promise<boolean> {
  if (invoiceId === null) return false;
  return (await stored.orders.list()).some(
    (order) => order.invoiceId === invoiceId && order.captureId !== null,
  );
}

/** @returns the order in PayPal's format, with its captures and refunds */
async function showOrder(ctx: PaypalContext, order: Order) {
  const { stored } = ctx;
  const capture = order.captureId === null ? null : await stored.captures.get(order.captureId);
  const refunds = await Promise.all(
    order.refundIds.map(async (id) => showRefund(ctx, await stored.refunds.find(id))),
  );
  const payments = capture && {
    captures: [await showCapture(ctx, order, capture)],
    ...(refunds.length > 0 && { refunds }),
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
      link(ctx, 'self', 'GET', `/v2/checkout/orders/${order.id}`),
      link(ctx, 'capture', 'POST', `/v2/checkout/orders/${order.id}/capture`),
    ],
  };
}
