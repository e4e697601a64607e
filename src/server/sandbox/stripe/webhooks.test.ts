import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderEvent } from '#server/providers/payments.ts';
import { publicIdOf } from '#server/testing/public-ids.ts';
import { openStripeHarness } from '#server/testing/stripe-harness.ts';
import type { SandboxEvent } from '../server.ts';
import { signatureOf } from './webhooks.ts';

/** A receiver of webhooks. */
interface Inbox {
  readonly url: string;
  readonly got: { body: string; signature: string | undefined }[];
  status: number;
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

async function openInbox(): Promise<Inbox> {
  const got: Inbox['got'] = [];
  const waiting: { count: number; done: () => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const signature = request.headers['stripe-signature'];
      got.push({ body: Buffer.concat(chunks).toString(), signature: signature?.toString() });
      response.writeHead(inbox.status).end();
      for (const { count, done } of waiting) if (got.length >= count) done();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const inbox: Inbox = {
    url: `http://127.0.0.1:${port}/api/webhooks/stripe`,
    got,
    status: 200,
    arrived: (count) =>
      got.length >= count
        ? Promise.resolve()
        : new Promise<void>((done) => {
            waiting.push({ count, done });
          }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return inbox;
}

let inbox: Inbox;
async function open(options: Parameters<typeof openStripeHarness>[0] = {}) {
  const harness = await openStripeHarness({ webhookUrl: () => inbox.url, ...options });
  /** Delivers an event and reads it as the program would. */
  const receive = async (
    event: SandboxEvent,
    how?: Parameters<typeof harness.sandbox.deliver>[1],
  ): Promise<ProviderEvent> => {
    await harness.sandbox.deliver(event, how);
    const last = inbox.got.at(-1);
    return harness.provider.readEvent(last?.body ?? '', { 'stripe-signature': last?.signature });
  };
  const eventOf = (type: string): SandboxEvent => {
    const event = harness.sandbox.waiting().find((waiting) => waiting.type === type);
    if (!event) throw new Error(`No ${type} waits`);
    return event;
  };
  return { ...harness, receive, eventOf };
}
beforeEach(async () => {
  inbox = await openInbox();
});
afterEach(() => inbox.close());

const typesOf = (events: readonly SandboxEvent[]) => events.map(({ type }) => type);

describe('events', () => {
  test('tell all that happens to a payment, oldest first', async () => {
    const { makePaid, provider, sandbox, stripe } = await open();
    const paid = await makePaid();
    await provider.payOut({ ...paid, publicId: publicIdOf(7), amount: 2_850, idempotencyKey: 'p' });
    const dispute = await sandbox.openDispute(paid.ref);
    await sandbox.closeDispute(dispute, 'won');
    await provider.refund({ ...paid, publicId: publicIdOf(7), platformFee: 300, idempotencyKey: 'r' });
    expect(typesOf(sandbox.waiting())).toEqual([
      'v2.core.account.created',
      'v2.core.account_link.returned',
      'v2.core.account[requirements].updated',
      'v2.core.account[configuration.recipient].capability_status_updated',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'transfer.created',
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
      'refund.created',
      'charge.refunded',
      'refund.updated',
    ]);
    const { data } = await stripe.events.list({ limit: 3 });
    expect(data.map(({ type }) => type)).toEqual(['refund.updated', 'charge.refunded', 'refund.created']);
    expect((await stripe.events.retrieve(data[0]?.id ?? '')).type).toBe('refund.updated');
  });

  test('name the payment', async () => {
    const { eventOf, makePaid, provider, receive, sandbox } = await open();
    const paid = await makePaid();
    await provider.payOut({ ...paid, publicId: publicIdOf(7), amount: 2_850, idempotencyKey: 'p' });
    await sandbox.openDispute(paid.ref);
    const subjects: Record<string, ProviderEvent['subject']> = {};
    for (const type of ['payment_intent.succeeded', 'charge.succeeded', 'charge.dispute.created']) {
      subjects[type] = (await receive(eventOf(type))).subject;
    }
    subjects['transfer.created'] = (await receive(eventOf('transfer.created'))).subject;
    expect(subjects).toEqual({
      'payment_intent.succeeded': { kind: 'payment', ref: paid.ref, publicId: publicIdOf(7) },
      'charge.succeeded': { kind: 'payment', ref: paid.ref, publicId: publicIdOf(7) },
      'charge.dispute.created': { kind: 'payment', ref: paid.ref, publicId: null },
      'transfer.created': { kind: 'payment', ref: null, publicId: publicIdOf(7) },
    });
  });

  test('name the account: thin events of v2', async () => {
    const { eventOf, receive, startSeller, sandbox } = await open();
    const { accountRef } = await startSeller();
    await sandbox.finishOnboarding(accountRef);
    const type = 'v2.core.account[configuration.recipient].capability_status_updated';
    const event = await receive(eventOf(type));
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      type,
      subject: { kind: 'account', accountRef, userId: null },
    });
    await expect(receive(eventOf('v2.core.account.created'), { tamper: true })).rejects.toMatchObject({
      code: 'invalid_signature',
    });
  });

  test.each([
    ['account.updated', { id: 'acct_1', object: 'account', metadata: { seller_id: '4' } }, 4],
    ['account.application.deauthorized', { id: 'ca_1', object: 'application', name: 'ClipSwap' }, null],
  ])('name the account: %s of v1', async (type, object, userId) => {
    const { keys, provider } = await open();
    const body = JSON.stringify({ id: 'evt_1', object: 'event', type, account: 'acct_1', data: { object } });
    const signature = signatureOf(body, keys.webhookSecret, new Date());
    expect(await provider.readEvent(body, { 'stripe-signature': signature })).toEqual({
      id: 'evt_1',
      type,
      subject: { kind: 'account', accountRef: 'acct_1', userId },
    });
  });

  test('about other objects have the subject other', async () => {
    const { keys, provider } = await open();
    const object = { id: 'po_1', object: 'payout' };
    const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'payout.paid', data: { object } });
    const signature = signatureOf(body, keys.webhookSecret, new Date());
    const { subject } = await provider.readEvent(body, { 'stripe-signature': signature });
    expect(subject).toEqual({ kind: 'other' });
  });
});

describe('a signature', () => {
  const seconds = (count: number) => new Date(Date.now() + count * 1_000);

  test('is valid for five minutes', async () => {
    const { eventOf, makePayment, receive } = await open();
    await makePayment();
    const event = eventOf('payment_intent.created');
    expect(await receive(event, { at: seconds(-280) })).toMatchObject({ id: event.id });
    await expect(receive(event, { at: seconds(-320) })).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  test.each([
    ['tampered', { tamper: true }],
    ['unsigned', { unsigned: true }],
  ])('fails when %s', async (_name, how) => {
    const { eventOf, makePayment, receive } = await open();
    await makePayment();
    await expect(receive(eventOf('payment_intent.created'), how)).rejects.toMatchObject({
      name: 'ProviderRefusal',
      code: 'invalid_signature',
    });
  });

  test('with an unknown secret, or of a body that is not JSON, fails', async () => {
    const { keys, provider } = await open();
    const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'payout.paid', data: { object: {} } });
    for (const [payload, secret] of [
      [body, 'whsec_stranger'],
      ['hello', keys.webhookSecret],
    ] as const) {
      const headers = { 'stripe-signature': signatureOf(payload, secret, new Date()) };
      await expect(provider.readEvent(payload, headers)).rejects.toMatchObject({ code: 'invalid_signature' });
    }
    await expect(provider.readEvent(body, { 'stripe-signature': 'nonsense' })).rejects.toMatchObject({
      code: 'invalid_signature',
    });
  });

  test("is accepted by Stripe's SDK", async () => {
    const { eventOf, keys, makePayment, stripe } = await open();
    await makePayment();
    const { body } = eventOf('payment_intent.created');
    const header = signatureOf(body, keys.webhookSecret, new Date());
    expect(stripe.webhooks.constructEvent(body, header, keys.webhookSecret).type).toBe(
      'payment_intent.created',
    );
    expect(() => stripe.webhooks.constructEvent(body, header, 'whsec_other')).toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    );
  });
});

describe('delivery', () => {
  test('held: an event waits until it is accepted or dropped', async () => {
    const { eventOf, makePayment, sandbox } = await open();
    await makePayment();
    const event = eventOf('payment_intent.created');
    inbox.status = 500;
    expect(await sandbox.deliver(event)).toBe(500);
    expect(sandbox.waiting()).toEqual([event]);
    inbox.status = 200;
    expect(await sandbox.deliver(event)).toBe(200);
    expect(sandbox.waiting()).toEqual([]);
    await makePayment(8);
    sandbox.drop(eventOf('payment_intent.created'));
    expect(sandbox.waiting()).toEqual([]);
  });

  test('auto: an event is sent at once, and again until it is accepted', async () => {
    inbox.status = 503;
    const { makePayment } = await open({ webhooks: 'auto' });
    await makePayment();
    await inbox.arrived(1);
    inbox.status = 200;
    await inbox.arrived(2);
    expect(inbox.got[1]?.body).toBe(inbox.got[0]?.body);
  });
});
