import type Stripe from 'stripe';
import { earliest } from '#server/core/clock.ts';
import { uuidOrNull } from '#server/core/uuid.ts';
import {
  isRefusal,
  NOTHING_MOVED,
  type PaymentOrder,
  type PaymentState,
  type Refund,
  type RefundRequest,
} from '../payments.ts';
import { asking, createWithFreshKey, idOf, isReplay, orNull } from './client.ts';
import { listPayouts, namedBy, publicIdOf, transferGroup } from './payouts.ts';

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
    ...(await moneyOf(stripe, intent, paid)),
    keptCard: status === 'succeeded' ? keptCardOf(intent) : null,
    failureText: status === 'open' ? (intent.last_payment_error?.message ?? null) : null,
  };
}

function feeOf({ balance_transaction: booking, currency }: Stripe.Charge): number | null {
  if (booking === null || typeof booking === 'string') return null;
  // An account that settles in another currency reports its fee in that currency, not in ours.
  return booking.currency === currency ? booking.fee : null;
}

function keptCardOf({ payment_method: method, setup_future_usage: usage }: Stripe.PaymentIntent) {
  if (usage === null || method === null || typeof method === 'string' || !method.card) return null;
  const { brand, last4, exp_month, exp_year } = method.card;
  return { token: method.id, brand, lastFour: last4, expiryMonth: exp_month, expiryYear: exp_year };
}

/** The totals of a paid charge, and its transfers. */
export async function moneyOf(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  paid: Stripe.Charge | null,
): Promise<Pick<PaymentState, 'totals' | 'isDisputed' | 'evidenceDueAt' | 'payouts'>> {
  if (paid === null) return { totals: NOTHING_MOVED, isDisputed: false, evidenceDueAt: null, payouts: [] };
  const [refunds, disputes, payouts] = await Promise.all([
    listRefunds(stripe, paid),
    paid.disputed ? listDisputes(stripe, intent.id) : [],
    listPayouts(stripe, publicIdOf(intent.metadata)),
  ]);
  const fee = feeOf(paid);
  const refundedAs = (wanted: Refund['status']) =>
    sum(refunds.filter(({ status }) => wanted === refundStatus(status)).map(({ amount }) => amount));
  return {
    totals: {
      captured: paid.amount_captured,
      providerFees: fee === null ? null : fee + sum(disputes.map((dispute) => dispute.fees)),
      refunded: refundedAs('succeeded'),
      refundPending: refundedAs('pending'),
      refundFailed: refundedAs('failed'),
      feesRefunded: null,
      withdrawn: sum(disputes.map((dispute) => dispute.withdrawn)),
      lost: sum(disputes.map((dispute) => dispute.lost)),
    },
    isDisputed: disputes.some(({ isOpen }) => isOpen),
    evidenceDueAt: earliest(disputes.map(({ evidenceDueAt }) => evidenceDueAt)),
    payouts,
  };
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** The charge lists its ten latest refunds. */
async function listRefunds(stripe: Stripe, charge: Stripe.Charge): Promise<readonly Stripe.Refund[]> {
  if (charge.refunds && !charge.refunds.has_more) return charge.refunds.data;
  return stripe.refunds.list({ charge: charge.id, limit: 100 }).autoPagingToArray({ limit: 1_000 });
}

/** The statuses of a dispute that is decided. Any other, of an inquiry or an appeal too, counts as open. */
const DECIDED: readonly string[] = ['won', 'lost', 'warning_closed', 'prevented'];
/** Decided against us. A dispute that was won counts as lost no longer, even before its money is back. */
const LOST: readonly string[] = ['lost', 'prevented'];

/** What disputes have moved: the balance transactions say so, and an inquiry has none. */
async function listDisputes(stripe: Stripe, intentId: string) {
  const { data } = await stripe.disputes.list({ payment_intent: intentId, limit: 100 });
  return data.map(({ status, currency, balance_transactions, evidence_details: { due_by } }) => {
    const bookings = balance_transactions.filter((booking) => booking.currency === currency);
    const withdrawn = -sum(bookings.map(({ amount }) => amount));
    return {
      isOpen: !DECIDED.includes(status),
      evidenceDueAt: status.endsWith('needs_response') && due_by !== null ? new Date(due_by * 1_000) : null,
      withdrawn,
      lost: LOST.includes(status) ? withdrawn : 0,
      fees: sum(bookings.map(({ fee }) => fee)),
    };
  });
}

/** Refunds a part or all of what is left. @throws ProviderRefusal, ProviderUnreachable */
export function refundPayment(stripe: Stripe, request: RefundRequest): Promise<Refund> {
  const { ref, amount, idempotencyKey } = request;
  return asking(async () => {
    const metadata = namedBy(request);
    const made = await stripe.refunds.create({ payment_intent: ref, amount, metadata }, { idempotencyKey });
    return { ref: made.id, amount: made.amount, status: refundStatus(made.status) };
  });
}

const REFUND_STATUSES: Readonly<Record<string, Refund['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

const refundStatus = (status: string | null) => REFUND_STATUSES[status ?? ''] ?? 'pending';
