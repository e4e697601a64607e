import type Stripe from 'stripe';
import { baseCurrency } from '#contract/base/money.ts';
import type { Api } from './http.ts';
import { newId, now, type StripeContext } from './objects.ts';
import { invalid, listOf } from './params.ts';

const BANK_DAYS_SECONDS = 2 * 86_400;

/** The payouts from a seller's balance to their bank, read with the `Stripe-Account` header. */
export function addPayouts(api: Api, { stored }: StripeContext): void {
  api.get('/v1/payouts', async ({ account }) => {
    const own = (await stored.payouts.list()).filter((payout) => payout.account === account);
    return listOf(own.map(({ payout }) => payout).reverse(), '/v1/payouts');
  });
}

/** Cents in a seller's balance: what was transferred, less what was reversed or has left for the bank. */
export async function sellerBalance({ stored }: StripeContext, account: string): Promise<number> {
  const transfers = (await stored.transfers.list()).filter(({ destination }) => destination === account);
  const received = transfers.reduce((sum, one) => sum + one.amount - one.amount_reversed, 0);
  const payouts = (await stored.payouts.list()).filter((one) => one.account === account);
  return payouts.reduce(
    (left, { payout }) => (payout.status === 'failed' ? left : left - payout.amount),
    received,
  );
}

/** Sends all of a seller's balance to their bank: from now on a reversal is refused. @returns the payout's id */
export async function payOutToBank(ctx: StripeContext, account: string): Promise<string> {
  await ctx.stored.accounts.find(account);
  const amount = await sellerBalance(ctx, account);
  if (amount <= 0) throw invalid('The balance is empty.', { code: 'balance_insufficient' });
  const payout = payoutOf(amount);
  await ctx.stored.payouts.put({ id: payout.id, account, payout });
  ctx.emit('payout.created', payout, account);
  ctx.emit('payout.paid', payout, account);
  return payout.id;
}

/** The bank sends a payout back to the seller's balance. */
export async function failBankPayout({ stored, emit }: StripeContext, id: string): Promise<void> {
  const { account, payout } = await stored.payouts.find(id);
  if (payout.status === 'failed') return;
  const failed: Stripe.Payout = {
    ...payout,
    status: 'failed',
    failure_balance_transaction: newId('txn'),
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
  };
  await stored.payouts.put({ id, account, payout: failed });
  emit('payout.failed', failed, account);
}

function payoutOf(amount: number): Stripe.Payout {
  return {
    id: newId('po'),
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: now() + BANK_DAYS_SECONDS,
    automatic: true,
    balance_transaction: newId('txn'),
    created: now(),
    currency: baseCurrency().toLowerCase(),
    description: 'STRIPE PAYOUT',
    destination: newId('ba'),
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'paid',
    trace_id: null,
    type: 'bank_account',
  };
}
