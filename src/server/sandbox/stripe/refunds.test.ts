import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { publicIdOf } from '#server/testing/public-ids.ts';
import { openStripeHarness } from '#server/testing/stripe-harness.ts';

/** A paid charge of 31.50 with Stripe's fee of 1.21. */
async function openPaid(card?: string) {
  const harness = await openStripeHarness();
  const { stripe, sandbox } = harness;
  const paid = await harness.makePaid(7, card);
  return {
    ...harness,
    paid,
    charge: () => stripe.charges.retrieve(paid.chargeRef, { expand: ['refunds'] }),
    /** The movements of our balance, oldest first. */
    async movements() {
      const { data } = await stripe.balanceTransactions.list({ limit: 100 });
      return data.reverse().map(({ type, amount, fee, net }) => ({ type, amount, fee, net }));
    },
    async balance() {
      return (await stripe.balance.retrieve()).available[0]?.amount;
    },
    eventTypes: () => sandbox.waiting().map(({ type }) => type),
  };
}

describe('a refund of a part', () => {
  test('can be repeated until nothing is left', async () => {
    const { stripe, paid, charge, movements, balance } = await openPaid();
    const refund = (amount?: number) =>
      stripe.refunds.create({ payment_intent: paid.ref, ...(amount !== undefined && { amount }) });
    await refund(1_000);
    await refund(50);
    expect(await charge()).toMatchObject({ amount_refunded: 1_050, refunded: false });
    await expect(refund(2_101)).rejects.toMatchObject({ param: 'amount', statusCode: 400 });
    expect(await refund()).toMatchObject({ amount: 2_100, status: 'succeeded' });
    const { amount_refunded, refunded, refunds } = await charge();
    expect({ amount_refunded, refunded }).toEqual({ amount_refunded: 3_150, refunded: true });
    expect(refunds?.data.map(({ amount }) => amount)).toEqual([2_100, 50, 1_000]);
    await expect(refund()).rejects.toMatchObject({ code: 'charge_already_refunded' });
    expect(await movements()).toEqual([
      { type: 'charge', amount: 3_150, fee: 121, net: 3_029 },
      { type: 'refund', amount: -1_000, fee: 0, net: -1_000 },
      { type: 'refund', amount: -50, fee: 0, net: -50 },
      { type: 'refund', amount: -2_100, fee: 0, net: -2_100 },
    ]);
    expect(await balance()).toBe(-121);
  });

  test('names the charge as well as the payment intent, and takes metadata later', async () => {
    const { stripe, paid } = await openPaid();
    const { id } = await stripe.refunds.create({
      charge: paid.chargeRef,
      amount: 300,
      metadata: { why: 'a' },
    });
    await stripe.refunds.update(id, { metadata: { who: 'b' } });
    const listed = await stripe.refunds.list({ charge: paid.chargeRef });
    expect(listed.data).toMatchObject([
      { id, payment_intent: paid.ref, metadata: { why: 'a', who: 'b' }, amount: 300 },
    ]);
    await expect(stripe.refunds.create({ amount: 1 })).rejects.toThrow('should be provided');
  });

  test('in the dashboard is announced by events and carries none of our ids', async () => {
    const { stripe, sandbox, paid, eventTypes } = await openPaid();
    const id = await sandbox.refund(paid.ref, { amount: 1_000 });
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ amount: 1_000, metadata: {}, reason: null });
    expect(eventTypes().slice(-3)).toEqual(['refund.created', 'charge.refunded', 'refund.updated']);
  });
});

describe('a refund that takes its time', () => {
  test('is pending with the test card for it, and succeeds', async () => {
    const { stripe, sandbox, paid, eventTypes } = await openPaid('4000000000007726');
    const { id } = await stripe.refunds.create({ payment_intent: paid.ref, amount: 1_000 });
    expect(await stripe.refunds.retrieve(id)).toMatchObject({
      status: 'pending',
      pending_reason: 'processing',
    });
    await sandbox.settleRefund(id, 'succeeded');
    const done = await stripe.refunds.retrieve(id);
    expect(done).toMatchObject({ status: 'succeeded' });
    expect(done).not.toHaveProperty('pending_reason');
    expect(eventTypes().slice(-2)).toEqual(['refund.updated', 'charge.refund.updated']);
  });

  test('fails after it had succeeded: the money is back in our balance, and can be refunded again', async () => {
    const { stripe, sandbox, paid, charge, movements, eventTypes } = await openPaid('4000000000005126');
    const { id, status } = await stripe.refunds.create({ payment_intent: paid.ref });
    expect(status).toBe('succeeded');
    await sandbox.settleRefund(id, 'failed');
    await sandbox.settleRefund(id, 'failed');
    const failed = await stripe.refunds.retrieve(id, {
      expand: ['balance_transaction', 'failure_balance_transaction'],
    });
    expect(failed).toMatchObject({
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
      balance_transaction: { type: 'refund', net: -3_150 },
      failure_balance_transaction: { type: 'refund_failure', net: 3_150, source: id },
    });
    expect(await charge()).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(eventTypes().slice(-3)).toEqual(['refund.updated', 'charge.refund.updated', 'refund.failed']);
    await stripe.refunds.create({ payment_intent: paid.ref, amount: 500 });
    expect((await movements()).map(({ type, net }) => [type, net])).toEqual([
      ['charge', 3_029],
      ['refund', -3_150],
      ['refund_failure', 3_150],
      ['refund', -500],
    ]);
  });
});

describe('the list of balance transactions', () => {
  test('is filtered by source, type and time, and paged', async () => {
    const { stripe, paid, movements } = await openPaid();
    const ids = [1, 2, 3].map(async (amount) => {
      const { id } = await stripe.refunds.create({ payment_intent: paid.ref, amount });
      return id;
    });
    const [first = ''] = await Promise.all(ids);
    const amounts = async (params: Stripe.BalanceTransactionListParams) =>
      (await stripe.balanceTransactions.list(params)).data.map(({ amount }) => amount);
    expect(await amounts({ source: paid.chargeRef })).toEqual([3_150]);
    expect(await amounts({ source: first })).toEqual([-1]);
    expect(await amounts({ type: 'refund', limit: 2 })).toEqual([-3, -2]);
    const { created } = await stripe.charges.retrieve(paid.chargeRef);
    expect(await amounts({ type: 'charge', created: { gte: created, lt: created + 1 } })).toEqual([3_150]);
    expect(await amounts({ type: 'charge', created: { gt: created } })).toEqual([]);
    expect(await amounts({ type: 'charge', created: { lte: created - 1 } })).toEqual([]);
    expect(await amounts({ type: 'charge', created })).toEqual([3_150]);
    const all: number[] = [];
    for await (const { amount } of stripe.balanceTransactions.list({ limit: 1 })) all.push(amount);
    expect(all.reverse()).toEqual((await movements()).map(({ amount }) => amount));
  });

  test('shows what each movement is about', async () => {
    const { stripe, sandbox, provider, paid, balance } = await openPaid();
    const { chargeRef, receiver } = paid;
    const payout = { publicId: publicIdOf(7), amount: 2_000, receiver, chargeRef, idempotencyKey: 'p' };
    const { ref } = await provider.payOut(payout);
    await stripe.transfers.createReversal(ref, { amount: 700 });
    await stripe.refunds.create({ payment_intent: paid.ref, amount: 100 });
    await sandbox.closeDispute(await sandbox.openDispute(paid.ref), 'won');
    const { data } = await stripe.balanceTransactions.list({ limit: 100, expand: ['data.source'] });
    const shown = data
      .reverse()
      .map(({ type, reporting_category, amount, fee, source }) => [
        ...[type, reporting_category, amount, fee],
        typeof source === 'object' ? source?.object : source,
      ]);
    expect(shown).toEqual([
      ['charge', 'charge', 3_150, 121, 'charge'],
      ['transfer', 'transfer', -2_000, 0, 'transfer'],
      ['transfer_refund', 'transfer_reversal', 700, 0, 'transfer_reversal'],
      ['refund', 'refund', -100, 0, 'refund'],
      ['adjustment', 'dispute', -3_150, 1_500, 'dispute'],
      ['adjustment', 'dispute_reversal', 3_150, 0, 'dispute'],
    ]);
    expect(await balance()).toBe(data.reduce((sum, { net }) => sum + net, 0));
    const reversals = await stripe.transfers.listReversals(ref, { expand: ['data.balance_transaction'] });
    expect(reversals.data).toMatchObject([{ amount: 700, balance_transaction: { net: 700 } }]);
  });
});
