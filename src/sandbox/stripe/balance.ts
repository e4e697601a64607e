import type Stripe from 'stripe';
import { type Api, addList } from './http.ts';
import { newId, now, type StripeContext } from './objects.ts';

export function addBalance(api: Api, ctx: StripeContext): void {
  const { balanceTransactions } = ctx.stored;
  addList(api, '/v1/balance_transactions', balanceTransactions, []);
}

const CATEGORIES = {
  charge: 'charge',
  refund: 'refund',
  refund_failure: 'refund_failure',
  transfer: 'transfer',
  transfer_refund: 'transfer_reversal',
  dispute: 'dispute',
  dispute_reversal: 'dispute_reversal',
} as const;

interface Booking {
  readonly category: keyof typeof CATEGORIES;
  readonly source: string;
  /** Cents; negative when it leaves the balance. */
  readonly amount: number;
  readonly fee?: number;
  readonly currency: string;
  readonly description: string | null;
}

/** Writes a movement of ClipSwap's own balance at Stripe. */
export function book({ stored }: StripeContext, booking: Booking): Promise<Stripe.BalanceTransaction> {
  const { category, source, amount, fee = 0, currency, description } = booking;
  const isDispute = category === 'dispute' || category === 'dispute_reversal';
  const details = { amount: fee, application: null, currency, type: 'stripe_fee' };
  return stored.balanceTransactions.put({
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: now(),
    balance_type: 'payments',
    created: now(),
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0 ? [] : [{ ...details, description: isDispute ? 'Dispute fee' : 'Stripe processing fees' }],
    net: amount - fee,
    reporting_category: CATEGORIES[category],
    source,
    status: 'available',
    type: isDispute ? 'adjustment' : category,
  });
}
