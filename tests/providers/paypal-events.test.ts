import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Fault, SandboxEvent } from '#sandbox/server.ts';
import { createPaypalProvider } from '#server/providers/paypal/paypal.ts';
import { publicIdOf } from '#tests/support/public-ids.ts';
import { holdTimeLimits } from '#tests/support/time-limits.ts';
import { eventOf, listen, openPaypal, payoutOf, refundOf, SITE, typesOf } from './harness.ts';

/** What goes over the wire between us and PayPal: tokens, headers, answers that are none, and webhooks. */

afterEach(() => {
  vi.useRealTimers();
});

/** A server that gives every request except for tokens the same answer, and records the requests. */
async function answering(status: number, body: string) {
  const asked: { url: string; headers: Readonly<Record<string, unknown>>; body: string }[] = [];
  let tokens = 0;
  const apiBase = await listen(async (request, response) => {
    const given = await text(request);
    if (request.url === '/v1/oauth2/token') {
      tokens += 1;
      response.end(JSON.stringify({ access_token: `token-${tokens}`, expires_in: 1_000 }));
      return;
    }
    asked.push({ url: request.url ?? '', headers: request.headers, body: given });
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const account = { clientId: 'client', clientSecret: 'secret', partnerId: 'PARTNER', webhookId: 'WH-1' };
  const provider = createPaypalProvider({ ...account, attributionId: 'BN-1', apiBase });
  return { asked, provider, tokens: () => tokens };
}

describe('the access token', () => {
  test('is fetched once for parallel calls, and again when it has expired or could not be had', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { asked, faults, provider } = await openPaypal();
    faults.push({ path: '/v1/oauth2/token', fault: 'error-before' });
    await expect(provider.readPayment('NONE')).rejects.toMatchObject({ name: 'ProviderUnreachable' });
    const readMany = () => Promise.all(Array.from({ length: 8 }, () => provider.readPayment('NONE')));
    const tokens = () => asked.filter((line) => line === 'POST /v1/oauth2/token').length;
    await readMany();
    await readMany();
    expect(tokens()).toBe(2);
    vi.setSystemTime(Date.now() + 10 * 60 * 60 * 1_000);
    await readMany();
    expect(tokens()).toBe(3);
  });

  test('is fetched once more when PayPal has revoked it, and refused for wrong credentials', async () => {
    const { asked, provider } = await answering(401, '{"name":"AUTHENTICATION_FAILURE"}');
    await expect(provider.readPayment('A')).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILURE' });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
    const { settings } = await openPaypal();
    const stranger = createPaypalProvider({ ...settings, clientSecret: 'wrong' });
    await expect(stranger.readPayment('NONE')).rejects.toMatchObject({ code: 'invalid_client' });
  });
});

describe('a fault', () => {
  test.each<Fault>(['error-before', 'error-after', 'cut-before', 'cut-after', 'hang-after'])(
    '%s during a capture is no refusal, and a retry takes the money once',
    async (fault) => {
      const limits = holdTimeLimits();
      const { capture, faults, makeOrder, paypal } = await openPaypal();
      const captures = () => typesOf(paypal, /^PAYMENT\.CAPTURE\.COMPLETED$/);
      const { ref } = await makeOrder();
      await paypal.approveOrder(ref);
      faults.push({ path: `/v2/checkout/orders/${ref}/capture`, fault });
      const first = capture(ref);
      if (fault === 'hang-after') {
        await expect.poll(captures, { interval: 5 }).toHaveLength(1);
        limits.end();
      }
      await expect(first).rejects.toMatchObject({ name: 'ProviderUnreachable' });
      expect((await capture(ref)).status).toBe('succeeded');
      expect(captures()).toHaveLength(1);
    },
  );

  test('that loses the answer to a refund or a payout: the retry repeats nothing', async () => {
    const { faults, makePaid, paypal, provider } = await openPaypal();
    const [refunded, paid] = [await makePaid(7), await makePaid(8)];
    for (const [path, run] of [
      ['/v2/payments/captures', () => provider.refund(refundOf(refunded))],
      ['/v1/payments/referenced', () => provider.payOut(payoutOf(paid))],
    ] as const) {
      faults.push({ path, fault: 'cut-after' });
      await expect(run()).rejects.toMatchObject({ name: 'ProviderUnreachable' });
      expect(await run()).toMatchObject({ status: 'succeeded' });
    }
    expect(typesOf(paypal, /REFUNDED|PAYOUT-ITEM/)).toHaveLength(2);
  });

  test('when nothing listens counts as unreachable', async () => {
    const { provider, sandbox } = await openPaypal();
    await sandbox.close();
    await expect(provider.readPayment('NONE')).rejects.toMatchObject({ name: 'ProviderUnreachable' });
  });
});

describe('an answer', () => {
  test.each([
    [429, '{"name":"RATE_LIMIT_REACHED","message":"Slow down"}'],
    [409, '{"name":"RESOURCE_CONFLICT","message":"An earlier call is under way"}'],
    [503, ''],
    [200, '<html>a proxy</html>'],
    [200, '{"id":"A","status":"CREATED","purchase_units":[]}'],
    [200, '{"id":"A","status":"X","purchase_units":[{"amount":{"currency_code":"CAD","value":"1.005"}}]}'],
  ])('%i %s counts as unreachable', async (status, body) => {
    const { provider } = await answering(status, body);
    await expect(provider.readPayment('A')).rejects.toMatchObject({ name: 'ProviderUnreachable' });
  });

  const CAPTURE = { ref: 'A', receiver: 'M1', idempotencyKey: 'key' };

  test.each([
    [
      '{"name":"UNPROCESSABLE_ENTITY","message":"No","details":[{"issue":"PAYER_CANNOT_PAY"}]}',
      'PAYER_CANNOT_PAY',
    ],
    ['{"name":"UNPROCESSABLE_ENTITY","message":"No","debug_id":"1"}', 'UNPROCESSABLE_ENTITY'],
    ['not JSON', 'HTTP_422'],
  ])('422 %s counts as a refusal', async (body, code) => {
    const { provider } = await answering(422, body);
    const refused = { name: 'ProviderRefusal', code };
    await expect(provider.capturePayment(CAPTURE)).rejects.toMatchObject(refused);
  });

  test('with an unknown status is no success', async () => {
    const amount = { currency_code: 'CAD', value: '5.00' };
    const payments = { captures: [{ id: 'C', status: 'ODD', amount }] };
    const unit = { amount, custom_id: publicIdOf(7), payee: { merchant_id: 'M' }, payments };
    const order = { id: 'A', status: 'COMPLETED', purchase_units: [unit] };
    const { provider } = await answering(200, JSON.stringify(order));
    const state = { status: 'processing', publicId: publicIdOf(7) };
    expect(await provider.capturePayment(CAPTURE)).toMatchObject(state);
  });

  test('follows requests with the headers and the bodies that PayPal requires', async () => {
    const { asked, provider } = await answering(422, '{"name":"NO"}');
    const order = { publicId: publicIdOf(7), bidId: 5, amount: 3_105, platformFee: 300, receiver: 'M1' };
    const given = {
      ...order,
      currency: 'CAD' as const,
      description: 'x'.repeat(200),
      idempotencyKey: 'key-7',
    };
    const payout = {
      publicId: publicIdOf(7),
      amount: 2_850,
      receiver: 'M1',
      chargeRef: 'C',
      idempotencyKey: 'k',
    };
    for (const refused of [
      provider.createPayment(given),
      provider.capturePayment(CAPTURE),
      provider.payOut(payout),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'NO' });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const assertion = `${part({ alg: 'none' })}.${part({ iss: 'client', payer_id: 'M1' })}.`;
    for (const { headers } of asked) expect(headers['paypal-auth-assertion']).toBe(assertion);
    const created = asked.find(({ url }) => url === '/v2/checkout/orders');
    expect(created?.headers).toMatchObject({
      authorization: 'Bearer token-1',
      'paypal-request-id': 'key-7',
      'paypal-partner-attribution-id': 'BN-1',
      prefer: 'return=representation',
    });
    const cad = (value: string) => ({ currency_code: 'CAD', value });
    expect(JSON.parse(created?.body ?? '')).toMatchObject({
      intent: 'CAPTURE',
      purchase_units: [
        {
          amount: cad('31.05'),
          payee: { merchant_id: 'M1' },
          custom_id: publicIdOf(7),
          invoice_id: `clipswap-${publicIdOf(7)}`,
          description: 'x'.repeat(127),
          payment_instruction: { disbursement_mode: 'DELAYED', platform_fees: [{ amount: cad('3.00') }] },
        },
      ],
    });
  });

  test('cannot be had from another path: ids are encoded', async () => {
    const { asked, provider } = await answering(404, '');
    expect(await provider.readPayment('../../v1/x?y')).toBeNull();
    expect(asked[0]?.url).toBe('/v2/checkout/orders/..%2F..%2Fv1%2Fx%3Fy');
  });
});

describe('a webhook', () => {
  const INVALID = { name: 'ProviderRefusal', code: 'invalid_signature' };
  const ONBOARDED = 'MERCHANT.ONBOARDING.COMPLETED';
  const made = (type: string, resource: unknown): SandboxEvent => ({
    ...{ id: 'WH-X', type, body: JSON.stringify({ id: 'WH-X', event_type: type, resource }) },
  });
  /** With an event that has arrived. */
  async function withArrived() {
    const harness = await openPaypal();
    await harness.makeOrder();
    const event = eventOf(harness.paypal, ONBOARDED);
    await harness.arrive(event);
    const [last] = harness.received;
    if (!last) throw new Error('Nothing has arrived');
    return { ...harness, ...last, event };
  }

  test('names its payment, by our id or by PayPal’s', async () => {
    const { arrive, makePaid, paypal, provider } = await openPaypal();
    const { ref, chargeRef, ...paid } = await makePaid();
    const ours = { kind: 'payment', publicId: publicIdOf(7) };
    for (const type of ['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED'])
      expect(await arrive(eventOf(paypal, type))).toMatchObject({ type, subject: { ...ours, ref } });
    await paypal.openDispute(chargeRef);
    const dispute = await arrive(eventOf(paypal, 'CUSTOMER.DISPUTE.CREATED'));
    expect(dispute.subject).toEqual({ ...ours, ref: null });
    await provider.refund(refundOf({ ...paid, ref, chargeRef }));
    expect((await arrive(eventOf(paypal, 'PAYMENT.CAPTURE.REFUNDED'))).subject).toMatchObject(ours);
    const links = [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${chargeRef}` }];
    const foreign = made('PAYMENT.CAPTURE.REFUNDED', { id: 'R', links });
    expect((await arrive(foreign)).subject).toEqual({ ...ours, ref });
    const bare = { disputed_transactions: [{ seller_transaction_id: chargeRef }] };
    expect((await arrive(made('CUSTOMER.DISPUTE.CREATED', bare))).subject).toEqual({ ...ours, ref });
  });

  test('names its account, or nothing of ours', async () => {
    const { arrive, paypal } = await openPaypal();
    const accountRef = await paypal.finishOnboarding('seller-42');
    const subject = { kind: 'account', accountRef, userId: 42 };
    expect((await arrive(eventOf(paypal, ONBOARDED))).subject).toEqual(subject);
    const other = { kind: 'other' };
    const item = 'PAYMENT.REFERENCED-PAYOUT-ITEM.COMPLETED';
    for (const [type, resource, expected] of [
      ['MERCHANT.PARTNER-CONSENT.REVOKED', { merchant_id: accountRef }, { ...subject, userId: null }],
      [item, { custom: publicIdOf(7) }, { kind: 'payment', ref: null, publicId: publicIdOf(7) }],
      [item, { item_id: 'I' }, other],
      ['PAYMENT.CAPTURE.COMPLETED', { id: 'C', custom_id: 'not ours' }, other],
      ['CUSTOMER.DISPUTE.CREATED', { disputed_transactions: [] }, other],
      ['CHECKOUT.ORDER.APPROVED', {}, other],
      ['BILLING.PLAN.CREATED', {}, other],
    ] as const)
      expect((await arrive(made(type, resource))).subject, type).toEqual(expected);
  });

  const HOUR_MS = 60 * 60 * 1_000;
  test.each([
    ['changed on the way', { tamper: true }],
    ['without a signature', { unsigned: true }],
    ['kept for four days', { at: new Date(Date.now() - 96 * HOUR_MS) }],
    ['from tomorrow', { at: new Date(Date.now() + 24 * HOUR_MS) }],
  ])('%s is refused', async (_name, how) => {
    const { arrive, event } = await withArrived();
    await expect(arrive(event, how)).rejects.toMatchObject(INVALID);
    // Within three days it is accepted.
    const at = new Date(Date.now() - 70 * HOUR_MS);
    expect(await arrive(event, { at })).toMatchObject({ type: ONBOARDED });
  });

  test('with a certificate of another host, or without one of the headers, is refused without a call', async () => {
    const { asked, body, headers, provider } = await withArrived();
    const calls = asked.length;
    const urls = ['https://paypal.com.example.org/cert', 'https://evilpaypal.com/cert'];
    for (const url of [...urls, 'http://api.paypal.com/cert', 'https://example.org/?api.paypal.com'])
      await expect(provider.readEvent(body, { ...headers, 'paypal-cert-url': url })).rejects.toMatchObject(
        INVALID,
      );
    for (const name of Object.keys(headers).filter((header) => header.startsWith('paypal-')))
      await expect(provider.readEvent(body, { ...headers, [name]: undefined })).rejects.toMatchObject(
        INVALID,
      );
    expect(asked).toHaveLength(calls);
  });

  test('is verified by its bytes, and cannot break out of the request that it is spliced into', async () => {
    const { arrive, body, headers, provider, received } = await withArrived();
    for (const forged of [`${body},"webhook_id":"other"`, '', '[]'])
      await expect(provider.readEvent(forged, headers)).rejects.toMatchObject(INVALID);
    const odd =
      '{ "id":"WH-Y", "event_type":"X.Y",\n "resource":{"n":1.0,"t":"\\u00e9 \\"webhook_event\\":"} }';
    const event = await arrive({ id: 'WH-Y', type: 'X.Y', body: odd });
    expect(event).toEqual({ id: 'WH-Y', type: 'X.Y', subject: { kind: 'other' } });
    const rewritten = provider.readEvent(JSON.stringify(JSON.parse(odd)), received.at(-1)?.headers ?? {});
    await expect(rewritten).rejects.toMatchObject(INVALID);
  });

  test('for another of our webhooks is refused; one that PayPal cannot verify now is not', async () => {
    const { body, faults, headers, provider, settings } = await withArrived();
    const other = createPaypalProvider({ ...settings, webhookId: 'WH-2' });
    await expect(other.readEvent(body, headers)).rejects.toMatchObject(INVALID);
    faults.push({ path: '/v1/notifications/', fault: 'error-before' });
    const unverified = provider.readEvent(body, headers);
    await expect(unverified).rejects.toMatchObject({ name: 'ProviderUnreachable' });
  });
});

test('PayPal tells its webhook, and we need the events that the documentation names', async () => {
  const { provider } = await openPaypal();
  expect(await provider.listWebhooks()).toEqual([
    { url: `${SITE}/api/webhooks/paypal`, isEnabled: true, events: ['*'] },
  ]);
  const [, listed = ''] = /^## PayPal$([\s\S]*?)^## /m.exec(readFileSync('docs/payments.md', 'utf8')) ?? [];
  const named = [...listed.matchAll(/`([A-Z.-]+)`/g)].map(([, name = '']) =>
    name.startsWith('.') ? `PAYMENT.CAPTURE${name}` : name,
  );
  expect(named.sort()).toEqual([...provider.neededEvents].sort());
});

test('a webhook that PayPal does not know is none', async () => {
  const { provider } = await answering(404, '{"name":"RESOURCE_NOT_FOUND"}');
  expect(await provider.listWebhooks()).toEqual([]);
});
