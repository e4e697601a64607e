import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Fault } from '#server/sandbox/server.ts';
import { openPaypalHarness, type PaypalHarness } from '#server/testing/paypal-harness.ts';
import { publicIdOf } from '#server/testing/public-ids.ts';
import { holdTimeLimits } from '#server/testing/time-limits.ts';
import { createPaypalProvider } from './paypal.ts';

afterEach(() => {
  vi.useRealTimers();
});

const TOKEN = 'POST /v1/oauth2/token';
const tokensOf = ({ asked }: PaypalHarness) => asked.filter((line) => line === TOKEN).length;

/** Starts a server that gives every request except for tokens the same answer, and records the requests. */
async function answering(status: number, body: string) {
  const asked: { url: string; headers: Readonly<Record<string, unknown>>; body: string }[] = [];
  let tokens = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/oauth2/token') {
        tokens += 1;
        response.end(JSON.stringify({ access_token: `token-${tokens}`, expires_in: 1_000 }));
        return;
      }
      asked.push({
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const provider = createPaypalProvider({
    clientId: 'client',
    clientSecret: 'secret',
    partnerId: 'PARTNER',
    attributionId: 'BN-1',
    webhookId: 'WH-1',
    apiBase: `http://127.0.0.1:${port}`,
  });
  return {
    asked,
    provider,
    tokens: () => tokens,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

describe('the access token', () => {
  test('is fetched once for parallel calls, reused, and fetched again when it has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const harness = await openPaypalHarness();
    const readMany = () => Promise.all(Array.from({ length: 8 }, () => harness.provider.readPayment('NONE')));
    await readMany();
    await readMany();
    expect(tokensOf(harness)).toBe(1);
    vi.setSystemTime(Date.now() + 10 * 60 * 60 * 1_000);
    await readMany();
    expect(tokensOf(harness)).toBe(2);
  });

  test('is fetched once more when PayPal has revoked it', async () => {
    const { asked, provider, tokens, close } = await answering(401, '{"name":"AUTHENTICATION_FAILURE"}');
    try {
      await expect(provider.readPayment('A')).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILURE' });
      expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
      expect(tokens()).toBe(2);
    } finally {
      await close();
    }
  });

  test('is requested again after a failure', async () => {
    const { faults, provider } = await openPaypalHarness();
    faults.push({ path: '/v1/oauth2/token', fault: 'error-before' });
    await expect(provider.readPayment('NONE')).rejects.toMatchObject({ name: 'ProviderUnreachable' });
    expect(await provider.readPayment('NONE')).toBeNull();
  });

  test('is refused for wrong credentials', async () => {
    const { settings } = await openPaypalHarness();
    const provider = createPaypalProvider({ ...settings, clientSecret: 'wrong' });
    await expect(provider.readPayment('NONE')).rejects.toMatchObject({
      name: 'ProviderRefusal',
      code: 'invalid_client',
    });
  });
});

describe('a fault', () => {
  test.each<Fault>(['error-before', 'error-after', 'cut-before', 'cut-after', 'hang-after'])(
    '%s during a capture is no refusal, and a retry takes the money once',
    async (fault) => {
      const limits = holdTimeLimits();
      const { faults, makeOrder, provider, sandbox } = await openPaypalHarness();
      const captures = () => sandbox.waiting().filter(({ type }) => type === 'PAYMENT.CAPTURE.COMPLETED');
      const order = await makeOrder();
      await sandbox.approveOrder(order.ref);
      faults.push({ path: `/v2/checkout/orders/${order.ref}/capture`, fault });
      const first = provider.capturePayment({
        ref: order.ref,
        receiver: 'MERCHANT',
        idempotencyKey: 'capture',
      });
      if (fault === 'hang-after') {
        await expect.poll(captures, { interval: 5 }).toHaveLength(1);
        limits.end();
      }
      await expect(first).rejects.toMatchObject({ name: 'ProviderUnreachable' });
      const paid = await provider.capturePayment({
        ref: order.ref,
        receiver: 'MERCHANT',
        idempotencyKey: 'capture',
      });
      expect(paid.status).toBe('succeeded');
      expect(captures()).toHaveLength(1);
    },
  );

  test.each(['refund', 'payOut'] as const)(
    'that loses the answer to a %s: the retry repeats nothing',
    async (act) => {
      const { faults, makePaid, provider, sandbox } = await openPaypalHarness();
      const { ref, chargeRef, receiver } = await makePaid();
      const run = () =>
        act === 'refund'
          ? provider.refund({
              publicId: publicIdOf(7),
              ref,
              chargeRef,
              receiver,
              amount: 3_150,
              platformFee: 300,
              idempotencyKey: 'key',
            })
          : provider.payOut({
              publicId: publicIdOf(7),
              amount: 2_850,
              receiver,
              chargeRef,
              idempotencyKey: 'key',
            });
      const path = act === 'refund' ? `/v2/payments/captures/${chargeRef}/refund` : '/v1/payments/referenced';
      faults.push({ path, fault: 'cut-after' });
      await expect(run()).rejects.toMatchObject({ name: 'ProviderUnreachable' });
      expect(await run()).toMatchObject({ status: 'succeeded' });
      const events = sandbox.waiting().filter(({ type }) => /REFUNDED|PAYOUT-ITEM/.test(type));
      expect(events).toHaveLength(1);
    },
  );

  test('when nothing listens counts as unreachable', async () => {
    const harness = await openPaypalHarness();
    await harness.sandbox.close();
    await expect(harness.provider.readPayment('NONE')).rejects.toMatchObject({ name: 'ProviderUnreachable' });
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
    const { provider, close } = await answering(status, body);
    try {
      await expect(provider.readPayment('A')).rejects.toMatchObject({ name: 'ProviderUnreachable' });
    } finally {
      await close();
    }
  });

  test.each([
    [
      '{"name":"UNPROCESSABLE_ENTITY","message":"No","details":[{"issue":"PAYER_CANNOT_PAY"}]}',
      'PAYER_CANNOT_PAY',
    ],
    ['{"name":"UNPROCESSABLE_ENTITY","message":"No","debug_id":"1"}', 'UNPROCESSABLE_ENTITY'],
    ['not JSON', 'HTTP_422'],
  ])('422 %s counts as a refusal', async (body, code) => {
    const { provider, close } = await answering(422, body);
    try {
      await expect(
        provider.capturePayment({ ref: 'A', receiver: 'MERCHANT', idempotencyKey: 'key' }),
      ).rejects.toMatchObject({
        name: 'ProviderRefusal',
        code,
      });
    } finally {
      await close();
    }
  });

  test('with an unknown status is no success', async () => {
    const unit = {
      amount: { currency_code: 'CAD', value: '5.00' },
      custom_id: publicIdOf(7),
      payee: { merchant_id: 'M' },
      payments: {
        captures: [{ id: 'C', status: 'ODD', amount: { currency_code: 'CAD', value: '5.00' } }],
      },
    };
    const order = { id: 'A', status: 'COMPLETED', purchase_units: [unit] };
    const { provider, close } = await answering(200, JSON.stringify(order));
    try {
      expect(
        await provider.capturePayment({ ref: 'A', receiver: 'MERCHANT', idempotencyKey: 'key' }),
      ).toMatchObject({ status: 'processing', publicId: publicIdOf(7) });
    } finally {
      await close();
    }
  });
});

/** The unsigned JWT that names a seller. */
function assertionOf(merchantId: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ iss: 'client', payer_id: merchantId })}.`;
}

describe('a request', () => {
  test('has the headers and the body that PayPal requires', async () => {
    const { asked, provider, close } = await answering(422, '{"name":"NO"}');
    try {
      const order = provider.createPayment({
        publicId: publicIdOf(7),
        bidId: 5,
        amount: 3_105,
        platformFee: 300,
        currency: 'CAD',
        receiver: 'M1',
        description: 'x'.repeat(200),
        idempotencyKey: 'key-7',
      });
      await expect(order).rejects.toMatchObject({ code: 'NO' });
      expect(asked[0]?.headers).toMatchObject({
        authorization: 'Bearer token-1',
        'paypal-request-id': 'key-7',
        'paypal-auth-assertion': assertionOf('M1'),
        'paypal-partner-attribution-id': 'BN-1',
        prefer: 'return=representation',
      });
      expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
        intent: 'CAPTURE',
        purchase_units: [
          {
            amount: { currency_code: 'CAD', value: '31.05' },
            payee: { merchant_id: 'M1' },
            custom_id: publicIdOf(7),
            invoice_id: `clipswap-${publicIdOf(7)}`,
            description: 'x'.repeat(127),
            payment_instruction: {
              disbursement_mode: 'DELAYED',
              platform_fees: [{ amount: { currency_code: 'CAD', value: '3.00' } }],
            },
          },
        ],
      });
    } finally {
      await close();
    }
  });

  test('to capture or to pay out names the seller', async () => {
    const { asked, provider, close } = await answering(422, '{"name":"NO"}');
    try {
      const capture = provider.capturePayment({ ref: 'A', receiver: 'M1', idempotencyKey: 'key' });
      await expect(capture).rejects.toMatchObject({ code: 'NO' });
      const payout = provider.payOut({
        publicId: publicIdOf(7),
        amount: 2_850,
        receiver: 'M1',
        chargeRef: 'C',
        idempotencyKey: 'key',
      });
      await expect(payout).rejects.toMatchObject({ code: 'NO' });
      expect(asked.map(({ headers }) => headers['paypal-auth-assertion'])).toEqual([
        assertionOf('M1'),
        assertionOf('M1'),
      ]);
    } finally {
      await close();
    }
  });

  test('encodes ids, so that they cannot change the path', async () => {
    const { asked, provider, close } = await answering(404, '');
    try {
      expect(await provider.readPayment('../../v1/x?y')).toBeNull();
      expect(asked[0]?.url).toBe('/v2/checkout/orders/..%2F..%2Fv1%2Fx%3Fy');
    } finally {
      await close();
    }
  });
});
