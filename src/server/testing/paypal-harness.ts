import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { createPaypalClient, type PaypalClientSettings } from '#server/providers/paypal/client.ts';
import { createPaypalProvider } from '#server/providers/paypal/paypal.ts';
import { startPaypalSandbox } from '#server/sandbox/paypal/server.ts';
import type { Fault, SandboxOptions } from '#server/sandbox/server.ts';
import { createMemoryStore } from '#server/testing/sandbox-store.ts';
import { HANGS_MS } from './patience.ts';
import { publicIdOf } from './public-ids.ts';

const answerSchema = z.looseObject({});

const ACCOUNT = {
  clientId: 'client',
  clientSecret: 'secret',
  partnerId: 'PARTNER',
  webhookId: 'WH-1',
};

interface Received {
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

interface HarnessOptions extends Partial<Pick<PaypalClientSettings, 'attributionId'>> {
  readonly webhooks?: SandboxOptions['webhooks'];
  readonly reportLimit?: number;
}

/** Our adapter with a sandbox, a receiver of webhooks, a record of requests and planned faults. Closes when the test ends. */
export async function openPaypalHarness(options: HarnessOptions = {}) {
  const asked: string[] = [];
  const received: Received[] = [];
  /** Faults for the next request to a path that begins so. */
  const faults: { path: string; fault: Fault }[] = [];
  /** The receiver's next answers; then 200. */
  const statuses: number[] = [];

  const receiver = createServer(async (request, response) => {
    received.push({
      body: await text(request),
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
    });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  // A server on a TCP port has this kind of address.
  const { port } = receiver.address() as AddressInfo;

  const store = createMemoryStore();
  const sandboxOptions = {
    ...ACCOUNT,
    store,
    browserUrl: () => 'http://localhost:3000/sandbox/paypal',
    webhookUrl: () => `http://127.0.0.1:${port}/`,
    webhooks: options.webhooks ?? 'held',
    ...(options.reportLimit !== undefined && { reportLimit: options.reportLimit }),
    fault: ({ method, path }: { method: string; path: string }) => {
      asked.push(`${method} ${path}`);
      const index = faults.findIndex((planned) => path.startsWith(planned.path));
      return index < 0 ? null : (faults.splice(index, 1)[0]?.fault ?? null);
    },
  };
  const sandbox = await startPaypalSandbox(sandboxOptions);
  const settings: PaypalClientSettings = {
    ...ACCOUNT,
    apiBase: sandbox.url,
    attributionId: options.attributionId ?? null,
    timeoutMs: HANGS_MS,
  };
  const provider = createPaypalProvider(settings);
  const client = createPaypalClient(settings);
  /** Calls the API with our client. Answers are objects. */
  const api = {
    get: (path: string, onBehalfOf?: string) =>
      client({ method: 'GET', path, ...(onBehalfOf !== undefined && { onBehalfOf }) }, answerSchema),
    post: (path: string, body: unknown, onBehalfOf?: string) =>
      client({ method: 'POST', path, body, ...(onBehalfOf !== undefined && { onBehalfOf }) }, answerSchema),
  };

  /** Creates an order of 31.50 with a platform fee of 3.00, for a new ready seller unless one is given. */
  const makeOrder = async (paymentId = 7, receiver?: string) => {
    const merchant = receiver ?? (await sandbox.finishOnboarding(1));
    return provider.createPayment({
      publicId: publicIdOf(paymentId),
      bidId: 5,
      amount: 3_150,
      platformFee: 300,
      currency: 'CAD',
      receiver: merchant,
      description: 'Ten dollars off',
      idempotencyKey: `order-${paymentId}`,
    });
  };
  /** Creates an order that the buyer has approved and that is captured. */
  const makePaid = async (paymentId = 7, funding: 'balance' | 'pending' | 'bank' = 'balance') => {
    const order = await makeOrder(paymentId);
    await sandbox.approveOrder(order.ref, funding);
    const paid = await provider.capturePayment({
      ref: order.ref,
      receiver: order.receiver ?? '',
      idempotencyKey: `capture-${paymentId}`,
    });
    if (paid.chargeRef === null || paid.receiver === null) throw new Error('It was not captured');
    return { ...paid, chargeRef: paid.chargeRef, receiver: paid.receiver };
  };

  onTestFinished(async () => {
    await sandbox.close();
    await new Promise((resolve) => receiver.close(resolve));
  });
  return {
    provider,
    api,
    sandbox,
    sandboxOptions,
    settings,
    asked,
    received,
    faults,
    statuses,
    makeOrder,
    makePaid,
  };
}
export type PaypalHarness = Awaited<ReturnType<typeof openPaypalHarness>>;
