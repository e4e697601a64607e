import { decimalToCents } from '#contract/base/money.ts';
import type { OutsidePayment, SandboxServer } from '#sandbox/server.ts';
import { settlePending } from './captures.ts';
import {
  appealDispute,
  closeDispute,
  type DisputeEnd,
  type DisputeOrder,
  escalateDispute,
  openDispute,
} from './disputes.ts';
import { changeMerchant, finishMerchant, type MerchantOutcome } from './merchants.ts';
import { type Funding, money, type PaypalContext } from './objects.ts';
import { approveOrder, payElsewhere } from './orders.ts';
import { disburse, settlePayout } from './payouts.ts';
import { refundCapture, settleRefund } from './refunds.ts';
import { completeReports } from './reports.ts';

export type PaypalOutside = ReturnType<typeof createOutside>;

/** What people and banks do at PayPal without asking ClipSwap. */
export function createOutside(ctx: PaypalContext, exclusive: SandboxServer['exclusive']) {
  return {
    /** The captures, newest first. */
    payments: () => exclusive(() => paymentsOf(ctx)),
    /** The buyer approves an order on PayPal's pages. */
    approveOrder: (orderId: string, funding: Funding = 'balance') =>
      exclusive(() => approveOrder(ctx, orderId, funding)),
    /** Somebody pays something else on our own account. @param amount cents @returns the capture's id */
    payElsewhere: (amount: number) => exclusive(() => payElsewhere(ctx, amount)),
    /** The seller completes the set-up there. @returns the merchant's id */
    finishOnboarding: (trackingId: string, outcome: MerchantOutcome = {}) =>
      exclusive(async () => (await finishMerchant(ctx, trackingId, outcome)).id),
    /** A pending capture clears or is declined. */
    settlePending: (captureId: string, outcome: 'COMPLETED' | 'DECLINED' = 'COMPLETED') =>
      exclusive(() => settlePending(ctx, captureId, outcome)),
    /** The seller refunds on PayPal's pages. @param amount cents, by default all that is left @returns the refund's id */
    refund: (captureId: string, { amount }: { amount?: number | undefined } = {}) =>
      exclusive(async () => {
        const part = amount === undefined ? {} : { amount: money(amount) };
        return (await refundCapture(ctx, captureId, part)).id;
      }),
    /** A pending refund reaches the buyer, or fails. */
    settleRefund: (refundId: string, outcome: 'COMPLETED' | 'FAILED') =>
      exclusive(() => settleRefund(ctx, refundId, outcome)),
    /** PayPal limits a seller's account, lets it receive again, or makes its payouts wait or fail. */
    changeMerchant: (merchantId: string, changes: Parameters<typeof changeMerchant>[2]) =>
      exclusive(() => changeMerchant(ctx, merchantId, changes)),
    /** A pending payout reaches the seller, or fails. */
    settlePayout: (itemId: string, status: 'SUCCESS' | 'FAILED') =>
      exclusive(() => settlePayout(ctx, itemId, status)),
    /** PayPal pays the seller by itself, as on day 28. */
    disburse: (captureId: string) => exclusive(() => disburse(ctx, captureId)),
    /** The transaction search shows all that has happened until now. */
    completeReports: () => exclusive(() => completeReports(ctx)),
    /** The buyer disputes the payment. @returns the dispute's id */
    openDispute: (captureId: string, dispute: DisputeOrder = {}) =>
      exclusive(() => openDispute(ctx, captureId, dispute)),
    /** From an inquiry to a chargeback, to pre-arbitration, to arbitration. */
    escalateDispute: (id: string) => exclusive(() => escalateDispute(ctx, id)),
    /** The seller appeals against a lost dispute. */
    appealDispute: (id: string) => exclusive(() => appealDispute(ctx, id)),
    /** The dispute is decided, also once more after an appeal. @param outcome for the seller */
    closeDispute: (id: string, outcome: DisputeEnd) => exclusive(() => closeDispute(ctx, id, outcome)),
  };
}

async function paymentsOf({ stored }: PaypalContext): Promise<OutsidePayment[]> {
  const [captures, disputes] = await Promise.all([stored.captures.list(), stored.disputes.list()]);
  const payments = captures.reverse().map(async ({ id, orderId, payoutItemId }) => {
    const { description, amount, merchantId, refundIds } = await stored.orders.find(orderId);
    const dispute = disputes.findLast(({ captureId }) => captureId === id);
    return {
      ...{ id, description, amount: decimalToCents(amount.value), seller: merchantId },
      refund: await stored.refunds.get(refundIds.at(-1) ?? ''),
      dispute: dispute ? { id: dispute.id, status: dispute.outcome ?? dispute.status } : null,
      payout: await stored.payoutItems.get(payoutItemId ?? ''),
    };
  });
  return Promise.all(payments);
}
