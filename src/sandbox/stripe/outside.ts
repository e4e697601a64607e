import type { OutsidePayment, SandboxServer } from '#sandbox/server.ts';
import { setAccountState } from './accounts.ts';
import { paidCharge } from './charges.ts';
import { appealDispute, type DisputeEnd, endDispute, escalateInquiry, makeDispute } from './disputes.ts';
import { payElsewhere } from './intents.ts';
import type { StripeContext } from './objects.ts';
import { failBankPayout, payOutToBank } from './payouts.ts';
import { type RefundOrder, refundCharge, settleRefund } from './refunds.ts';

export type StripeOutside = ReturnType<typeof createOutside>;

/** What people and banks do at Stripe without asking ClipSwap. */
export function createOutside(ctx: StripeContext, exclusive: SandboxServer['exclusive']) {
  return {
    /** The paid charges, newest first. */
    payments: () => exclusive(() => paymentsOf(ctx)),
    /** Refunds in Stripe's dashboard. @returns the refund's id */
    refund: (paymentIntentId: string, order: RefundOrder = {}) =>
      exclusive(async () => (await refundCharge(ctx, await paidCharge(ctx, paymentIntentId), order)).id),
    /** Somebody pays something else on the same account. @param amount cents @returns the payment's id */
    payElsewhere: (amount: number) => exclusive(() => payElsewhere(ctx, amount)),
    /** A refund reaches the cardholder; or their bank sends it back, even after it had succeeded. */
    settleRefund: (refundId: string, outcome: 'succeeded' | 'failed') =>
      exclusive(() => settleRefund(ctx, refundId, outcome)),
    /** The cardholder's bank disputes a payment. @param dispute its amount in cents, by default all @returns its id */
    openDispute: (paymentIntentId: string, dispute: Parameters<typeof makeDispute>[2] = {}) =>
      exclusive(async () => (await makeDispute(ctx, paymentIntentId, dispute)).id),
    /** The bank makes a chargeback of its inquiry. */
    escalateInquiry: (disputeId: string) => exclusive(() => escalateInquiry(ctx, disputeId)),
    /** We appeal against a lost dispute. */
    appealDispute: (disputeId: string) => exclusive(() => appealDispute(ctx, disputeId)),
    /** Stripe restricts a seller's account until a document is there (incomplete), rejects it, or lets it be paid again. */
    setAccountState: (accountId: string, state: 'incomplete' | 'rejected' | 'done') =>
      exclusive(() => setAccountState(ctx, accountId, state)),
    /** Sends all of a seller's balance to their bank: reversals are refused. @returns the payout's id */
    payOutToBank: (accountId: string) => exclusive(() => payOutToBank(ctx, accountId)),
    /** The seller's bank sends a payout back. */
    failBankPayout: (payoutId: string) => exclusive(() => failBankPayout(ctx, payoutId)),
    /** The bank decides, also once more after an appeal. @param outcome for ClipSwap */
    closeDispute: (disputeId: string, outcome: DisputeEnd) =>
      exclusive(() => endDispute(ctx, disputeId, outcome)),
  };
}

async function paymentsOf({ stored }: StripeContext): Promise<OutsidePayment[]> {
  const [refunds, disputes, payouts] = await Promise.all([
    stored.refunds.list(),
    stored.disputes.list(),
    stored.payouts.list(),
  ]);
  const charges = (await stored.charges.list()).filter(({ paid }) => paid);
  return charges.reverse().map(({ id, payment_intent, amount, description, metadata }) => {
    const refund = refunds.findLast(({ charge }) => charge === id);
    const dispute = disputes.findLast(({ charge }) => charge === id);
    const seller = metadata.receiver ?? '';
    const payout = payouts.findLast(({ account }) => account === seller)?.payout;
    return {
      ...{ id: String(payment_intent), description: description ?? '', amount, seller },
      refund: refund ? { id: refund.id, status: refund.status ?? '' } : null,
      dispute: dispute ? { id: dispute.id, status: dispute.status } : null,
      payout: payout ? { id: payout.id, status: payout.status } : null,
    };
  });
}
