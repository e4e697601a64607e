import { expect, it } from 'vitest';
import { setUpMarket } from '#tests/support/payments.ts';

/** The sandbox's page that plays what happens at the providers, through our own address. */

const market = setUpMarket();

function post(fields: Record<string, string>, headers: Record<string, string> = {}) {
  return market.app.inject({
    method: 'POST',
    url: '/sandbox',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
}

it('lists the payments, acts on them, and says what cannot be done', async () => {
  await market.paidBid();
  const [payment] = await market.stripe.payments();
  const id = payment?.id ?? '';
  expect((await market.app.inject({ url: '/sandbox' })).body).toContain(id);
  for (const [fields, status, said] of [
    [{ act: 'inquiry' }, 200, 'Done: Open an inquiry.'],
    [{ act: 'win' }, 409, 'cannot become won'],
    [{ act: 'refund', amount: 'all' }, 409, 'such as 3.00'],
    [{ act: 'refund', amount: '1.00' }, 200, 'Done: Refund in the dashboard.'],
  ] as const) {
    const answer = await post({ provider: 'stripe', payment: id, ...fields });
    expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(said)]);
  }
  expect((await market.stripe.payments())[0]).toMatchObject({
    dispute: { status: 'warning_needs_response' },
    refund: { status: 'succeeded' },
  });
});

it('takes a payment of another shop, and appeals at PayPal', async () => {
  expect((await post({ provider: 'paypal', act: 'elsewhere' })).statusCode).toBe(200);
  expect((await market.paypal.payments())[0]).toMatchObject({ description: 'Invoice of another shop' });
  await market.paidBid({ by: 'paypal' });
  const payment = (await market.paypal.payments())[0]?.id ?? '';
  expect((await post({ provider: 'paypal', act: 'appeal', payment })).statusCode).toBe(409);
  for (const act of ['dispute', 'lose', 'appeal', 'win'])
    expect((await post({ provider: 'paypal', act, payment })).statusCode, act).toBe(200);
  expect((await market.paypal.payments())[0]?.dispute).toMatchObject({ status: 'RESOLVED_SELLER_FAVOUR' });
});

it('refuses a form from another site, and shows nothing of the APIs', async () => {
  for (const [name, value] of [
    ['origin', 'https://evil.example'],
    ['sec-fetch-site', 'cross-site'],
  ] as const)
    expect((await post({ provider: 'stripe', act: 'hang' }, { [name]: value })).statusCode).toBe(403);
  for (const url of ['/sandbox/../outbox', '/sandbox/%2e%2e/v1/refunds', '/sandbox//evil.example/v1/refunds'])
    expect((await market.app.inject({ url })).statusCode, url).toBe(404);
});
