import { createSandboxServer, Refusal, type Sandbox, type SandboxOptions } from '../server.ts';
import { addAccounts, leaveOnboarding } from './accounts.ts';
import { addBalance } from './balance.ts';
import { addBrowserPages, confirmInBrowser } from './browser.ts';
import { addCharges } from './charges.ts';
import { succeed } from './confirming.ts';
import { addCustomers } from './customers.ts';
import { addDisputes } from './disputes.ts';
import { addList, addRead, createApi } from './http.ts';
import { addIntents } from './intents.ts';
import { openStored, type StripeContext } from './objects.ts';
import { createOutside, type StripeOutside } from './outside.ts';
import { refusal } from './params.ts';
import { addPayouts } from './payouts.ts';
import { addRefunds, refundOutcome, settleRefund } from './refunds.ts';
import { addTransfers } from './transfers.ts';
import { createEmitters, signatureOf } from './webhooks.ts';

export interface StripeSandboxOptions extends SandboxOptions {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  /** The address under which a browser reaches /browser/*: 'http://localhost:3000/sandbox/stripe'. */
  readonly browserUrl: () => string;
}

export interface StripeSandbox extends Sandbox, StripeOutside {
  /** A payment that is 'processing' succeeds. */
  finishProcessing(paymentIntentId: string): Promise<void>;
  /** The seller completes the set-up on Stripe's pages. */
  finishOnboarding(accountId: string): Promise<void>;
  /** Pays as the browser would. @returns the payment intent's status afterwards, also when the card is declined */
  confirmWithCard(clientSecret: string, number: string): Promise<string>;
}

/** How long a payment stays 'processing' and a refund of a test card pending, unless webhooks are held. */
const PROCESSING_MS = 10_000;

/**
 * A sandbox for the part of Stripe's API that our adapter uses, on a free port of the loopback. It keeps its objects in
 * `store`. Like Stripe it refuses unknown parameters, so that a mistake of ours shows.
 */
export async function startStripeSandbox(options: StripeSandboxOptions): Promise<StripeSandbox> {
  const server = createSandboxServer(options, (body, at) => ({
    'user-agent': 'Stripe sandbox',
    'stripe-signature': signatureOf(body, options.webhookSecret, at),
  }));
  const { app, exclusive } = server;
  app.setNotFoundHandler(async ({ method, url }) => {
    const message = `Unrecognized request URL (${method}: ${url}).`;
    throw refusal(404, { type: 'invalid_request_error', message });
  });

  const stored = openStored(options.store);
  const ctx: StripeContext = {
    stored,
    ...createEmitters(server.post, stored),
    browserUrl: options.browserUrl,
    finishLater: (intentId) => server.later(PROCESSING_MS, () => finishProcessing(ctx, intentId)),
    async settleRefundLater({ id, payment_method }) {
      const outcome = await refundOutcome(ctx, payment_method);
      if (outcome) server.later(PROCESSING_MS, () => settleRefund(ctx, id, outcome));
    },
  };

  const api = createApi(server, { secretKey: options.secretKey, stored });
  addAccounts(api, ctx);
  addCustomers(api, ctx);
  addIntents(api, ctx);
  addCharges(api, ctx);
  addBalance(api, ctx);
  addRefunds(api, ctx);
  addDisputes(api, ctx);
  addTransfers(api, ctx);
  addPayouts(api, ctx);
  addList(api, '/v1/events', stored.events, ['type']);
  addRead(api, '/v1/events', stored.events);
  addBrowserPages(server, ctx);
  const sandbox = await server.start();
  for (const { id, status } of await stored.paymentIntents.list()) {
    // The program stopped while these were processing.
    if (status === 'processing') ctx.finishLater(id);
  }
  for (const refund of await stored.refunds.list()) await ctx.settleRefundLater(refund);

  return {
    ...sandbox,
    ...createOutside(ctx, exclusive),
    finishProcessing: (intentId) => exclusive(() => finishProcessing(ctx, intentId)),
    finishOnboarding: (accountId) => exclusive(() => leaveOnboarding(ctx, accountId, 'done')),
    confirmWithCard: (clientSecret, number) => exclusive(() => payWith(ctx, clientSecret, number)),
  };
}

async function finishProcessing(ctx: StripeContext, intentId: string): Promise<void> {
  const intent = await ctx.stored.paymentIntents.find(intentId);
  if (intent.status !== 'processing') return;
  await succeed(ctx, intent, await ctx.stored.paymentMethods.find(String(intent.payment_method)));
}

async function payWith(ctx: StripeContext, clientSecret: string, number: string): Promise<string> {
  const [id = ''] = clientSecret.split('_secret_');
  const card = { number, exp_month: 12, exp_year: new Date().getFullYear() + 5, cvc: '123' };
  try {
    return (await confirmInBrowser(ctx, id, { client_secret: clientSecret, card })).status;
  } catch (error) {
    // 402: the card is declined.
    if (!(error instanceof Refusal) || error.answer.status !== 402) throw error;
    return (await ctx.stored.paymentIntents.find(id)).status;
  }
}
