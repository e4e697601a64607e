import { DEFAULT_FEE_RATES } from '#contract/money/fees.ts';
import { NO_TOTALS, type Totals } from '#server/money/books/ledger.ts';
import type { PaymentFacts } from '#server/money/payments/facts.ts';
import type { OperationKind } from '#server/money/payments/operations-store.ts';
import type { Payment } from '#server/money/payments/store.ts';
import { NOTHING_MOVED, type PaymentState } from '#server/providers/payments.ts';
import { publicIdOf } from '#tests/support/public-ids.ts';

/** What is known of a payment, as data for the tables of decisions. */

/** A payment of 10.00 by Stripe, paid and not paid out. */
export const PAYMENT: Payment = {
  id: 1,
  publicId: publicIdOf(1),
  bidId: 2,
  senderId: 3,
  receiverId: 4,
  provider: 'stripe',
  receiverAccount: 'acct_seller',
  amount: 1_000,
  buyerTotal: 1_050,
  platformFee: 100,
  netAmount: 950,
  providerFee: 60,
  refundFailed: 0,
  status: 'held',
  isDisputed: false,
  evidenceDueAt: null,
  ref: 'pi_1',
  chargeRef: 'ch_1',
  payoutRef: null,
  createdAt: new Date('2035-06-01'),
  paidAt: null,
  endedAt: null,
  holdUntil: null,
  coverUntil: null,
  confirmedAt: null,
  reservePercent: 0,
};

/** What its provider says of it. */
export const STATE: PaymentState = {
  ref: 'pi_1',
  publicId: PAYMENT.publicId,
  status: 'succeeded',
  amount: 1_050,
  currency: 'CAD',
  receiver: 'acct_seller',
  clientSecret: null,
  chargeRef: 'ch_1',
  totals: { ...NOTHING_MOVED, captured: 1_050, providerFees: 60 },
  isDisputed: false,
  evidenceDueAt: null,
  payouts: [],
  keptCard: null,
  failureText: null,
};

export const BOOKED: Totals = { ...NO_TOTALS, captured: 1_050, providerFees: 60 };

/** The sale that it has paid for. */
const BID: PaymentFacts['bid'] = {
  id: 2,
  couponId: 5,
  exchangeId: null,
  couponIds: [5],
  couponTitle: 'Ten off',
  merchant: 'The shop',
  couponExpiresAt: null,
  bidderId: 3,
  bidderUsername: 'buyer',
  ownerId: 4,
  ownerUsername: 'seller',
  amount: 1_000,
  feeRates: DEFAULT_FEE_RATES,
  guaranteeDays: 0,
  status: 'completed',
  acceptedAt: null,
  pricePaidAt: null,
  deadlineAt: null,
};

export const AT = new Date('2035-06-04T12:00:00Z');

/** What a row of a table says of a payment; the rest is a paid sale whose money is held. */
export interface Given {
  readonly payment?: Partial<Payment>;
  readonly bid?: Partial<PaymentFacts['bid']>;
  readonly booked?: Partial<Totals>;
  readonly open?: readonly OperationKind[];
  /** Of a refund that is open: how much shall be back in the end. */
  readonly target?: number | null;
  readonly payoutAsked?: number;
}

export function factsWith({ payment, bid, booked, open = [], target = null, payoutAsked = 0 }: Given) {
  return {
    payment: { ...PAYMENT, ...payment },
    bid: { ...BID, ...bid },
    booked: { ...BOOKED, ...booked },
    open: new Map(open.map((kind) => [kind, { target: kind === 'refund' ? target : null }])),
    payoutAsked,
    at: AT,
  } satisfies PaymentFacts;
}
