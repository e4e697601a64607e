import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { openSandbox, sandboxSettings } from '#sandbox/main.ts';
import type { Fault, Sandbox, SandboxEvent } from '#sandbox/server.ts';
import { openStore } from '#sandbox/store.ts';
import { environmentSchema } from '#server/core/environment.ts';
import { paypalOf, stripeOf } from '#server/core/provider-settings.ts';
import type { PaymentOrder, PaymentProvider } from '#server/providers/payments.ts';
import { createPaypalProvider } from '#server/providers/paypal/paypal.ts';
import { createStripeProvider } from '#server/providers/stripe/stripe.ts';
import { HANGS_MS } from '#tests/support/patience.ts';
import { publicIdOf } from '#tests/support/public-ids.ts';

export const SITE = 'http://localhost:3000';

/** The parts of a test card that are not its number. */
export const VALID = { exp_month: 12, exp_year: new Date().getFullYear() + 5, cvc: '123' };

interface Options {
  readonly webhooks?: 'auto' | 'held';
  readonly reportLimit?: number;
  /** How long our adapters wait for an answer. */
  readonly timeoutMs?: number;
}

/** A server on a free port that closes with the test. */
export async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
}

/** The stand-ins over HTTP, a receiver of their webhooks and planned faults. Closes with the test. */
async function openWorld({ webhooks = 'held', reportLimit }: Options) {
  const asked: string[] = [];
  /** Faults for the next requests to a path that begins so. */
  const faults: { path: string; fault: Fault }[] = [];
  const received: { body: string; headers: Record<string, string> }[] = [];
  /** The receiver's next answers; then 200. */
  const statuses: number[] = [];
  const marketplace = await listen(async (request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    received.push({ body: await text(request), headers: Object.fromEntries(headers) });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  const sandboxOptions = {
    store: openStore(),
    marketplace: () => marketplace,
    publicUrl: SITE,
    webhooks,
    ...(reportLimit !== undefined && { reportLimit }),
    fault({ method, path }: { method: string; path: string }) {
      asked.push(`${method} ${path}`);
      const index = faults.findIndex((planned) => method === 'POST' && path.startsWith(planned.path));
      return index < 0 ? null : (faults.splice(index, 1)[0]?.fault ?? null);
    },
  };
  const sandbox = await openSandbox(sandboxOptions);
  onTestFinished(() => sandbox.close());

  /** Sends a browser's request to a page: an object as JSON, a string as a form. */
  async function browse(page: string, body?: object | string) {
    const answer = await fetch(`${sandbox.url}${new URL(page, SITE).pathname}${new URL(page, SITE).search}`, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** Delivers an event and reads it, as our webhook route does. */
  async function arrive(
    provider: PaymentProvider,
    from: Sandbox,
    event: SandboxEvent,
    how?: Parameters<Sandbox['deliver']>[1],
  ) {
    await from.deliver(event, how);
    const last = received.at(-1);
    return provider.readEvent(last?.body ?? '', last?.headers ?? {});
  }

  const env = environmentSchema.parse(sandboxSettings(sandbox.url));
  return { sandbox, sandboxOptions, env, asked, faults, received, statuses, browse, arrive };
}

const person = (userId: number) => ({
  userId,
  accountRef: null,
  email: `seller${userId}@example.com`,
  displayName: `seller${userId}`,
  country: 'CA',
  returnUrl: `${SITE}/seller-onboarding?back=1`,
  refreshUrl: `${SITE}/seller-onboarding?again=1`,
  idempotencyKey: `seller-${userId}`,
});

/** A payment of 31.50 with our fee of 3.00. */
const orderOf = (paymentId: number, receiver: string): PaymentOrder => ({
  publicId: publicIdOf(paymentId),
  bidId: 70,
  amount: 3_150,
  platformFee: 300,
  currency: 'CAD',
  receiver,
  description: 'Ten percent off',
  idempotencyKey: `payment-${paymentId}`,
});

interface Paid {
  readonly publicId: string | null;
  readonly ref: string;
  readonly chargeRef: string;
  readonly receiver: string;
}

export const refundOf = ({ publicId, ref, chargeRef, receiver }: Paid, idempotencyKey = 'refund') => ({
  ...{ publicId: publicId ?? '', ref, chargeRef, receiver, idempotencyKey },
  ...{ amount: 3_150, platformFee: 300 },
});

export const payoutOf = ({ publicId, chargeRef, receiver }: Paid, idempotencyKey = 'payout') => ({
  ...{ publicId: publicId ?? '', chargeRef, receiver, idempotencyKey },
  amount: 2_850,
});

/** Our adapter for Stripe, with the SDK, and the stand-in. */
export async function openStripe(options: Options = {}) {
  const world = await openWorld(options);
  const account = stripeOf(world.env);
  if (!account) throw new Error('The sandbox gives its keys');
  const settings = { ...account, webhookSecrets: ['whsec_other', ...account.webhookSecrets] };
  const provider = createStripeProvider({
    ...settings,
    timeoutMs: options.timeoutMs ?? HANGS_MS,
    retryAfterMs: 0,
  });
  const { stripe } = world.sandbox;

  /** Starts a seller's set-up. */
  async function startSeller(userId = 1) {
    const { accountRef, url } = await provider.startOnboarding(person(userId));
    return { accountRef: accountRef ?? '', url };
  }
  async function readySeller(userId = 1): Promise<string> {
    const { accountRef } = await startSeller(userId);
    await stripe.finishOnboarding(accountRef);
    return accountRef;
  }
  /** A payment intent that the buyer has not paid. */
  async function makePayment(paymentId = 7, receiver = 'acct_seller') {
    const payment = await provider.createPayment(orderOf(paymentId, receiver));
    return { ...payment, clientSecret: payment.clientSecret ?? '' };
  }
  async function makePaid(paymentId = 7, number = '4242424242424242') {
    const receiver = await readySeller(paymentId);
    const { ref, clientSecret } = await makePayment(paymentId, receiver);
    await stripe.confirmWithCard(clientSecret, number);
    return { ...(await readPayment(ref)), receiver, clientSecret };
  }
  async function readPayment(ref: string) {
    const payment = await provider.readPayment(ref);
    if (!payment) throw new Error('There is no such payment');
    return { ...payment, chargeRef: payment.chargeRef ?? '' };
  }
  const pageOf = (ref: string) => `/sandbox/stripe/browser/payment_intents/${ref}`;
  return {
    ...world,
    ...{ settings, provider, stripe, startSeller, readySeller, makePayment, makePaid, readPayment, pageOf },
    orderOf,
    arrive: (event: SandboxEvent, how?: Parameters<Sandbox['deliver']>[1]) =>
      world.arrive(provider, stripe, event, how),
  };
}

/** Our adapter for PayPal and the stand-in. */
export async function openPaypal(options: Options = {}) {
  const world = await openWorld(options);
  const settings = paypalOf(world.env);
  if (!settings) throw new Error('The sandbox gives its keys');
  const provider = createPaypalProvider({ ...settings, timeoutMs: options.timeoutMs ?? HANGS_MS });
  const { paypal } = world.sandbox;

  /** Creates an order, for a ready seller unless one is given. */
  const makeOrder = async (paymentId = 7, receiver?: string) =>
    provider.createPayment(orderOf(paymentId, receiver ?? (await paypal.finishOnboarding('seller-1'))));
  const capture = (ref: string, idempotencyKey = 'capture') =>
    provider.capturePayment({ ref, receiver: 'MERCHANT', idempotencyKey });
  /** Creates an order that the buyer has approved and that is captured. */
  async function makePaid(paymentId = 7, funding: 'balance' | 'pending' | 'bank' = 'balance') {
    const { ref, receiver } = await makeOrder(paymentId);
    await paypal.approveOrder(ref, funding);
    const paid = await capture(ref, `capture-${paymentId}`);
    return { ...paid, chargeRef: paid.chargeRef ?? '', receiver: receiver ?? '' };
  }
  return {
    ...world,
    ...{ settings, provider, paypal, makeOrder, makePaid, capture, person },
    arrive: (event: SandboxEvent, how?: Parameters<Sandbox['deliver']>[1]) =>
      world.arrive(provider, paypal, event, how),
  };
}

/** The types of the events that wait, oldest first. */
export const typesOf = (of: Pick<Sandbox, 'waiting'>, which = /./): string[] =>
  of.waiting().flatMap(({ type }) => (which.test(type) ? [type] : []));

/** The one event of a type that waits. */
export function eventOf(of: Pick<Sandbox, 'waiting'>, type: string): SandboxEvent {
  const event = of.waiting().findLast((waiting) => waiting.type === type);
  if (!event) throw new Error(`No ${type} waits`);
  return event;
}
