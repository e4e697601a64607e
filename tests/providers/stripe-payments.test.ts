import { describe, expect, test } from 'vitest';
import { openSandbox } from '#sandbox/main.ts';
import { NOTHING_MOVED } from '#server/providers/payments.ts';
import { createStripeProvider } from '#server/providers/stripe/stripe.ts';
import { publicIdOf } from '#tests/support/public-ids.ts';
import { openStripe, VALID } from './harness.ts';

/** Our adapter, with Stripe's SDK in it, against the stand-in: every flow of payments once. */

const GOOD = '4242424242424242';

describe('a payment', () => {
  test('has the amount, the receiver and our id, once for one key, and shows its current status', async () => {
    const { makePayment, provider, stripe } = await openStripe();
    const payment = await makePayment();
    expect(payment).toEqual({
      ref: expect.stringMatching(/^pi_\w{20,}$/),
      publicId: publicIdOf(7),
      ...{ status: 'open', amount: 3_150, currency: 'CAD', receiver: 'acct_seller', chargeRef: null },
      clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
      ...{ totals: NOTHING_MOVED, isDisputed: false, evidenceDueAt: null, payouts: [] },
      ...{ keptCard: null, failureText: null },
    });
    expect(await provider.readPayment(payment.ref)).toEqual(payment);
    await stripe.confirmWithCard(payment.clientSecret, GOOD);
    expect(await makePayment()).toMatchObject({ ref: payment.ref, status: 'succeeded' });
    expect((await makePayment(8)).ref).not.toBe(payment.ref);
  });

  test('is refused below the minimum, for a used key, and where there is none', async () => {
    const { makePayment, orderOf, provider } = await openStripe();
    await makePayment();
    const order = orderOf(8, 'acct_seller');
    await expect(provider.createPayment({ ...order, amount: 49 })).rejects.toMatchObject({
      name: 'ProviderRefusal',
      code: 'amount_too_small',
    });
    // What could not be read is not stored under the key.
    expect(await provider.createPayment(order)).toMatchObject({ status: 'open' });
    await expect(provider.createPayment({ ...order, idempotencyKey: 'payment-7' })).rejects.toMatchObject({
      code: 'idempotency_error',
    });
    expect(await provider.readPayment('pi_nothing')).toBeNull();
    await expect(
      provider.capturePayment({ ref: 'pi_nothing', receiver: 'MERCHANT', idempotencyKey: 'key' }),
    ).rejects.toMatchObject({ name: 'ProviderRefusal', code: 'resource_missing' });
  });

  test('survives a restart of the sandbox', async () => {
    const { makePaid, provider, sandbox, sandboxOptions, settings } = await openStripe();
    const { ref } = await makePaid();
    const paid = await provider.readPayment(ref);
    await sandbox.close();
    await expect(provider.readPayment(ref)).rejects.toMatchObject({ name: 'ProviderUnreachable' });
    const again = await openSandbox(sandboxOptions);
    expect(await createStripeProvider({ ...settings, apiBase: again.url }).readPayment(ref)).toEqual(paid);
    await again.close();
  });

  test.each([
    ['4242 4242 4242 4242', 'succeeded', null],
    ['5555555555554444', 'succeeded', null],
    ['4000000000000002', 'open', 'Your card was declined.'],
    ['4000000000009995', 'open', 'Your card has insufficient funds.'],
    ['4000000000000069', 'open', 'Your card has expired.'],
    ['4000000000000127', 'open', "Your card's security code is incorrect."],
    ['4000000000000119', 'open', 'An error occurred while processing your card. Try again in a little bit.'],
    ['4000002500003155', 'requires_action', null],
    ['4000000000003006', 'processing', null],
  ])('with the card %s is %s', async (number, status, failureText) => {
    const { makePayment, readPayment, stripe } = await openStripe();
    const { ref, clientSecret } = await makePayment();
    await stripe.confirmWithCard(clientSecret, number);
    const providerFees = status === 'succeeded' ? 121 : null;
    expect(await readPayment(ref)).toMatchObject({ status, failureText, totals: { providerFees } });
    if (status === 'processing') {
      await stripe.finishProcessing(ref);
      expect(await readPayment(ref)).toMatchObject({ status: 'succeeded', totals: { providerFees: 121 } });
    } else if (status === 'open') {
      expect(await stripe.confirmWithCard(clientSecret, GOOD)).toBe('succeeded');
      expect(await readPayment(ref)).toMatchObject({ status: 'succeeded', failureText: null });
    } else if (status === 'succeeded') {
      await expect(stripe.confirmWithCard(clientSecret, GOOD)).rejects.toThrow('succeeded');
    }
  });
});

describe('in the browser', () => {
  async function withPayment() {
    const harness = await openStripe();
    const { ref, clientSecret } = await harness.makePayment();
    const post = async (act: string, more: object, client_secret = clientSecret) => {
      const answer = await harness.browse(`${harness.pageOf(ref)}/${act}`, { client_secret, ...more });
      return { http: answer.status, ...JSON.parse(answer.text) };
    };
    const pay = (card: object) => post('confirm', { card: { number: GOOD, ...VALID, ...card } });
    return { ...harness, ref, clientSecret, post, pay };
  }

  test('the client secret is required, and neither metadata nor charge is shown', async () => {
    const { browse, clientSecret, pageOf, pay, post, ref } = await withPayment();
    for (const secret of ['', `?client_secret=${clientSecret}x`])
      expect((await browse(pageOf(ref) + secret)).status).toBe(404);
    expect((await post('confirm', { card: { number: GOOD, ...VALID } }, 'guessed')).http).toBe(404);
    expect(await pay({})).toMatchObject({ http: 200, status: 'succeeded' });
    const { text } = await browse(`${pageOf(ref)}?client_secret=${clientSecret}`);
    expect(JSON.parse(text)).toMatchObject({ object: 'payment_intent', status: 'succeeded', amount: 3_150 });
    expect(text).not.toMatch(/payment_id|bid_id|latest_charge/);
  });

  test.each([
    ['incorrect_number', { number: '4242424242424241' }],
    ['invalid_number', { number: '4242' }],
    ['invalid_expiry_year', { exp_year: new Date().getFullYear() - 1 }],
    ['invalid_expiry_month', { exp_month: 13 }],
    ['invalid_cvc', { cvc: '12' }],
    ['card_declined', { number: '4539578763621486' }],
  ])('a card is refused before the payment is tried: %s', async (code, wrong) => {
    const { pay, readPayment, ref } = await withPayment();
    expect(await pay(wrong)).toMatchObject({ http: 402, error: { type: 'card_error', code } });
    expect(await readPayment(ref)).toMatchObject({ status: 'open', failureText: null });
  });

  test('the error of a declined card contains the payment', async () => {
    const { pay } = await withPayment();
    const payment_intent = { status: 'requires_payment_method' };
    expect(await pay({ number: '4000000000000002' })).toMatchObject({
      http: 402,
      error: { code: 'card_declined', decline_code: 'generic_decline', payment_intent },
    });
  });

  test.each([
    ['pass', 'succeeded', null],
    ['fail', 'open', expect.stringContaining('unable to authenticate')],
  ])('the bank says %s: the payment is %s', async (outcome, status, failureText) => {
    const { pay, post, readPayment, ref } = await withPayment();
    expect((await post('challenge', { outcome })).http).toBe(400);
    expect(await pay({ number: '4000000000003220' })).toMatchObject({ status: 'requires_action' });
    expect((await post('challenge', { outcome })).http).toBe(200);
    expect(await readPayment(ref)).toMatchObject({ status, failureText });
  });
});
