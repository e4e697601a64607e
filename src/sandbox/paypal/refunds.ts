import { z } from 'zod';
import { decimalToCents } from '#contract/base/money.ts';
import { type Api, readBody } from './http.ts';
import {
  type Capture,
  disputesOf,
  findCapture,
  link,
  type Money,
  minus,
  money,
  moneySchema,
  newId,
  now,
  type Order,
  type PaypalContext,
  type Refund,
} from './objects.ts';
import { forbidden, unprocessable } from './refusals.ts';

const refundSchema = z.object({
  amount: moneySchema.optional(),
  custom_id: z.string().max(127).optional(),
  invoice_id: z.string().max(127).optional(),
  note_to_payer: z.string().max(255).optional(),
  payment_instruction: z
    .object({ platform_fees: z.array(z.object({ amount: moneySchema })).max(1) })
    .optional(),
});

export function addRefunds(api: Api, ctx: PaypalContext): void {
  api.post('/v2/payments/captures/:id/refund', async (request) => {
    const { order } = await findCapture(ctx, request.id);
    if (request.onBehalfOf !== order.merchantId) throw forbidden('Only the payee can refund this capture.');
    const { amount, custom_id, payment_instruction } = readBody(request, refundSchema);
    const refund = await refundCapture(ctx, request.id, {
      amount,
      platformFee: payment_instruction?.platform_fees[0]?.amount,
      customId: custom_id,
    });
    return { status: 201, body: await showRefund(ctx, refund) };
  });
}

interface RefundOrder {
  /** By default all that is left. */
  readonly amount?: Money | undefined;
  /** The part of it that the platform pays from its fee. */
  readonly platformFee?: Money | undefined;
  readonly customId?: string | undefined;
}

/** Gives back what is left of a capture, or a part of it. */
export async function refundCapture(
  ctx: PaypalContext,
  captureId: string,
  given: RefundOrder = {},
): Promise<Refund> {
  const { stored } = ctx;
  const { order, capture } = await findCapture(ctx, captureId);
  const left = minus(order.amount, await refundedOf(ctx, order));
  if (capture.status !== 'COMPLETED') {
    throw unprocessable('PENDING_CAPTURE', 'Cannot initiate a refund as the capture is pending.');
  }
  if (decimalToCents(left.value) === 0) {
    throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded');
  }
  const { amount = left, platformFee = money(0), customId = null } = given;
  assertRefundable(amount, left);
  if (
    amount.value !== left.value &&
    (await disputesOf(ctx, captureId)).some(({ status }) => status !== 'RESOLVED')
  ) {
    throw unprocessable(
      'CAPTURE_DISPUTED_PARTIAL_REFUND_NOT_ALLOWED',
      'Refund for an amount less than the remaining transaction amount cannot be processed at this time because of an open dispute on the capture.',
    );
  }
  const feesLeft = minus(order.platformFee, ...(await liveRefunds(ctx, order)).map((one) => one.platformFee));
  if (decimalToCents(platformFee.value) > decimalToCents(feesLeft.value)) {
    throw unprocessable(
      'PLATFORM_FEE_EXCEEDED',
      'Platform fee amount specified exceeds the amount that is available for refund.',
    );
  }
  const refund: Refund = {
    id: newId(),
    status: order.funding === 'bank' ? 'PENDING' : 'COMPLETED',
    createTime: now(),
    captureId,
    amount,
    platformFee,
    customId,
  };
  await stored.refunds.put(refund);
  // This write decides: if the program stops before it, nothing is refunded.
  await stored.orders.put({ ...order, refundIds: [...order.refundIds, refund.id] });
  await emitRefund(ctx, refund);
  if (refund.status === 'PENDING') ctx.settleLater('refund', refund.id);
  return refund;
}

function assertRefundable(amount: Money, left: Money): void {
  if (amount.currency_code !== left.currency_code) {
    const message = 'Refund must be in the same currency as the capture';
    throw unprocessable('REFUND_CAPTURE_CURRENCY_MISMATCH', message);
  }
  if (decimalToCents(amount.value) === 0) {
    throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', 'Must be greater than zero.');
  }
  if (decimalToCents(amount.value) > decimalToCents(left.value)) {
    throw unprocessable(
      'REFUND_AMOUNT_EXCEEDED',
      'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
    );
  }
}

/** A pending refund reaches the buyer, or comes back and stays with the seller. */
export async function settleRefund(
  ctx: PaypalContext,
  id: string,
  outcome: 'COMPLETED' | 'FAILED',
): Promise<void> {
  const refund = await ctx.stored.refunds.find(id);
  if (refund.status !== 'PENDING') return;
  await emitRefund(ctx, await ctx.stored.refunds.put({ ...refund, status: outcome }));
}

const EVENTS = {
  COMPLETED: 'PAYMENT.CAPTURE.REFUNDED',
  PENDING: 'PAYMENT.REFUND.PENDING',
  FAILED: 'PAYMENT.REFUND.FAILED',
} as const;

async function emitRefund(ctx: PaypalContext, refund: Refund): Promise<void> {
  ctx.emit(EVENTS[refund.status], 'refund', await showRefund(ctx, refund));
}

/** The refunds of an order that have not failed, oldest first. */
export async function liveRefunds(
  { stored }: Pick<PaypalContext, 'stored'>,
  order: Order,
): Promise<Refund[]> {
  const refunds = await Promise.all(order.refundIds.map((id) => stored.refunds.find(id)));
  return refunds.filter(({ status }) => status !== 'FAILED');
}

async function refundedOf(ctx: PaypalContext, order: Order): Promise<Money> {
  return sumOf(await liveRefunds(ctx, order));
}

function sumOf(refunds: readonly Refund[]): Money {
  return money(refunds.reduce((sum, { amount }) => sum + decimalToCents(amount.value), 0));
}

/** A capture's status with its refunds. */
export async function statusWithRefunds(ctx: PaypalContext, order: Order, { status }: Capture) {
  const refunded = await refundedOf(ctx, order);
  if (decimalToCents(refunded.value) === 0) return status;
  return refunded.value === order.amount.value ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
}

export async function showRefund(ctx: PaypalContext, refund: Refund) {
  const { order } = await findCapture(ctx, refund.captureId);
  const known = await liveRefunds(ctx, order);
  const soFar = known.slice(0, known.findIndex(({ id }) => id === refund.id) + 1);
  const { amount, platformFee } = refund;
  return {
    id: refund.id,
    status: refund.status,
    ...(refund.status === 'PENDING' && { status_details: { reason: 'ECHECK' } }),
    amount,
    ...(refund.customId !== null && { custom_id: refund.customId }),
    ...(order.invoiceId !== null && { invoice_id: order.invoiceId }),
    seller_payable_breakdown: {
      gross_amount: amount,
      // PayPal keeps its fee.
      paypal_fee: money(0),
      platform_fees: [{ amount: platformFee }],
      net_amount: minus(amount, platformFee),
      total_refunded_amount: sumOf(soFar),
    },
    create_time: refund.createTime,
    update_time: refund.createTime,
    links: [
      link(ctx, 'self', 'GET', `/v2/payments/refunds/${refund.id}`),
      link(ctx, 'up', 'GET', `/v2/payments/captures/${refund.captureId}`),
    ],
  };
}
