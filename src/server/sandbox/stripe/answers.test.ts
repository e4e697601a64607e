import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStripeHarness, type StripeHarness } from '#server/testing/stripe-harness.ts';

// The answers' shapes are checked by tsc, against the SDK's types. Here is what it cannot see.

let harness: StripeHarness;
let stripe: Stripe;
beforeAll(async () => {
  harness = await openStripeHarness();
  stripe = harness.stripe;
});
afterAll(() => harness.close());

describe('an expanded answer holds the objects themselves', () => {
  test.each<[number: string, status: Stripe.PaymentIntent.Status, isCharged: boolean]>([
    ['4242424242424242', 'succeeded', true],
    ['4000000000000002', 'requires_payment_method', true],
    ['4000000000003220', 'requires_action', false],
    ['4000000000003006', 'processing', false],
  ])('a payment with card %s, %s', async (number, status, isCharged) => {
    const { ref, clientSecret } = await harness.makePayment(Number(number.slice(-4)) + 100);
    await harness.sandbox.confirmWithCard(clientSecret, number);
    const intent = await stripe.paymentIntents.retrieve(ref);
    expect(intent.status).toBe(status);
    const expand = ['latest_charge.balance_transaction', 'latest_charge.refunds', 'payment_method'];
    const { latest_charge, payment_method } = await stripe.paymentIntents.retrieve(ref, { expand });
    expect(latest_charge !== null).toBe(isCharged);
    if (isCharged) {
      const inCharge = ['balance_transaction', 'refunds'];
      const charge = await stripe.charges.retrieve(String(intent.latest_charge), { expand: inCharge });
      expect(latest_charge).toEqual(plain(charge));
    }
    const method = intent.payment_method;
    expect(payment_method).toEqual(
      typeof method === 'string' ? plain(await stripe.paymentMethods.retrieve(method)) : null,
    );
  });

  test('a customer and the card that they keep', async () => {
    const customer = await stripe.customers.create({ email: 'a@example.com', metadata: { user_id: 1 } });
    expect(customer.metadata).toEqual({ user_id: '1' });
    const { ref, clientSecret } = await harness.makePayment(140);
    await stripe.paymentIntents.update(ref, { customer: customer.id, setup_future_usage: 'on_session' });
    await harness.sandbox.confirmWithCard(clientSecret, '5555555555554444');
    const intent = await stripe.paymentIntents.retrieve(ref, { expand: ['payment_method', 'customer'] });
    expect(intent.customer).toEqual(plain(customer));
    expect(intent.payment_method).toMatchObject({ object: 'payment_method', customer: customer.id });
  });
});

test('bookings, refunds and disputes of a charge', async () => {
  const { ref, chargeRef } = await harness.makePaid(120);
  const charge = await stripe.charges.retrieve(chargeRef);
  const booking = await stripe.balanceTransactions.retrieve(String(charge.balance_transaction));
  expect(booking).toMatchObject({ status: 'available', fee: 121, net: 3_029 });

  const dispute = await stripe.disputes.retrieve(await harness.sandbox.openDispute(ref));
  expect(dispute.status).toBe('needs_response');
  await harness.sandbox.closeDispute(dispute.id, 'won');
  const disputes = await stripe.disputes.list({ payment_intent: ref });
  expect(disputes.data.map(({ status }) => status)).toEqual(['won']);

  const refund = await stripe.refunds.create({ payment_intent: ref });
  expect(refund.status).toBe('succeeded');
  const refunds = await stripe.refunds.list({ payment_intent: ref });
  expect(refunds.data).toEqual([plain(await stripe.refunds.retrieve(refund.id))]);
});

test('a transfer lists its reversal', async () => {
  const paid = await harness.makePaid(130);
  const { ref } = await harness.provider.payOut({
    ...{ paymentId: 130, amount: 2_850, receiver: paid.receiver, chargeRef: paid.chargeRef },
    idempotencyKey: 'payout-130',
  });
  const reversal = await stripe.transfers.createReversal(ref);
  const transfer = await stripe.transfers.retrieve(ref);
  expect(transfer).toMatchObject({ reversed: true, amount_reversed: 2_850 });
  expect(transfer.reversals.data).toEqual([plain(reversal)]);
  const listed = await stripe.transfers.list({ transfer_group: 'payment_130' });
  expect(listed.data.map(({ id }) => id)).toEqual([ref]);
});

test('an account shows only what is asked for, at every stage of its set-up', async () => {
  const parts = ['configuration.recipient', 'requirements', 'identity', 'defaults'] as const;
  const read = async (id: string) => {
    const account = await stripe.v2.core.accounts.retrieve(id, { include: [...parts] });
    return account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status;
  };
  const { accountRef, path } = await harness.startSeller(150);
  const bare = await stripe.v2.core.accounts.retrieve(accountRef);
  for (const part of parts) expect(bare).not.toHaveProperty(part.split('.')[0] ?? '');
  expect(await read(accountRef)).toBe('pending');
  await harness.browse(path, 'choice=incomplete');
  expect(await read(accountRef)).toBe('restricted');
  await harness.sandbox.finishOnboarding(accountRef);
  expect(await read(accountRef)).toBe('active');
});

/** An answer without what the SDK adds to it. */
function plain(answer: object): unknown {
  return JSON.parse(JSON.stringify(answer));
}
