import { describe, expect, test } from 'vitest';
import type { SandboxEvent } from '#server/sandbox/server.ts';
import { openPaypalHarness, type PaypalHarness } from '#server/testing/paypal-harness.ts';
import { publicIdOf } from '#server/testing/public-ids.ts';

const HOUR_MS = 60 * 60 * 1_000;

function only<T>(values: readonly T[]): T {
  const [value] = values;
  if (value === undefined || values.length !== 1) throw new Error(`Not one but ${values.length}`);
  return value;
}

/** Delivers an event and reads it, as our webhook route does. */
async function arrive(
  { provider, received, sandbox }: PaypalHarness,
  event: SandboxEvent,
  options: Parameters<PaypalHarness['sandbox']['deliver']>[1] = {},
) {
  await sandbox.deliver(event, options);
  const last = received.at(-1);
  if (!last) throw new Error('Nothing arrived');
  return provider.readEvent(last.body, last.headers);
}

function eventOf(type: string, resource: unknown): SandboxEvent {
  return { id: 'WH-X', type, body: JSON.stringify({ id: 'WH-X', event_type: type, resource }) };
}

const INVALID = { name: 'ProviderRefusal', code: 'invalid_signature' };

describe('a webhook', () => {
  test('with a valid signature names its payment', async () => {
    const harness = await openPaypalHarness();
    const paid = await harness.makePaid();
    const events = harness.sandbox.waiting().filter(({ type }) => !type.startsWith('MERCHANT.'));
    expect(events.map(({ type }) => type)).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED']);
    for (const event of events) {
      const { id, type } = event;
      const subject = { kind: 'payment', ref: paid.ref, publicId: publicIdOf(7) };
      expect(await arrive(harness, event)).toEqual({ id, type, subject });
    }
  });

  test.each([
    ['changed on the way', { tamper: true }],
    ['without a signature', { unsigned: true }],
    ['kept for four days', { at: new Date(Date.now() - 96 * HOUR_MS) }],
    ['from tomorrow', { at: new Date(Date.now() + 24 * HOUR_MS) }],
  ])('%s is refused', async (_name, options) => {
    const harness = await openPaypalHarness();
    await harness.makeOrder();
    const event = only(harness.sandbox.waiting());
    await expect(arrive(harness, event, options)).rejects.toMatchObject(INVALID);
    // The same event within that time is accepted.
    expect(await arrive(harness, event, { at: new Date(Date.now() - 70 * HOUR_MS) })).toMatchObject({
      type: 'MERCHANT.ONBOARDING.COMPLETED',
    });
  });

  test('with a certificate of another host, or without one of the headers, is refused without a call', async () => {
    const harness = await openPaypalHarness();
    await harness.makeOrder();
    await arrive(harness, only(harness.sandbox.waiting()));
    const { body, headers } = only(harness.received);
    const asked = harness.asked.length;
    for (const url of [
      'https://paypal.com.example.org/cert',
      'https://evilpaypal.com/cert',
      'http://api.paypal.com/cert',
      'https://example.org/?api.paypal.com',
    ]) {
      const forged = harness.provider.readEvent(body, { ...headers, 'paypal-cert-url': url });
      await expect(forged).rejects.toMatchObject(INVALID);
    }
    for (const name of Object.keys(headers).filter((header) => header.startsWith('paypal-'))) {
      const forged = harness.provider.readEvent(body, { ...headers, [name]: undefined });
      await expect(forged).rejects.toMatchObject(INVALID);
    }
    expect(harness.asked).toHaveLength(asked);
  });

  test('is verified by its bytes, not by its parsed content', async () => {
    const harness = await openPaypalHarness();
    const odd =
      '{ "id":"WH-Y", "event_type":"X.Y",\n "resource":{"n":1.0,"t":"\\u00e9 \\"webhook_event\\":"} }';
    const event = { id: 'WH-Y', type: 'X.Y', body: odd };
    expect(await arrive(harness, event)).toEqual({ id: 'WH-Y', type: 'X.Y', subject: { kind: 'other' } });
    const { headers } = only(harness.received);
    const rewritten = JSON.stringify(JSON.parse(odd));
    await expect(harness.provider.readEvent(rewritten, headers)).rejects.toMatchObject(INVALID);
  });

  test('cannot break out of the request that it is spliced into', async () => {
    const harness = await openPaypalHarness();
    await harness.makeOrder();
    await arrive(harness, only(harness.sandbox.waiting()));
    const { body, headers } = only(harness.received);
    const smuggled = `${body},"webhook_id":"other"`;
    await expect(harness.provider.readEvent(smuggled, headers)).rejects.toMatchObject(INVALID);
    await expect(harness.provider.readEvent('', headers)).rejects.toMatchObject(INVALID);
    await expect(harness.provider.readEvent('[]', headers)).rejects.toMatchObject(INVALID);
  });

  test('for another of our webhooks is refused', async () => {
    const harness = await openPaypalHarness();
    await harness.makeOrder();
    await arrive(harness, only(harness.sandbox.waiting()));
    const { body, headers } = only(harness.received);
    const { createPaypalProvider } = await import('./paypal.ts');
    const other = createPaypalProvider({ ...harness.settings, webhookId: 'WH-2' });
    await expect(other.readEvent(body, headers)).rejects.toMatchObject(INVALID);
  });

  test('that PayPal cannot verify now counts as unreachable', async () => {
    const harness = await openPaypalHarness();
    await harness.makeOrder();
    harness.faults.push({ path: '/v1/notifications/', fault: 'error-before' });
    const event = only(harness.sandbox.waiting());
    await expect(arrive(harness, event)).rejects.toMatchObject({ name: 'ProviderUnreachable' });
  });
});

describe('the subject', () => {
  test('of a refund: ours by its custom id, PayPal’s own by its capture', async () => {
    const harness = await openPaypalHarness();
    const { ref, chargeRef, receiver } = await harness.makePaid();
    await harness.provider.refund({
      publicId: publicIdOf(7),
      ref,
      chargeRef,
      receiver,
      amount: 3_150,
      platformFee: 300,
      idempotencyKey: 'refund',
    });
    const event = harness.sandbox.waiting().at(-1) ?? eventOf('', {});
    expect(await arrive(harness, event)).toMatchObject({
      type: 'PAYMENT.CAPTURE.REFUNDED',
      subject: { kind: 'payment', publicId: publicIdOf(7) },
    });
    const links = [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${chargeRef}` }];
    const foreign = eventOf('PAYMENT.CAPTURE.REFUNDED', { id: 'R', links });
    expect((await arrive(harness, foreign)).subject).toEqual({
      kind: 'payment',
      ref,
      publicId: publicIdOf(7),
    });
  });

  test('of a dispute with and without our id', async () => {
    const harness = await openPaypalHarness();
    const paid = await harness.makePaid();
    await harness.sandbox.openDispute(paid.chargeRef);
    const event = harness.sandbox.waiting().at(-1) ?? eventOf('', {});
    expect(await arrive(harness, event)).toMatchObject({
      type: 'CUSTOMER.DISPUTE.CREATED',
      subject: { kind: 'payment', ref: null, publicId: publicIdOf(7) },
    });
    const bare = { disputed_transactions: [{ seller_transaction_id: paid.chargeRef }] };
    expect((await arrive(harness, eventOf('CUSTOMER.DISPUTE.CREATED', bare))).subject).toEqual({
      kind: 'payment',
      ref: paid.ref,
      publicId: publicIdOf(7),
    });
  });

  test('of a seller’s set-up', async () => {
    const harness = await openPaypalHarness();
    const accountRef = await harness.sandbox.finishOnboarding(42);
    const subject = { kind: 'account', accountRef, userId: 42 };
    expect((await arrive(harness, only(harness.sandbox.waiting()))).subject).toEqual(subject);
    const revoked = eventOf('MERCHANT.PARTNER-CONSENT.REVOKED', { merchant_id: accountRef });
    expect((await arrive(harness, revoked)).subject).toEqual({ ...subject, userId: null });
  });

  test.each([
    ['PAYMENT.REFERENCED-PAYOUT-ITEM.COMPLETED', { item_id: 'I' }, { kind: 'other' }],
    [
      'PAYMENT.REFERENCED-PAYOUT-ITEM.COMPLETED',
      { custom: publicIdOf(7) },
      { kind: 'payment', ref: null, publicId: publicIdOf(7) },
    ],
    ['PAYMENT.CAPTURE.COMPLETED', { id: 'C', custom_id: 'not ours' }, { kind: 'other' }],
    ['CUSTOMER.DISPUTE.CREATED', { disputed_transactions: [] }, { kind: 'other' }],
    ['CHECKOUT.ORDER.APPROVED', {}, { kind: 'other' }],
    ['BILLING.PLAN.CREATED', {}, { kind: 'other' }],
  ])('of %s %j', async (type, resource, subject) => {
    const harness = await openPaypalHarness();
    expect((await arrive(harness, eventOf(type, resource))).subject).toEqual(subject);
  });
});

describe('delivery', () => {
  test('held events wait until they are taken or dropped', async () => {
    const { makeOrder, sandbox, statuses } = await openPaypalHarness();
    const order = await makeOrder();
    await sandbox.approveOrder(order.ref);
    const [onboarding, approved] = sandbox.waiting();
    if (!onboarding || !approved) throw new Error('Two events should wait');
    statuses.push(503);
    expect(await sandbox.deliver(onboarding)).toBe(503);
    expect(sandbox.waiting()).toEqual([onboarding, approved]);
    expect(await sandbox.deliver(onboarding)).toBe(200);
    // Delivering it again changes nothing.
    expect(await sandbox.deliver(onboarding)).toBe(200);
    expect(sandbox.waiting()).toEqual([approved]);
    sandbox.drop(approved);
    expect(sandbox.waiting()).toEqual([]);
  });

  test('automatic events arrive by themselves, and again while they are refused', async () => {
    const { makeOrder, received, sandbox, statuses } = await openPaypalHarness({ webhooks: 'auto' });
    statuses.push(500);
    await makeOrder();
    await waitFor(() => received.length === 2);
    expect(received[1]?.body).toBe(received[0]?.body);
    expect(sandbox.waiting()).toEqual([]);
  });
});

async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
