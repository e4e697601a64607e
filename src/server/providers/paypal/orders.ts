import { t } from '@lingui/core/macro';
import type { z } from 'zod';
import { baseCurrency, centsToDecimal } from '#contract/base/money.ts';
import { uuidOrNull } from '#server/core/uuid.ts';
import type { PaymentOrder, PaymentState, ProviderTotals, Refund, RefundRequest } from '../payments.ts';
import { isRefusal, NOTHING_MOVED, ProviderRefusal } from '../payments.ts';
import { orNull, type PaypalClient } from './client.ts';
import { readDisputes } from './disputes.ts';
import { readPayout } from './payouts.ts';
import { captureSchema, orderSchema, refundSchema } from './schemas.ts';

type Order = z.infer<typeof orderSchema>;
type Capture = z.infer<typeof captureSchema>;

const declinedText = () => t`PayPal could not take the payment this way. Please choose another way to pay.`;

/** The payment status for each capture status. A refunded capture succeeded before. */
const CAPTURE_STATUSES: Readonly<Record<string, PaymentState['status']>> = {
  COMPLETED: 'succeeded',
  PARTIALLY_REFUNDED: 'succeeded',
  REFUNDED: 'succeeded',
  PENDING: 'processing',
  DECLINED: 'failed',
  FAILED: 'failed',
};

const REFUND_STATUSES: Readonly<Record<string, Refund['status']>> = {
  COMPLETED: 'succeeded',
  PENDING: 'pending',
  CANCELLED: 'failed',
  FAILED: 'failed',
};

/** Creates an order that pays the seller and leaves the fee with the platform. A later capture takes the money. */
export async function createOrder(ask: PaypalClient, order: PaymentOrder): Promise<PaymentState> {
  const money = (cents: number) => ({ currency_code: order.currency, value: centsToDecimal(cents) });
  const made = await ask(
    {
      method: 'POST',
      path: '/v2/checkout/orders',
      idempotencyKey: order.idempotencyKey,
      onBehalfOf: order.receiver,
      body: {
        intent: 'CAPTURE',
        purchase_units: [
          {
            amount: money(order.amount),
            payee: { merchant_id: order.receiver },
            description: order.description.slice(0, 127),
            custom_id: order.publicId,
            // PayPal refuses a second capture with the same invoice id: a last guard against paying twice.
            invoice_id: `clipswap-${order.publicId}`,
            payment_instruction: {
              disbursement_mode: 'DELAYED',
              platform_fees: [{ amount: money(order.platformFee) }],
            },
          },
        ],
        // Coupons are not shipped, so PayPal need not ask for an address.
        application_context: { shipping_preference: 'NO_SHIPPING', user_action: 'PAY_NOW' },
      },
    },
    orderSchema,
  );
  return stateOf(made);
}

/** The current state of the order, its capture, its disputes and the payout that we know of; null when there is no such order. */
export async function readOrder(
  ask: PaypalClient,
  ref: string,
  payoutRef: string | null = null,
): Promise<PaymentState | null> {
  const order = await orNull(ask({ method: 'GET', path: orderPath(ref) }, orderSchema));
  if (order === null) return null;
  const known = captureOf(order);
  if (!known) return stateOf(order);
  // The capture is authoritative; the order's copy of it may lag behind.
  const capture = await orNull(ask({ method: 'GET', path: capturePath(known.id) }, captureSchema));
  const state = stateOf(order, capture ?? known);
  const { withdrawn, isDisputed, evidenceDueAt } = await readDisputes(ask, known.id, state.receiver);
  const payout = payoutRef === null ? null : await readPayout(ask, payoutRef);
  return {
    ...state,
    totals: { ...state.totals, withdrawn, lost: withdrawn },
    isDisputed,
    evidenceDueAt,
    payouts: payout === null ? [] : [payout],
  };
}

/** Captures an approved order. An order that the buyer has not approved yet is returned as `open`. */
export async function captureOrder(
  ask: PaypalClient,
  { ref, receiver, idempotencyKey }: { ref: string; receiver: string; idempotencyKey: string },
): Promise<PaymentState> {
  try {
    const order = await ask(
      { method: 'POST', path: `${orderPath(ref)}/capture`, body: {}, idempotencyKey, onBehalfOf: receiver },
      orderSchema,
    );
    const state = stateOf(order);
    // A minimal answer may omit the receiver or our id, which the settlement compares.
    return state.receiver === null || state.publicId === null ? await readKnownOrder(ask, ref) : state;
  } catch (error) {
    if (isRefusal(error, 'ORDER_ALREADY_CAPTURED', 'ORDER_NOT_APPROVED', 'PAYER_ACTION_REQUIRED')) {
      return readKnownOrder(ask, ref);
    }
    if (isRefusal(error, 'INSTRUMENT_DECLINED')) {
      const state = await readKnownOrder(ask, ref);
      return isUnpaid(state) ? { ...state, failureText: declinedText() } : state;
    }
    throw error;
  }
}

/**
 * PayPal cannot cancel an order. It need not: an order without a capture takes no money and expires. A captured one is
 * returned as it is.
 */
export async function cancelOrder(ask: PaypalClient, ref: string): Promise<PaymentState> {
  const state = await readKnownOrder(ask, ref);
  return isUnpaid(state) ? { ...state, status: 'cancelled' } : state;
}

const isUnpaid = ({ status }: PaymentState) => status === 'open' || status === 'approved';

/** Refunds a part of the capture, and of the platform fee with it, on behalf of the seller. */
export async function refundCapture(ask: PaypalClient, request: RefundRequest): Promise<Refund> {
  const money = (cents: number) => ({ currency_code: baseCurrency(), value: centsToDecimal(cents) });
  const made = await ask(
    {
      method: 'POST',
      path: `${capturePath(request.chargeRef)}/refund`,
      idempotencyKey: request.idempotencyKey,
      onBehalfOf: request.receiver,
      body: {
        amount: money(request.amount),
        custom_id: request.publicId,
        payment_instruction: { platform_fees: [{ amount: money(request.platformFee) }] },
      },
    },
    refundSchema,
  );
  return {
    ref: made.id,
    status: REFUND_STATUSES[made.status] ?? 'pending',
    amount: made.amount?.cents ?? request.amount,
  };
}

/** What a capture passes on to the seller; null when there is no such capture. */
export async function readCapture(ask: PaypalClient, captureId: string): Promise<Capture | null> {
  return orNull(ask({ method: 'GET', path: capturePath(captureId) }, captureSchema));
}

async function readKnownOrder(ask: PaypalClient, ref: string): Promise<PaymentState> {
  const state = await readOrder(ask, ref);
  if (state === null) throw new ProviderRefusal('RESOURCE_NOT_FOUND', 'PayPal knows of no such order');
  return state;
}

function orderPath(ref: string): string {
  return `/v2/checkout/orders/${encodeURIComponent(ref)}`;
}

function capturePath(captureId: string): string {
  return `/v2/payments/captures/${encodeURIComponent(captureId)}`;
}

function captureOf(order: Order): Capture | undefined {
  return order.purchase_units[0].payments?.captures?.at(-1);
}

function stateOf(order: Order, capture = captureOf(order)): PaymentState {
  const [unit] = order.purchase_units;
  return {
    ref: order.id,
    publicId: uuidOrNull(unit.custom_id),
    status: statusOf(order, capture),
    amount: unit.amount.cents,
    currency: unit.amount.currency,
    receiver: unit.payee?.merchant_id ?? null,
    clientSecret: null,
    chargeRef: capture?.id ?? null,
    totals: totalsOf(order, capture),
    isDisputed: false,
    evidenceDueAt: null,
    payouts: [],
    keptCard: null,
    failureText: null,
  };
}

function statusOf(order: Order, capture: Capture | undefined): PaymentState['status'] {
  // An unknown status counts as processing.
  if (capture) return CAPTURE_STATUSES[capture.status] ?? 'processing';
  if (order.status === 'VOIDED') return 'cancelled';
  if (order.status === 'APPROVED') return 'approved';
  return order.status === 'COMPLETED' ? 'processing' : 'open';
}

function totalsOf(order: Order, capture: Capture | undefined): ProviderTotals {
  if (!capture || statusOf(order, capture) !== 'succeeded') return NOTHING_MOVED;
  const refunds = order.purchase_units[0].payments?.refunds ?? [];
  const refundedAs = (wanted: Refund['status']) =>
    refunds.filter(({ status }) => (REFUND_STATUSES[status] ?? 'pending') === wanted);
  const sum = (some: typeof refunds) => some.reduce((total, { amount }) => total + (amount?.cents ?? 0), 0);
  const fees = refundedAs('succeeded').flatMap(
    (refund) => refund.seller_payable_breakdown?.platform_fees ?? [],
  );
  return {
    ...NOTHING_MOVED,
    captured: capture.amount.cents,
    providerFees: capture.seller_receivable_breakdown?.paypal_fee?.cents ?? null,
    refunded: sum(refundedAs('succeeded')),
    refundPending: sum(refundedAs('pending')),
    refundFailed: sum(refundedAs('failed')),
    feesRefunded: fees.reduce((total, { amount }) => total + amount.cents, 0),
  };
}
