import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openStripeHarness } from '#server/testing/stripe-harness.ts';

const person = { userId: 5, email: 'buyer@example.com', idempotencyKey: 'customer-5' };

async function withVault() {
  const harness = await openStripeHarness();
  const { cards } = harness.provider;
  if (cards === null) throw new Error('Stripe keeps cards');
  return { ...harness, cards, customerRef: await cards.createCustomer(person) };
}

/** With a buyer who has paid once and kept the card. */
async function withKeptCard(number = '5555555555554444') {
  const harness = await withVault();
  const { ref, clientSecret } = await harness.makePayment(1);
  await harness.cards.keepCard(ref, harness.customerRef);
  await harness.sandbox.confirmWithCard(clientSecret, number);
  if ((await harness.provider.readPayment(ref))?.status === 'requires_action') {
    await harness.browse(`/browser/payment_intents/${ref}/challenge`, {
      client_secret: clientSecret,
      outcome: 'pass',
    });
  }
  const keptCard = (await harness.provider.readPayment(ref))?.keptCard;
  if (!keptCard) throw new Error('Not kept');
  const payAgain = async (paymentId = 2) => {
    const payment = await harness.makePayment(paymentId);
    const { token } = keptCard;
    const { customerRef } = harness;
    const returnUrl = 'http://localhost:3000/pay';
    const given = { ref: payment.ref, token, customerRef, returnUrl, idempotencyKey: `pay-${paymentId}` };
    return harness.cards.payWithCard(given);
  };
  return { ...harness, keptCard, payAgain };
}

describe('a kept card', () => {
  test('belongs to a customer, who is created once', async () => {
    const { cards, customerRef } = await withVault();
    expect(customerRef).toMatch(/^cus_/);
    expect(await cards.createCustomer(person)).toBe(customerRef);
  });

  test('is kept only if the buyer asked for it, and only after it has paid', async () => {
    const { cards, customerRef, makePayment, provider, sandbox } = await withVault();
    const { ref, clientSecret } = await makePayment();
    expect(await cards.keepCard(ref, customerRef)).toMatchObject({ status: 'open', keptCard: null });
    await cards.keepCard(ref, null);
    await sandbox.confirmWithCard(clientSecret, '4242424242424242');
    expect(await provider.readPayment(ref)).toMatchObject({ status: 'succeeded', keptCard: null });
    expect(await cards.keepCard(ref, customerRef)).toMatchObject({ status: 'succeeded', keptCard: null });
  });

  test('pays again without being typed', async () => {
    const { keptCard, payAgain } = await withKeptCard();
    expect(keptCard).toEqual({
      token: expect.stringMatching(/^pm_/),
      brand: 'mastercard',
      lastFour: '4444',
      expiryMonth: 12,
      expiryYear: new Date().getFullYear() + 5,
    });
    expect(await payAgain()).toMatchObject({ status: 'succeeded', chargeRef: expect.stringMatching(/^ch_/) });
    expect(await payAgain()).toMatchObject({ status: 'succeeded' });
  });

  test("may need the bank's confirmation", async () => {
    const { payAgain } = await withKeptCard('4000002500003155');
    expect(await payAgain()).toMatchObject({ status: 'requires_action' });
  });

  test('that is declined returns the reason', async () => {
    const { cards, customerRef, makePayment, sandbox, stripe, provider } = await withVault();
    const { ref, clientSecret } = await makePayment();
    await sandbox.confirmWithCard(clientSecret, '4000000000009995');
    const { last_payment_error } = await stripe.paymentIntents.retrieve(ref);
    const token = last_payment_error?.payment_method?.id ?? '';
    await stripe.paymentMethods.attach(token, { customer: customerRef });
    const given = { ref, token, customerRef, returnUrl: 'http://localhost:3000/pay', idempotencyKey: 'pay' };
    await expect(cards.payWithCard(given)).rejects.toMatchObject({
      name: 'ProviderRefusal',
      code: 'card_declined',
      message: 'Your card has insufficient funds.',
    });
    expect(await provider.readPayment(ref)).toMatchObject({ status: 'open' });
  });

  test('of another customer is refused', async () => {
    const { cards, keptCard, makePayment } = await withKeptCard();
    const other = await cards.createCustomer({ ...person, userId: 6, idempotencyKey: 'customer-6' });
    const { ref } = await makePayment(3);
    const given = { ref, token: keptCard.token, customerRef: other, returnUrl: '', idempotencyKey: 'theft' };
    await expect(cards.payWithCard(given)).rejects.toMatchObject({ name: 'ProviderRefusal' });
  });

  test('can be forgotten twice without an error', async () => {
    const { cards, keptCard, payAgain } = await withKeptCard();
    await cards.forgetCard(keptCard.token);
    await cards.forgetCard(keptCard.token);
    await cards.forgetCard('pm_never');
    await expect(payAgain()).rejects.toMatchObject({ name: 'ProviderRefusal' });
  });
});

const answerSchema = z.object({
  status: z.string().optional(),
  error: z
    .object({
      type: z.string(),
      code: z.string().optional(),
      decline_code: z.string().optional(),
      payment_intent: z.object({ status: z.string() }).optional(),
    })
    .optional(),
});

describe('in the browser', () => {
  const good = {
    number: '4242424242424242',
    exp_month: 12,
    exp_year: new Date().getFullYear() + 1,
    cvc: '123',
  };

  async function withPayment() {
    const harness = await openStripeHarness();
    const { ref, clientSecret } = await harness.makePayment();
    const path = `/browser/payment_intents/${ref}`;
    const post = async (act: string, more: object, client_secret = clientSecret) => {
      const { status, text } = await harness.browse(`${path}/${act}`, { client_secret, ...more });
      return { http: status, ...answerSchema.parse(JSON.parse(text)) };
    };
    return { ...harness, ref, clientSecret, path, post };
  }

  test('the client secret is required, and neither metadata nor charge is shown', async () => {
    const { browse, clientSecret, path, post } = await withPayment();
    for (const secret of ['', '?client_secret=', `?client_secret=${clientSecret}x`]) {
      expect((await browse(path + secret)).status).toBe(404);
    }
    expect((await post('confirm', { card: good }, 'guessed')).http).toBe(404);
    expect(await post('confirm', { card: good })).toMatchObject({ http: 200, status: 'succeeded' });
    const { text } = await browse(`${path}?client_secret=${clientSecret}`);
    expect(JSON.parse(text)).toMatchObject({ object: 'payment_intent', status: 'succeeded', amount: 3_150 });
    expect(text).not.toMatch(/metadata.{0,5}payment_id|bid_id|latest_charge/);
    expect(await post('confirm', { card: good })).toMatchObject({
      http: 400,
      error: { code: 'payment_intent_unexpected_state' },
    });
  });

  test.each([
    ['incorrect_number', { number: '4242424242424241' }],
    ['invalid_number', { number: '4242' }],
    ['invalid_expiry_year', { exp_year: new Date().getFullYear() - 1 }],
    ['invalid_expiry_month', { exp_month: 13 }],
    ['invalid_cvc', { cvc: '' }],
    ['invalid_cvc', { cvc: '12' }],
  ])('%s: the payment is not attempted', async (code, wrong) => {
    const { post, provider, ref } = await withPayment();
    expect(await post('confirm', { card: { ...good, ...wrong } })).toMatchObject({
      http: 402,
      error: { type: 'card_error', code },
    });
    expect(await provider.readPayment(ref)).toMatchObject({ status: 'open', failureText: null });
  });

  test('a real card is declined', async () => {
    const { post } = await withPayment();
    expect(await post('confirm', { card: { ...good, number: '4539578763621486' } })).toMatchObject({
      http: 402,
      error: { code: 'card_declined', decline_code: 'test_mode_live_card' },
    });
  });

  test('the error of a declined card contains the payment', async () => {
    const { post } = await withPayment();
    expect(await post('confirm', { card: { ...good, number: '4000000000000002' } })).toMatchObject({
      http: 402,
      error: {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        payment_intent: { status: 'requires_payment_method' },
      },
    });
  });

  test.each([
    ['pass', 'succeeded', 'succeeded'],
    ['complete', 'succeeded', 'succeeded'],
    ['fail', 'requires_payment_method', 'open'],
  ])('the bank says %s: %s', async (outcome, status, ours) => {
    const { post, provider, ref } = await withPayment();
    expect((await post('challenge', { outcome })).http).toBe(400);
    expect(await post('confirm', { card: { ...good, number: '4000000000003220' } })).toMatchObject({
      status: 'requires_action',
    });
    expect(await post('challenge', { outcome })).toMatchObject({ http: 200, status });
    const failureText = ours === 'open' ? expect.stringContaining('unable to authenticate') : null;
    expect(await provider.readPayment(ref)).toMatchObject({ status: ours, failureText });
  });

  test("Stripe's script is served", async () => {
    const { browse } = await withPayment();
    const script = await browse('/browser/stripe.js');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(script.text).toContain('Object.assign(window, { Stripe');
  });
});
