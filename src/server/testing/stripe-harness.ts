import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import type { PaymentOrder } from '#server/providers/payments.ts';
import { createStripeProvider } from '#server/providers/stripe/stripe.ts';
import type { SandboxOptions } from '#server/sandbox/server.ts';
import { startStripeSandbox } from '#server/sandbox/stripe/server.ts';
import { createMemoryStore } from '#server/testing/sandbox-store.ts';
import { HANGS_MS } from './patience.ts';
import { publicIdOf } from './public-ids.ts';

const KEYS = {
  secretKey: 'sk_test_harness',
  publishableKey: 'pk_test_harness',
  webhookSecret: 'whsec_harness',
};

export type StripeHarness = Awaited<ReturnType<typeof createStripeHarness>>;

type HarnessOptions = Partial<SandboxOptions> & { timeoutMs?: number };

/** A harness that closes when the test ends. */
export async function openStripeHarness(options?: HarnessOptions): Promise<StripeHarness> {
  const harness = await createStripeHarness(options);
  onTestFinished(harness.close);
  return harness;
}

/** A sandbox, our adapter that calls it, and Stripe's own SDK: for the tests of all three. */
export async function createStripeHarness(options: HarnessOptions = {}) {
  const { timeoutMs = HANGS_MS, ...given } = options;
  const sandboxOptions = {
    ...KEYS,
    store: createMemoryStore(),
    webhookUrl: () => null,
    webhooks: 'held' as const,
    browserUrl: () => 'http://localhost:3000/sandbox/stripe',
    ...given,
  };
  const sandbox = await startStripeSandbox(sandboxOptions);
  const { hostname: host, port } = new URL(sandbox.url);
  const api = { protocol: 'http' as const, host, port: Number(port) };
  const settings = { secretKey: KEYS.secretKey, webhookSecrets: ['whsec_other', KEYS.webhookSecret], api };
  const provider = createStripeProvider({ ...settings, timeoutMs, retryAfterMs: 0 });
  const stripe = new Stripe(KEYS.secretKey, { ...api, maxNetworkRetries: 0, telemetry: false });

  /** Starts a seller's set-up. */
  async function startSeller(userId = 1) {
    const { accountRef, url } = await provider.startOnboarding({
      userId,
      accountRef: null,
      email: `seller${userId}@example.com`,
      displayName: `seller${userId}`,
      country: 'CA',
      returnUrl: 'http://localhost:3000/seller-onboarding?back=1',
      refreshUrl: 'http://localhost:3000/seller-onboarding?again=1',
      idempotencyKey: `seller-${userId}`,
    });
    if (accountRef === null) throw new Error('Stripe makes the account at once');
    return { accountRef, url, path: new URL(url).pathname.replace('/sandbox/stripe', '') };
  }

  async function readySeller(userId = 1): Promise<string> {
    const { accountRef } = await startSeller(userId);
    await sandbox.finishOnboarding(accountRef);
    return accountRef;
  }

  const orderOf = (paymentId = 7, receiver = 'acct_seller'): PaymentOrder => ({
    publicId: publicIdOf(paymentId),
    bidId: 70,
    amount: 3_150,
    platformFee: 300,
    currency: 'CAD',
    receiver,
    description: 'Ten percent off',
    idempotencyKey: `payment-${paymentId}`,
  });

  /** A payment intent that the buyer has not paid. */
  async function makePayment(paymentId = 7, receiver = 'acct_seller') {
    const payment = await provider.createPayment(orderOf(paymentId, receiver));
    return { ...payment, clientSecret: payment.clientSecret ?? '' };
  }

  /** A payment that has been paid. */
  async function makePaid(paymentId = 7, number = '4242424242424242') {
    const receiver = await readySeller(paymentId);
    const { ref, clientSecret } = await makePayment(paymentId, receiver);
    await sandbox.confirmWithCard(clientSecret, number);
    const payment = await provider.readPayment(ref);
    if (payment?.status !== 'succeeded' || payment.chargeRef === null) throw new Error('Not paid');
    return { ...payment, chargeRef: payment.chargeRef, receiver, clientSecret };
  }

  /** Sends a browser's request: an object as JSON, a string as a form. */
  async function browse(path: string, body?: object | string) {
    const isForm = typeof body === 'string';
    const response = await fetch(`${sandbox.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      ...(body !== undefined && {
        headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
        body: isForm ? body : JSON.stringify(body),
      }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  return {
    keys: KEYS,
    sandbox,
    sandboxOptions,
    settings,
    provider,
    stripe,
    startSeller,
    readySeller,
    orderOf,
    makePayment,
    makePaid,
    browse,
    close: () => sandbox.close(),
  };
}
