import { describe, expect, test } from 'vitest';
import { openStripe, payoutOf, refundOf, typesOf } from './harness.ts';

/** Our adapter, with Stripe's SDK in it, against the stand-in: every flow of payments once. */

const _GOOD = '4242424242424242';
const _INTENTS = '/v1/payment_intents';
const _madeIntents = ({ stripe }: { stripe: Parameters<typeof typesOf>[0] }) =>
  typesOf(stripe, /^payment_intent\.created$/).length;

describe('a refund', () => {
  test('returns the whole amount once', async () => {
    const { makePaid, provider, readPayment } = await openStripe();
    const paid = await makePaid();
    const refund = await provider.refund(refundOf(paid));
    expect(refund).toEqual({ ref: expect.stringMatching(/^re_/), status: 'succeeded', amount: 3_150 });
    expect(await provider.refund(refundOf(paid))).toEqual(refund);
    await expect(provider.refund(refundOf(paid, 'another'))).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    expect(await readPayment(paid.ref)).toMatchObject({
      status: 'succeeded',
      totals: { captured: 3_150, refunded: 3_150, refundPending: 0, providerFees: 121 },
    });
  });

  test('in the dashboard may be of a part, until nothing is left', async () => {
    const { makePaid, provider, readPayment, stripe } = await openStripe();
    const paid = await makePaid();
    for (const amount of [1_000, 50]) await stripe.refund(paid.ref, { amount });
    expect(await readPayment(paid.ref)).toMatchObject({ totals: { refunded: 1_050 } });
    expect(typesOf(stripe).slice(-3)).toEqual(['refund.created', 'charge.refunded', 'refund.updated']);
    await expect(provider.refund(refundOf(paid))).rejects.toMatchObject({ name: 'ProviderRefusal' });
    await stripe.refund(paid.ref);
    expect(await readPayment(paid.ref)).toMatchObject({ totals: { refunded: 3_150 } });
  });

  test('may be pending first', async () => {
    const { makePaid, provider, readPayment, stripe } = await openStripe();
    const paid = await makePaid(7, '4000000000007726');
    const { ref, status } = await provider.refund(refundOf(paid));
    expect(status).toBe('pending');
    expect(await readPayment(paid.ref)).toMatchObject({ totals: { refunded: 0, refundPending: 3_150 } });
    await stripe.settleRefund(ref, 'succeeded');
    expect(await readPayment(paid.ref)).toMatchObject({ totals: { refunded: 3_150, refundPending: 0 } });
  });

  test('may fail after it had succeeded, and can be made again', async () => {
    const { makePaid, provider, readPayment, stripe } = await openStripe();
    const paid = await makePaid(7, '4000000000005126');
    const { ref } = await provider.refund(refundOf(paid));
    await stripe.settleRefund(ref, 'failed');
    expect(typesOf(stripe).at(-1)).toBe('refund.failed');
    expect(await readPayment(paid.ref)).toMatchObject({ totals: { refunded: 0 } });
    expect(await provider.refund(refundOf(paid, 'again'))).toMatchObject({ status: 'succeeded' });
  });

  test('is refused for what is unpaid or disputed', async () => {
    const { makePaid, makePayment, provider, stripe } = await openStripe();
    const unpaid = { ...(await makePayment(8)), chargeRef: 'ch_none', receiver: 'acct_seller' };
    await expect(provider.refund(refundOf(unpaid))).rejects.toMatchObject({ name: 'ProviderRefusal' });
    const paid = await makePaid();
    await stripe.openDispute(paid.ref);
    await expect(provider.refund(refundOf(paid, 'r'))).rejects.toMatchObject({ code: 'charge_disputed' });
  });
});

describe('a payout', () => {
  test('is transferred once for one key, and reversed once', async () => {
    const { makePaid, provider, readPayment } = await openStripe();
    const paid = await makePaid();
    const payout = await provider.payOut(payoutOf(paid));
    expect(payout).toEqual({
      ...{ ref: expect.stringMatching(/^tr_/), status: 'succeeded', amount: 2_850, reversed: 0 },
      ...{ receiver: paid.receiver, failure: null },
    });
    expect(await provider.payOut(payoutOf(paid))).toEqual(payout);
    expect((await readPayment(paid.ref)).payouts).toEqual([payout]);
    const reverse = (amount: number, idempotencyKey: string) =>
      provider.reversePayout({ ref: payout.ref, amount, idempotencyKey });
    const reversal = await reverse(2_850, 'r1');
    expect(reversal).toEqual({ ref: expect.stringMatching(/^trr_/) });
    expect(await reverse(2_850, 'r1')).toEqual(reversal);
    expect((await readPayment(paid.ref)).payouts).toMatchObject([{ amount: 2_850, reversed: 2_850 }]);
    await expect(reverse(1, 'r2')).rejects.toMatchObject({ name: 'ProviderRefusal' });
  });

  test('is refused beyond its charge, and to an account that cannot receive it', async () => {
    const { makePaid, provider, stripe } = await openStripe();
    const paid = await makePaid();
    await expect(provider.payOut({ ...payoutOf(paid, 'big'), amount: 3_151 })).rejects.toMatchObject({
      name: 'ProviderRefusal',
    });
    for (const state of ['incomplete', 'rejected'] as const) {
      await stripe.setAccountState(paid.receiver, state);
      const account = await provider.readAccount({ userId: 7, accountRef: paid.receiver });
      expect(account).toMatchObject({ isReady: false, isRestricted: true });
      await expect(provider.payOut(payoutOf(paid, state))).rejects.toMatchObject({
        code: 'insufficient_capabilities_for_transfer',
      });
    }
    await stripe.setAccountState(paid.receiver, 'done');
    expect(await provider.payOut(payoutOf(paid, 'again'))).toMatchObject({ status: 'succeeded' });
  });

  test('cannot be reversed when the money has left for the bank, until it comes back', async () => {
    const { makePaid, provider, stripe } = await openStripe();
    const paid = await makePaid();
    const { ref } = await provider.payOut(payoutOf(paid));
    const bank = await stripe.payOutToBank(paid.receiver);
    const reverse = (idempotencyKey: string) => provider.reversePayout({ ref, amount: 50, idempotencyKey });
    await expect(reverse('r1')).rejects.toMatchObject({ code: 'balance_insufficient' });
    await expect(stripe.payOutToBank(paid.receiver)).rejects.toThrow('empty');
    await stripe.failBankPayout(bank);
    const reason = 'The bank account has been closed.';
    expect(await provider.readAccount({ userId: 7, accountRef: paid.receiver })).toMatchObject({
      failedPayout: { ref: bank, amount: 2_850, reason },
    });
    expect(await reverse('r2')).toEqual({ ref: expect.any(String) });
    const names = ['payout.created', 'payout.paid', 'payout.failed'];
    expect(typesOf(stripe, /^payout/)).toEqual(names);
  });
});

describe('a dispute', () => {
  test('withdraws the amount and 15.00; won, lost or appealed, the fee is gone', async () => {
    const { makePaid, readPayment, stripe } = await openStripe();
    const paid = await makePaid();
    const id = await stripe.openDispute(paid.ref);
    const stateOf = async () => {
      const { isDisputed, totals } = await readPayment(paid.ref);
      return [isDisputed, totals.withdrawn, totals.lost, totals.providerFees];
    };
    expect(await stateOf()).toEqual([true, 3_150, 0, 1_621]);
    await stripe.closeDispute(id, 'lost');
    expect(await stateOf()).toEqual([false, 3_150, 3_150, 1_621]);
    await stripe.appealDispute(id);
    expect(await stateOf()).toEqual([true, 3_150, 0, 1_621]);
    await stripe.closeDispute(id, 'won');
    expect(await stateOf()).toEqual([false, 0, 0, 1_621]);
    expect(typesOf(stripe, /dispute/).map((type) => type.slice('charge.dispute.'.length))).toEqual([
      'created',
      'funds_withdrawn',
      'closed',
      'updated',
      'closed',
      'funds_reinstated',
    ]);
  });

  test.each([
    ['4000000000000259', 3_150],
    ['4000000000001976', 0],
  ])('opens by itself with the test card %s, and withdraws %i', async (number, withdrawn) => {
    const { makePaid } = await openStripe();
    expect(await makePaid(7, number)).toMatchObject({ isDisputed: true, totals: { withdrawn } });
  });

  test('may be an inquiry that takes nothing until the bank makes a chargeback of it', async () => {
    const { makePaid, readPayment, stripe } = await openStripe();
    const paid = await makePaid();
    const id = await stripe.openDispute(paid.ref, { kind: 'inquiry' });
    expect(await readPayment(paid.ref)).toMatchObject({ isDisputed: true, totals: { withdrawn: 0 } });
    await stripe.refund(paid.ref, { amount: 100 });
    await expect(stripe.closeDispute(id, 'lost')).rejects.toThrow('cannot become lost');
    await stripe.escalateInquiry(id);
    expect(await readPayment(paid.ref)).toMatchObject({ totals: { withdrawn: 3_150, refunded: 100 } });
    await expect(stripe.escalateInquiry(id)).rejects.toThrow('inquiry');
  });

  test('may be prevented: the money goes back at once, without a fee', async () => {
    const { makePaid, readPayment, stripe } = await openStripe();
    const { ref } = await makePaid();
    await stripe.openDispute(ref, { kind: 'prevented' });
    expect(await readPayment(ref)).toMatchObject({
      isDisputed: false,
      totals: { withdrawn: 3_150, providerFees: 121 },
    });
  });
});

test('the list of movements has each once, with what it is about', async () => {
  const { makePaid, provider, stripe } = await openStripe();
  const paid = await makePaid();
  const { ref } = await provider.payOut(payoutOf(paid));
  await provider.reversePayout({ ref, amount: 700, idempotencyKey: 'r' });
  await stripe.refund(paid.ref, { amount: 100 });
  await stripe.closeDispute(await stripe.openDispute(paid.ref), 'won');
  const [from, to] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];
  const { movements } = await provider.listMovements({ from, to, accounts: [] });
  expect(movements.map(({ kind, amount }) => `${kind} ${amount}`).sort()).toMatchInlineSnapshot(`
    [
      "capture 3150",
      "payout 2850",
      "payout_reversal 700",
      "provider_fee 121",
      "provider_fee 1500",
      "refund 100",
      "withdrawal -3150",
      "withdrawal 3150",
    ]
  `);
  const later = { from: to, to: new Date(to.getTime() + 1_000), accounts: [] };
  expect((await provider.listMovements(later)).movements).toEqual([]);
});
