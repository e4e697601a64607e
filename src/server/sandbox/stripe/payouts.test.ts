import { describe, expect, test } from 'vitest';
import { publicIdOf } from '#server/testing/public-ids.ts';
import { openStripeHarness } from '#server/testing/stripe-harness.ts';

/** A charge of 31.50 of which 28.50 have been transferred to the seller. */
async function openTransferred() {
  const harness = await openStripeHarness();
  const { receiver, chargeRef } = await harness.makePaid();
  const { ref } = await harness.provider.payOut({
    ...{ publicId: publicIdOf(7), amount: 2_850, receiver, chargeRef, idempotencyKey: 'payout' },
  });
  return { ...harness, receiver, chargeRef, ref };
}

describe('a reversal', () => {
  test('may be of a part, several times', async () => {
    const { stripe, ref } = await openTransferred();
    await stripe.transfers.createReversal(ref, { amount: 1_000 });
    await stripe.transfers.createReversal(ref, { amount: 350 });
    expect(await stripe.transfers.retrieve(ref)).toMatchObject({ amount_reversed: 1_350, reversed: false });
    await expect(stripe.transfers.createReversal(ref, { amount: 1_501 })).rejects.toMatchObject({
      param: 'amount',
    });
    await stripe.transfers.createReversal(ref);
    expect(await stripe.transfers.retrieve(ref)).toMatchObject({ amount_reversed: 2_850, reversed: true });
  });

  test('is refused when the seller’s money has left for the bank, and works when it comes back', async () => {
    const { stripe, sandbox, receiver, ref } = await openTransferred();
    await stripe.transfers.createReversal(ref, { amount: 50 });
    const payout = await sandbox.payOutToBank(receiver);
    await expect(stripe.transfers.createReversal(ref)).rejects.toMatchObject({
      ...{ code: 'balance_insufficient', statusCode: 400 },
    });
    await expect(sandbox.payOutToBank(receiver)).rejects.toThrow('empty');
    await sandbox.failBankPayout(payout);
    const asSeller = { stripeAccount: receiver };
    expect(await stripe.payouts.retrieve(payout, {}, asSeller)).toMatchObject({
      ...{ status: 'failed', failure_code: 'account_closed', amount: 2_800 },
    });
    expect((await stripe.payouts.list({}, asSeller)).data.map(({ id }) => id)).toEqual([payout]);
    expect((await stripe.payouts.list()).data).toEqual([]);
    expect(await stripe.transfers.createReversal(ref)).toMatchObject({ amount: 2_800 });
    const events = sandbox.waiting().filter(({ type }) => type.startsWith('payout.'));
    expect(events.map(({ type }) => type)).toEqual(['payout.created', 'payout.paid', 'payout.failed']);
    for (const { body } of events) expect(JSON.parse(body)).toMatchObject({ account: receiver });
  });
});

test.each([
  ['incomplete', 'restricted'],
  ['rejected', 'rejected'],
] as const)('an account that becomes %s is %s and gets no transfers', async (state, status) => {
  const { stripe, sandbox, provider, makePaid } = await openStripeHarness();
  const { receiver, chargeRef } = await makePaid();
  await sandbox.setAccountState(receiver, state);
  const { configuration } = await stripe.v2.core.accounts.retrieve(receiver, {
    include: ['configuration.recipient'],
  });
  expect(configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status).toBe(status);
  expect(sandbox.waiting().at(-1)?.type).toContain('capability_status_updated');
  const payout = { publicId: publicIdOf(7), amount: 2_850, receiver, chargeRef, idempotencyKey: 'payout' };
  await expect(provider.payOut(payout)).rejects.toMatchObject({
    code: 'insufficient_capabilities_for_transfer',
  });
  await sandbox.setAccountState(receiver, 'done');
  expect(await provider.payOut({ ...payout, idempotencyKey: 'again' })).toMatchObject({
    status: 'succeeded',
  });
});
