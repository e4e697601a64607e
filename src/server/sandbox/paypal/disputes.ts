import type { Api } from './http.ts';
import { type Dispute, findCapture, link, newId, now, type Order, type PaypalContext } from './objects.ts';

export function addDisputes(api: Api, ctx: PaypalContext): void {
  const show = async (dispute: Dispute) =>
    showDispute(ctx, dispute, (await findCapture(ctx, dispute.captureId)).order);

  api.get('/v1/customer/disputes', async ({ query }) => {
    const disputes = await ctx.stored.disputes.list();
    const wanted = disputes.filter(({ captureId }) => captureId === query.disputed_transaction_id);
    return { status: 200, body: { items: await Promise.all(wanted.map(show)) } };
  });

  api.get('/v1/customer/disputes/:id', async ({ id }) => ({
    status: 200,
    body: await show(await ctx.stored.disputes.find(id)),
  }));
}

/** The buyer disputes the payment. @returns the dispute's id */
export async function openDispute(ctx: PaypalContext, captureId: string): Promise<string> {
  const { order } = await findCapture(ctx, captureId);
  const id = `PP-D-${newId(6)}`;
  const dispute = { id, createTime: now(), captureId, amount: order.amount, outcome: null };
  await ctx.stored.disputes.put(dispute);
  ctx.emit('CUSTOMER.DISPUTE.CREATED', 'dispute', showDispute(ctx, dispute, order));
  return id;
}

/** @param outcome for the seller */
export async function closeDispute(ctx: PaypalContext, id: string, outcome: 'won' | 'lost'): Promise<void> {
  const dispute = await ctx.stored.disputes.find(id);
  const code = outcome === 'won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR';
  const closed = { ...dispute, outcome: code } as const;
  await ctx.stored.disputes.put(closed);
  const { order } = await findCapture(ctx, dispute.captureId);
  ctx.emit('CUSTOMER.DISPUTE.RESOLVED', 'dispute', showDispute(ctx, closed, order));
}

function showDispute(ctx: PaypalContext, dispute: Dispute, order: Order) {
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
    links: [link(ctx, 'self', 'GET', `/v1/customer/disputes/${dispute.id}`)],
  };
}
