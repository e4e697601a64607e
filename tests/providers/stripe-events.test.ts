import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { createStripeProvider } from '#server/providers/stripe/stripe.ts';
import { publicIdOf } from '#tests/support/public-ids.ts';
import { holdTimeLimits } from '#tests/support/time-limits.ts';
import { eventOf, openStripe, payoutOf, SITE, typesOf } from './harness.ts';

/** Our adapter, with Stripe's SDK in it, against the stand-in: every flow of payments once. */

const INTENTS = '/v1/payment_intents';
const madeIntents = ({ stripe }: { stripe: Parameters<typeof typesOf>[0] }) =>
  typesOf(stripe, /^payment_intent\.created$/).length;

describe('a seller', () => {
  test.each([
    ['finish', { isReady: true, isRestricted: false, requirements: [] }],
    ['incomplete', { isReady: false, isRestricted: true, requirements: ['identity_document'] }],
    ['leave', { isReady: false, isRestricted: false, requirements: expect.arrayContaining(['legal_name']) }],
  ])('leaves the set-up pages by %s, and their link works once', async (choice, expected) => {
    const { browse, provider, startSeller } = await openStripe();
    const { accountRef, url } = await startSeller();
    expect(url).toMatch(/^http:\/\/localhost:3000\/sandbox\/stripe\/browser\/onboarding\/\w{32}$/);
    const page = await browse(url);
    expect(page.text).toContain('No real money moves.');
    expect(page.text).not.toMatch(/<script|<style|style=/);
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${SITE}`);
    const back = await browse(url, `choice=${choice}`);
    expect([back.status, back.headers.get('location')]).toEqual([303, `${SITE}/seller-onboarding?back=1`]);
    expect(await provider.readAccount({ userId: 1, accountRef })).toMatchObject(expected);
    const again = await browse(url, 'choice=finish');
    expect(again.headers.get('location')).toBe(`${SITE}/seller-onboarding?again=1`);
    expect(await provider.readAccount({ userId: 1, accountRef })).toMatchObject(expected);
    expect((await browse('/sandbox/stripe/browser/onboarding/none')).status).toBe(404);
  });
});

describe('when Stripe fails', () => {
  test.each([
    ['error-before', 1],
    ['cut-before', 1],
    ['cut-after', 1],
    // The adapter avoids the stored error with a new key. The first payment intent stays unpaid.
    ['error-after', 2],
  ] as const)('%s once: the payment is created', async (fault, made) => {
    const harness = await openStripe();
    harness.faults.push({ path: INTENTS, fault });
    const payment = await harness.makePayment();
    expect(payment).toMatchObject({ status: 'open', publicId: publicIdOf(7) });
    expect((await harness.makePayment()).ref).toBe(payment.ref);
    expect(madeIntents(harness)).toBe(made);
  });

  test('without an answer the SDK repeats the request with the same key', async () => {
    const limits = holdTimeLimits();
    const harness = await openStripe();
    harness.faults.push({ path: INTENTS, fault: 'hang-after' });
    const payment = harness.makePayment();
    await expect.poll(() => madeIntents(harness), { interval: 5 }).toBe(1);
    limits.end();
    expect(await payment).toMatchObject({ status: 'open' });
    expect(madeIntents(harness)).toBe(1);
  });

  test('requests with one key at the same time make one payment', async () => {
    const harness = await openStripe();
    const made = await Promise.all(Array.from({ length: 8 }, () => harness.makePayment()));
    expect(new Set(made.map(({ ref }) => ref)).size).toBe(1);
    expect(madeIntents(harness)).toBe(1);
  });

  test.each(['hang', 'drop'] as const)('that it begins to %s is no refusal', async (how) => {
    const { provider, stripe } = await openStripe({ timeoutMs: 200 });
    expect(await provider.readPayment('pi_none')).toBeNull();
    stripe.interrupt(how, 60_000);
    await expect(provider.readPayment('pi_none')).rejects.toMatchObject({ name: 'ProviderUnreachable' });
  });

  test('a payout that was made before an error is found when the payment is read', async () => {
    const { faults, makePaid, provider, readPayment } = await openStripe();
    const paid = await makePaid();
    faults.push({ path: '/v1/transfers', fault: 'error-after' });
    await expect(provider.payOut(payoutOf(paid))).rejects.toMatchObject({ name: 'ProviderUnreachable' });
    expect((await readPayment(paid.ref)).payouts).toMatchObject([{ amount: 2_850 }]);
  });

  test('a wrong key and parameters that Stripe does not know are refused', async () => {
    const { sandbox, settings } = await openStripe();
    const strange = createStripeProvider({ ...settings, secretKey: 'sk_test_strange' });
    await expect(strange.readPayment('pi_1')).rejects.toMatchObject({ name: 'ProviderRefusal' });
    const { hostname: host, port } = new URL(sandbox.url);
    const sdk = new Stripe(settings.secretKey, { protocol: 'http', host, port, telemetry: false });
    const given = { amount: 500, currency: 'cad', allowed_payment_method_types: ['card'] };
    for (const [params, param] of [
      [{ amount: 500 }, 'currency'],
      [{ ...given, payment_method_types: ['card'] }, 'payment_method_types'],
    ] as const)
      await expect(sdk.rawRequest('POST', INTENTS, params)).rejects.toMatchObject({ param });
  });
});

describe('a webhook', () => {
  const signed = (body: string, secret: string, at = Date.now()) => {
    const seconds = Math.floor(at / 1_000);
    const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return { 'stripe-signature': `t=${seconds},v1=${digest}` };
  };
  const INVALID = { name: 'ProviderRefusal', code: 'invalid_signature' };

  test('tells what happens to a payment, oldest first, and names it', async () => {
    const { arrive, makePaid, provider, stripe } = await openStripe();
    const paid = await makePaid();
    await provider.payOut(payoutOf(paid));
    await stripe.openDispute(paid.ref);
    expect(typesOf(stripe, /^[^v]/)).toEqual([
      ...['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded', 'transfer.created'],
      ...['charge.dispute.created', 'charge.dispute.funds_withdrawn'],
    ]);
    for (const [type, ref, publicId] of [
      ['payment_intent.succeeded', paid.ref, publicIdOf(7)],
      ['charge.succeeded', paid.ref, publicIdOf(7)],
      ['charge.dispute.created', paid.ref, null],
      ['transfer.created', null, publicIdOf(7)],
    ] as const) {
      const { id, subject } = await arrive(eventOf(stripe, type));
      expect([id, subject]).toEqual([expect.stringMatching(/^evt_/), { kind: 'payment', ref, publicId }]);
    }
  });

  test.each(['9', '{}', '{"id":"evt_1","type":"charge.refunded"}', '{"object":"v2.core.event"}'])(
    'is refused where it is signed and no event: %s',
    async (body) => {
      const { provider, settings } = await openStripe();
      const headers = signed(body, settings.webhookSecrets[0] ?? '');
      await expect(provider.readEvent(body, headers)).rejects.toMatchObject(INVALID);
    },
  );

  test('names an account: thin events of v2, and events of v1', async () => {
    const { arrive, provider, readySeller, settings, stripe } = await openStripe();
    const accountRef = await readySeller();
    const type = 'v2.core.account[configuration.recipient].capability_status_updated';
    expect((await arrive(eventOf(stripe, type))).subject).toEqual({
      ...{ kind: 'account', accountRef, userId: null },
    });
    for (const [name, object, subject] of [
      [
        'account.updated',
        { id: accountRef, object: 'account', metadata: { seller_id: '4' } },
        { kind: 'account', accountRef, userId: 4 },
      ],
      [
        'account.application.deauthorized',
        { object: 'application' },
        { kind: 'account', accountRef, userId: null },
      ],
      ['payout.paid', { object: 'payout' }, { kind: 'other' }],
    ] as const) {
      const account = name === 'payout.paid' ? {} : { account: accountRef };
      const body = JSON.stringify({ id: 'evt_1', object: 'event', type: name, ...account, data: { object } });
      const headers = signed(body, settings.webhookSecrets[1] ?? '');
      expect((await provider.readEvent(body, headers)).subject, name).toEqual(subject);
    }
  });

  test('counts for five minutes, with our secret, as it was signed', async () => {
    const { arrive, makePayment, provider, settings, stripe } = await openStripe();
    await makePayment();
    const event = eventOf(stripe, 'payment_intent.created');
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    expect(await arrive(event, { at: ago(280) })).toMatchObject({ id: event.id });
    for (const how of [{ at: ago(320) }, { tamper: true }, { unsigned: true }])
      await expect(arrive(event, how)).rejects.toMatchObject(INVALID);
    for (const [body, headers] of [
      [event.body, signed(event.body, 'whsec_stranger')],
      [event.body, { 'stripe-signature': 'nonsense' }],
      ['hello', signed('hello', settings.webhookSecrets[1] ?? '')],
    ] as const)
      await expect(provider.readEvent(body, headers)).rejects.toMatchObject(INVALID);
  });

  test('is sent at once in the demo, and again until it is accepted; it can be held back', async () => {
    const { makePayment, received, statuses, stripe } = await openStripe({ webhooks: 'auto' });
    statuses.push(503);
    await makePayment();
    await expect.poll(() => received.length).toBe(2);
    expect(received[1]?.body).toBe(received[0]?.body);
    await stripe.holdEvents(true);
    await makePayment(8);
    expect([received.length, stripe.waiting().length]).toEqual([2, 1]);
    await stripe.holdEvents(false);
    expect([received.length, stripe.waiting().length, stripe.sent().length]).toEqual([3, 0, 2]);
  });
});

test('Stripe lists its event destinations, and we need the events that the documentation names', async () => {
  const { provider } = await openStripe();
  expect(await provider.listWebhooks()).toEqual([
    { url: `${SITE}/api/webhooks/stripe`, isEnabled: true, events: ['*'] },
  ]);
  const [, listed = ''] =
    /^## Stripe$([\s\S]*?)^## PayPal$/m.exec(readFileSync('docs/payments.md', 'utf8')) ?? [];
  const named = [...listed.matchAll(/`([a-z_\d]+\.[a-z_.[\]\d]+)`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual([...provider.neededEvents].sort());
});
