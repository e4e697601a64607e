import { describe, expect, test } from 'vitest';
import { openPaypalHarness, type PaypalHarness } from '#server/testing/paypal-harness.ts';

const SELLER = { userId: 42, accountRef: null };
const REQUEST = {
  ...SELLER,
  email: 'sam@example.org',
  displayName: 'Sam',
  country: 'CA',
  returnUrl: 'http://localhost:3000/seller-onboarding?provider=paypal',
  refreshUrl: 'http://localhost:3000/seller-onboarding',
  idempotencyKey: 'onboarding-42',
};

/** The page that the browser would open, on the sandbox's own port. */
function pageOf({ sandbox }: PaypalHarness, url: string): string {
  return url.replace('http://localhost:3000/sandbox/paypal', sandbox.url);
}

async function finish(harness: PaypalHarness, url: string, outcome: string) {
  return fetch(pageOf(harness, url), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ choice: outcome }),
  });
}

describe('onboarding a seller', () => {
  test('ends with a ready account after the hosted page', async () => {
    const harness = await openPaypalHarness();
    const { provider, sandbox } = harness;
    expect(await provider.readAccount(SELLER)).toBeNull();
    const { url, accountRef } = await provider.startOnboarding(REQUEST);
    expect(accountRef).toBeNull();
    expect(await provider.readAccount(SELLER)).toBeNull();

    const page = await fetch(pageOf(harness, url));
    const html = await page.text();
    expect(html).toContain('No real money moves');
    expect(html).toContain('seller-42');
    expect(html).not.toMatch(/<style|<script|style=/);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");

    const back = await finish(harness, url, 'ready');
    expect(back.status).toBe(303);
    const location = new URL(back.headers.get('location') ?? '');
    expect(location.searchParams.get('provider')).toBe('paypal');
    const account = await provider.readAccount(SELLER);
    expect(account).toEqual({
      accountRef: location.searchParams.get('merchantIdInPayPal'),
      isReady: true,
      paymentsReceivable: true,
      primaryEmailConfirmed: true,
      isRestricted: false,
      requirements: [],
      failedPayout: null,
    });
    const known = { userId: 42, accountRef: account?.accountRef ?? null };
    expect(await provider.readAccount(known)).toEqual(account);
    expect(sandbox.waiting().map(({ type }) => type)).toEqual(['MERCHANT.ONBOARDING.COMPLETED']);
  });

  test.each([
    ['unconfirmed', { primaryEmailConfirmed: false, isRestricted: false }, /Confirm the e-mail/],
    ['limited', { paymentsReceivable: false, isRestricted: true }, /Lift the limit/],
  ])('ends %s: not ready, with the reasons', async (outcome, expected, wanted) => {
    const harness = await openPaypalHarness();
    const { url } = await harness.provider.startOnboarding(REQUEST);
    await finish(harness, url, outcome);
    const account = await harness.provider.readAccount(SELLER);
    expect(account).toMatchObject({ ...expected, isReady: false });
    expect(account?.requirements).toEqual([expect.stringMatching(wanted)]);
  });

  test('a link works once, and a second onboarding keeps the account', async () => {
    const harness = await openPaypalHarness();
    const { url } = await harness.provider.startOnboarding(REQUEST);
    await finish(harness, url, 'unconfirmed');
    const first = await harness.provider.readAccount(SELLER);
    expect((await finish(harness, url, 'ready')).status).toBe(410);
    expect((await fetch(pageOf(harness, url))).status).toBe(410);

    const again = await harness.provider.startOnboarding({ ...REQUEST, idempotencyKey: 'onboarding-42-b' });
    await finish(harness, again.url, 'ready');
    expect(await harness.provider.readAccount(SELLER)).toMatchObject({
      accountRef: first?.accountRef,
      isReady: true,
    });
  });

  test('a form with an unknown outcome changes nothing', async () => {
    const harness = await openPaypalHarness();
    const { url } = await harness.provider.startOnboarding(REQUEST);
    expect((await finish(harness, url, 'rich')).status).toBe(400);
    expect(await harness.provider.readAccount(SELLER)).toBeNull();
  });

  test('an account that PayPal no longer knows reads as null', async () => {
    const { provider } = await openPaypalHarness();
    expect(await provider.readAccount({ userId: 42, accountRef: 'GONE' })).toBeNull();
  });
});
