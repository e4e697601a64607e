import { createSandboxServer, type Sandbox, type SandboxOptions } from '../server.ts';
import { addAccounts, leaveOnboarding } from './accounts.ts';
import { addBrowserPages, confirmInBrowser } from './browser.ts';
import { addCharges, addRefunds } from './charges.ts';
import { addCustomers, findMethod } from './customers.ts';
import { addDisputes, endDispute, makeDispute } from './disputes.ts';
import { asAnswer, createApi } from './http.ts';
import { addIntents, findIntent, succeed } from './intents.ts';
import { openShelves } from './objects.ts';
import { StripeRefusal } from './params.ts';
import { addTransfers } from './transfers.ts';
import type { Desk } from './webhooks.ts';
import { addEvents, createWebhooks } from './webhooks.ts';

export interface StripeSandboxOptions extends SandboxOptions {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  /** Under which the browser reaches /browser/*: 'http://localhost:3000/sandbox/stripe'. */
  readonly browserUrl: () => string;
}

export interface StripeSandbox extends Sandbox {
  /** The cardholder's bank takes the money back for now. @returns the dispute's id */
  openDispute(paymentIntentId: string): Promise<string>;
  /** @param outcome as ClipSwap sees it */
  closeDispute(disputeId: string, outcome: 'won' | 'lost'): Promise<void>;
  /** A payment that is 'processing' succeeds. */
  finishProcessing(paymentIntentId: string): Promise<void>;
  /** Does what the seller does on Stripe's pages. */
  finishOnboarding(accountId: string): Promise<void>;
  /** Pays as the browser would. @returns the payment intent's status after it, declined or not */
  confirmWithCard(clientSecret: string, number: string): Promise<string>;
}

/** After this a payment that is 'processing' succeeds by itself, where events are sent by themselves too. */
const PROCESSING_MS = 10_000;

/**
 * A sandbox for Stripe that speaks as much of its API as our adapter uses, on a free port of the loopback. What it
 * is told it keeps in `store`; webhooks and faults are as the options say. Unknown parameters are refused, as by
 * Stripe, so that a mistake shows here.
 */
export async function startStripeSandbox(options: StripeSandboxOptions): Promise<StripeSandbox> {
  const server = createSandboxServer(options);
  const { app, exclusive } = server;
  app.setNotFoundHandler((request, reply) => {
    const message = `Unrecognized request URL (${request.method}: ${request.url}).`;
    const { status, body } = asAnswer(new StripeRefusal(404, { type: 'invalid_request_error', message }));
    return reply.status(status).send(body);
  });

  const shelves = openShelves(options.store);
  const webhooks = createWebhooks(options, shelves);

  const desk: Desk = {
    shelves,
    webhooks,
    browserUrl: options.browserUrl,
    finishLater: (intentId) => server.later(PROCESSING_MS, () => finishProcessing(desk, intentId)),
  };

  const api = createApi(app, { ...options, shelves, exclusive });
  addAccounts(api, desk);
  addCustomers(api, desk);
  addIntents(api, desk);
  addCharges(api, desk);
  addRefunds(api, desk);
  addDisputes(api, desk);
  addTransfers(api, desk);
  addEvents(api, desk);
  addBrowserPages(app, desk, exclusive);
  const url = await server.listen();
  for (const { id, status } of await shelves.paymentIntents.list()) {
    // Payments that were under way when the program stopped.
    if (status === 'processing') desk.finishLater(id);
  }

  return {
    url,
    waiting: webhooks.waiting,
    deliver: webhooks.deliver,
    drop: webhooks.drop,
    async close() {
      webhooks.close();
      await server.close();
    },
    openDispute: (paymentIntentId) =>
      exclusive(async () => (await makeDispute(desk, { id: paymentIntentId })).id),
    closeDispute: (disputeId, outcome) => exclusive(() => endDispute(desk, disputeId, outcome)),
    finishProcessing: (paymentIntentId) => exclusive(() => finishProcessing(desk, paymentIntentId)),
    finishOnboarding: (accountId) => exclusive(() => leaveOnboarding(desk, accountId, 'done')),
    confirmWithCard: (clientSecret, number) => exclusive(() => payWith(desk, clientSecret, number)),
  };
}

async function finishProcessing(desk: Desk, intentId: string): Promise<void> {
  const intent = await findIntent(desk, intentId);
  if (intent.status !== 'processing') return;
  await succeed(desk, intent, await findMethod(desk, String(intent.payment_method), 'payment_method'));
}

async function payWith(desk: Desk, clientSecret: string, number: string): Promise<string> {
  const [id = ''] = clientSecret.split('_secret_');
  const card = { number, exp_month: 12, exp_year: new Date().getFullYear() + 5, cvc: '123' };
  try {
    return (await confirmInBrowser(desk, id, { client_secret: clientSecret, card })).status;
  } catch (error) {
    if (!(error instanceof StripeRefusal) || error.error.type !== 'card_error') throw error;
    return (await findIntent(desk, id)).status;
  }
}
