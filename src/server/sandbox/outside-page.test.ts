import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/testing/app.ts';
import { setUpMarket } from '#server/testing/payments.ts';
import { openStripeHarness } from '#server/testing/stripe-harness.ts';

const market = setUpMarket();

function post(fields: Record<string, string>, headers: Record<string, string> = {}) {
  return market.app.inject({
    method: 'POST',
    url: '/sandbox',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
}

describe('the page that plays the outside', () => {
  it('lists the payments, and acts on one', async () => {
    await market.paidBid();
    const [payment] = await market.stripe.payments();
    const id = payment?.id ?? '';
    const page = await market.app.inject({ url: '/sandbox' });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain(id);
    const answer = await post({ provider: 'stripe', act: 'inquiry', payment: id });
    expect([answer.statusCode, answer.body]).toEqual([
      200,
      expect.stringContaining('Done: Open an inquiry.'),
    ]);
    expect((await market.stripe.payments())[0]?.dispute).toMatchObject({ status: 'warning_needs_response' });
    const refused = await post({ provider: 'stripe', act: 'win', payment: id });
    expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('cannot become won')]);
    const unreadable = await post({ provider: 'stripe', act: 'refund', payment: id, amount: 'all' });
    expect([unreadable.statusCode, unreadable.body]).toEqual([409, expect.stringContaining('like 3.00')]);
  });

  it('takes a payment of another shop, and appeals at PayPal', async () => {
    const taken = await post({ provider: 'paypal', act: 'elsewhere' });
    expect(taken.statusCode).toBe(200);
    expect((await market.paypal.payments())[0]).toMatchObject({ description: 'Invoice of another shop' });
    await market.paidBid({ by: 'paypal' });
    const payment = (await market.paypal.payments())[0]?.id ?? '';
    expect((await post({ provider: 'paypal', act: 'appeal', payment })).statusCode).toBe(409);
    for (const act of ['dispute', 'lose', 'appeal', 'win']) {
      expect((await post({ provider: 'paypal', act, payment })).statusCode, act).toBe(200);
    }
    expect((await market.paypal.payments())[0]?.dispute).toMatchObject({ status: 'RESOLVED_SELLER_FAVOUR' });
  });

  it('refuses a form from another site', async () => {
    for (const [name, value] of [
      ['origin', 'https://evil.example'],
      ['sec-fetch-site', 'cross-site'],
    ] as const) {
      const { statusCode } = await post({ provider: 'stripe', act: 'hang' }, { [name]: value });
      expect(statusCode).toBe(403);
    }
  });

  it('does not exist in production', async () => {
    const sandboxes = { stripe: 'sandbox', paypal: 'sandbox' } as const;
    const production = await createTestApp({ config: { ...sandboxes, isProduction: true } });
    try {
      for (const method of ['GET', 'POST'] as const) {
        const answer = await production.call(null, { method, url: '/sandbox' });
        expect([answer.statusCode, answer.body.includes('Play the outside')]).toEqual([404, false]);
      }
    } finally {
      await production.close();
    }
  });
});

describe('a provider', () => {
  it.each(['hang', 'drop'] as const)('that begins to %s cannot be reached', async (how) => {
    const { sandbox, provider } = await openStripeHarness({ timeoutMs: 200 });
    expect(await provider.readPayment('pi_none')).toBeNull();
    sandbox.interrupt(how, 60_000);
    await expect(provider.readPayment('pi_none')).rejects.toMatchObject({ name: 'ProviderUnreachable' });
  });

  it('holds events back and delivers them late, and one of them again', async () => {
    const received: string[] = [];
    const { createServer } = await import('node:http');
    const receiver = createServer((request, response) => {
      received.push(String(request.headers['stripe-signature'] !== undefined));
      response.end();
    });
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
    const address = receiver.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { sandbox, makePayment } = await openStripeHarness({
      webhooks: 'auto',
      webhookUrl: () => `http://127.0.0.1:${port}/`,
    });
    await sandbox.holdEvents(true);
    await makePayment();
    expect([received, sandbox.waiting().length]).toEqual([[], 1]);
    await sandbox.holdEvents(false);
    expect([received.length, sandbox.waiting().length]).toEqual([1, 0]);
    const [event] = sandbox.sent();
    if (event) await sandbox.deliver(event);
    expect(received).toEqual(['true', 'true']);
    await new Promise((resolve) => receiver.close(resolve));
  });
});
