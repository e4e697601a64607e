import { z } from 'zod';
import { decimalToCents } from '#contract/base/money.ts';
import { type Api, readBody } from './http.ts';
import {
  disputesOf,
  findCapture,
  link,
  type Money,
  minus,
  money,
  newId,
  now,
  type Order,
  type PayoutItem,
  type PaypalContext,
  paypalFee,
  takenOf,
} from './objects.ts';
import { liveRefunds } from './refunds.ts';
import { unprocessable } from './refusals.ts';

const payoutSchema = z.object({ reference_type: z.literal('TRANSACTION_ID'), reference_id: z.string() });

export function addPayouts(api: Api, ctx: PaypalContext): void {
  const path = '/v1/payments/referenced-payouts-items';

  api.post(path, async (request) => {
    const { item, isNew } = await payOut(ctx, readBody(request, payoutSchema).reference_id);
    return { status: isNew ? 201 : 200, body: showPayoutItem(ctx, item) };
  });

  api.get(`${path}/:id`, async ({ id }) => ({
    status: 200,
    body: showPayoutItem(ctx, await ctx.stored.payoutItems.find(id)),
  }));
}

/** Pays a delayed capture out to its seller, once. One that failed can be asked for again. */
async function payOut(ctx: PaypalContext, captureId: string): Promise<{ item: PayoutItem; isNew: boolean }> {
  const { stored } = ctx;
  const { order, capture } = await findCapture(ctx, captureId);
  const known = capture.payoutItemId === null ? null : await stored.payoutItems.get(capture.payoutItemId);
  if (known?.isAutomatic) {
    const status = { status: 'FAILED', reason: 'PAYOUT_ALREADY_COMPLETED_FOR_REFERENCE' } as const;
    return { item: await stored.payoutItems.put({ ...known, id: newId(32), ...status }), isNew: true };
  }
  if (known !== null && known.status !== 'FAILED') return { item: known, isNew: false };
  const amount = await heldOf(ctx, order);
  if (capture.status !== 'COMPLETED' || decimalToCents(amount.value) === 0) {
    throw unprocessable('NO_FUNDS_TO_DISBURSE', 'Nothing is held for this transaction.');
  }
  const item: PayoutItem = {
    ...{ id: newId(32), captureId, amount, merchantId: order.merchantId, at: now(), isAutomatic: false },
    ...(await outcomeOf(ctx, order, captureId)),
  };
  await stored.payoutItems.put(item);
  await stored.captures.put({ ...capture, payoutItemId: item.id });
  emitItem(ctx, item);
  return { item, isNew: true };
}

/** Whether the payout is made, and if not, why. */
async function outcomeOf(
  ctx: PaypalContext,
  { merchantId }: Order,
  captureId: string,
): Promise<Pick<PayoutItem, 'status' | 'reason'>> {
  const { isReceivable, payouts } = await ctx.stored.merchants.find(merchantId);
  const isDisputed = (await disputesOf(ctx, captureId)).some(({ status }) => status !== 'RESOLVED');
  if (isDisputed) return { status: 'FAILED', reason: 'TRANSACTION_UNDER_DISPUTE' };
  if (!isReceivable) return { status: 'FAILED', reason: 'MERCHANT_RESTRICTIONS' };
  if (payouts === 'fail') return { status: 'FAILED', reason: 'INTERNAL_ERROR' };
  return { status: payouts === 'pend' ? 'PENDING' : 'SUCCESS', reason: null };
}

/** A pending payout reaches the seller, or fails. */
export async function settlePayout(
  ctx: PaypalContext,
  id: string,
  status: 'SUCCESS' | 'FAILED',
): Promise<void> {
  const item = await ctx.stored.payoutItems.find(id);
  if (item.status !== 'PENDING') return;
  const reason = status === 'FAILED' ? 'INTERNAL_ERROR' : null;
  emitItem(ctx, await ctx.stored.payoutItems.put({ ...item, status, reason }));
}

/** On day 28 PayPal pays the seller by itself, and tells nobody. */
export async function disburse(ctx: PaypalContext, captureId: string): Promise<void> {
  const { order, capture } = await findCapture(ctx, captureId);
  const amount = await heldOf(ctx, order);
  const isPaid = capture.payoutItemId !== null;
  if (isPaid || decimalToCents(amount.value) === 0)
    throw unprocessable('NO_FUNDS_TO_DISBURSE', 'Nothing is held.');
  const id = newId(32);
  const paid = { status: 'SUCCESS', reason: null, isAutomatic: true, at: now() } as const;
  await ctx.stored.payoutItems.put({ id, captureId, amount, merchantId: order.merchantId, ...paid });
  await ctx.stored.captures.put({ ...capture, payoutItemId: id });
}

/** What PayPal holds for the seller before a payout. */
async function heldOf(ctx: PaypalContext, order: Order): Promise<Money> {
  const { amount, platformFee, disbursementMode, captureId } = order;
  if (disbursementMode === 'INSTANT') return money(0);
  const refunded = (await liveRefunds(ctx, order)).map((refund) => minus(refund.amount, refund.platformFee));
  const taken = (await disputesOf(ctx, captureId ?? '')).map((dispute) => money(takenOf(dispute)));
  return minus(amount, platformFee, paypalFee(amount), ...refunded, ...taken);
}

function emitItem(ctx: PaypalContext, item: PayoutItem): void {
  if (item.status === 'PENDING') return;
  const name = item.status === 'SUCCESS' ? 'COMPLETED' : 'FAILED';
  ctx.emit(`PAYMENT.REFERENCED-PAYOUT-ITEM.${name}`, 'referenced-payout-item', showPayoutItem(ctx, item));
}

function showPayoutItem(ctx: PaypalContext, item: PayoutItem) {
  return {
    item_id: item.id,
    processing_state: { status: item.status, ...(item.reason !== null && { reason: item.reason }) },
    reference_id: item.captureId,
    reference_type: 'TRANSACTION_ID',
    payout_amount: item.amount,
    payout_destination: item.merchantId,
    links: [link(ctx, 'self', 'GET', `/v1/payments/referenced-payouts-items/${item.id}`)],
  };
}
