import type Stripe from 'stripe';
import { uuidOrNull } from '#server/core/uuid.ts';
import type { PaymentOrder, PaymentState, Refund, RefundRequest } from '../payments.ts';
import { asking, createWithFreshKey, idOf, isRefusal, isReplay, orNull } from './client.ts';

/** Everything that a payment's state needs, in one answer. */
export const EXPAND = ['latest_charge.balance_transaction', 'latest_charge.refunds', 'payment_method'];

const STATUSES: Readonly<Record<string, PaymentState['status']>> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'requires_action',
  requires_capture: 'processing',
  processing: 'processing',
  succeeded: 'succeeded',
  canceled: 'cancelled',
};

/** Connects a payment with its refund and payout in Stripe. */
export const transferGroup = (publicId: string) => `payment_${publicId}`;

/**
 * Charges the buyer on ClipSwap's own account. A transfer moves the seller's share when the hold ends.
 * @throws ProviderRefusal, ProviderUnreachable
 */
export function createPayment(stripe: Stripe, order: PaymentOrder): Promise<PaymentState> {
  return asking(async () => {
    const intent = await createWithFreshKey(order.idempotencyKey, (idempotencyKey) =>
      stripe.paymentIntents.create(
        {
          amount: order.amount,
          currency: order.currency.toLowerCase(),
          // Not `automatic_payment_methods`: the dashboard could switch on methods that we do not handle.
          allowed_payment_method_types: ['card'],
          description: order.description,
          transfer_group: transferGroup(order.publicId),
          metadata: { payment_id: order.publicId, bid_id: order.bidId, receiver: order.receiver },
          expand: EXPAND,
        },
        { idempotencyKey },
      ),
    );
    return currentState(stripe, intent);
  });
}

/** Null when Stripe has no such payment. @throws ProviderRefusal, ProviderUnreachable */
export function readPayment(stripe: Stripe, ref: string): Promise<PaymentState | null> {
  return orNull(asking(() => retrieve(stripe, ref)));
}

/**
 * Makes the payment impossible to pay. If it is paid, processing or already cancelled, returns it as it is.
 * @throws ProviderRefusal, ProviderUnreachable
 */
export function cancelPayment(stripe: Stripe, ref: string, idempotencyKey: string): Promise<PaymentState> {
  return orCurrentState(stripe, ref, async () => {
    const intent = await stripe.paymentIntents.cancel(ref, { expand: EXPAND }, { idempotencyKey });
    return currentState(stripe, intent);
  });
}

/** Changes a payment; returns its current state if it moved on in the meantime. */
export async function orCurrentState(stripe: Stripe, ref: string, act: () => Promise<PaymentState>) {
  try {
    return await asking(act);
  } catch (error) {
    if (isRefusal(error, 'payment_intent_unexpected_state')) return asking(() => retrieve(stripe, ref));
    throw error;
  }
}

/** The state of a payment from an answer; reads it again if the answer is a replay. */
export function currentState(
  stripe: Stripe,
  intent: Stripe.Response<Stripe.PaymentIntent>,
): Promise<PaymentState> {
  return isReplay(intent) ? retrieve(stripe, intent.id) : stateOf(stripe, intent);
}

async function retrieve(stripe: Stripe, ref: string): Promise<PaymentState> {
  return stateOf(stripe, await stripe.paymentIntents.retrieve(ref, { expand: EXPAND }));
}

async function stateOf(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<PaymentState> {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
  const status = STATUSES[intent.status] ?? 'processing';
  // A declined attempt leaves a charge too; only a paid charge belongs to the payment.
  const paid = charge?.paid ? charge : null;
  return {
    ref: intent.id,
    publicId: uuidOrNull(intent.metadata.payment_id),
    status,
    amount: intent.amount,
    currency: intent.currency.toUpperCase(),
    receiver: intent.metadata.receiver ?? null,
    clientSecret: intent.client_secret,
    chargeRef: idOf(paid),
    providerFee: paid && feeOf(paid),
    keptCard: status === 'succeeded' ? keptCardOf(intent) : null,
    refund: paid && fullRefund(paid.refunds?.data ?? [], intent.amount),
    dispute: paid?.disputed ? await latestDispute(stripe, intent.id) : null,
    failureText: status === 'open' ? (intent.last_payment_error?.message ?? null) : null,
  };
}

function feeOf({ balance_transaction: booking, currency }: Stripe.Charge): number | null {
  if (booking === null || typeof booking === 'string') return null;
  // An account that settles in another currency reports its fee in that currency, not in CAD cents.
  return booking.currency === currency ? booking.fee : null;
}

function keptCardOf({ payment_method: method, setup_future_usage: usage }: Stripe.PaymentIntent) {
  if (usage === null || method === null || typeof method === 'string' || !method.card) return null;
  const { brand, last4, exp_month, exp_year } = method.card;
  return { token: method.id, brand, lastFour: last4, expiryMonth: exp_month, expiryYear: exp_year };
}

async function latestDispute(stripe: Stripe, intentId: string): Promise<PaymentState['dispute']> {
  const { data } = await stripe.disputes.list({ payment_intent: intentId, limit: 1 });
  const [dispute] = data;
  return dispute ? { ref: dispute.id, status: disputeStatus(dispute), amount: dispute.amount } : null;
}

function disputeStatus({ status }: Stripe.Dispute): 'open' | 'won' | 'lost' {
  if (status === 'lost') return 'lost';
  // A closed warning and a prevented dispute took no money.
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open';
}

/**
 * Refunds the whole payment; returns the existing refund if there is one.
 * @throws ProviderRefusal, ProviderUnreachable
 */
export async function refundPayment(stripe: Stripe, request: RefundRequest): Promise<Refund> {
  const { ref, amount, publicId, idempotencyKey } = request;
  try {
    return await asking(async () => {
      const metadata = { payment_id: publicId };
      return refundOf(
        await stripe.refunds.create({ payment_intent: ref, amount, metadata }, { idempotencyKey }),
      );
    });
  } catch (error) {
    if (!isRefusal(error, 'charge_already_refunded')) throw error;
    const { data } = await asking(() => stripe.refunds.list({ payment_intent: ref, limit: 100 }));
    const made = fullRefund(data, amount);
    if (made === null) throw error;
    return made;
  }
}

/** The latest full refund; a failed one only if there is no other. Stripe lists the newest first. */
function fullRefund(refunds: readonly Stripe.Refund[], amount: number): Refund | null {
  const full = refunds.filter((refund) => refund.amount === amount).map(refundOf);
  return full.find(({ status }) => status !== 'failed') ?? full[0] ?? null;
}

function refundOf({ id, status, amount }: Stripe.Refund): Refund {
  return { ref: id, amount, status: REFUND_STATUSES[status ?? ''] ?? 'pending' };
}

const REFUND_STATUSES: Readonly<Record<string, Refund['status']>> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};
