import type { FastifyInstance } from 'fastify';
import { addProvider, Refusal, type Sandbox, type SandboxOptions } from '#sandbox/server.ts';
import { addAccounts, leaveOnboarding } from './accounts.ts';
import { addBalance } from './balance.ts';
import { addBrowserPages, confirmInBrowser } from './browser.ts';
import { succeed } from './confirming.ts';
import { addCustomers } from './customers.ts';
import { addDisputes } from './disputes.ts';
import { createApi } from './http.ts';
import { addIntents } from './intents.ts';
import { openStored, type StripeContext } from './objects.ts';
import { createOutside, type StripeOutside } from './outside.ts';
import { addPayouts } from './payouts.ts';
import { addRefunds, refundOutcome, settleRefund } from './refunds.ts';
import { addTransfers } from './transfers.ts';
import { addEventDestinations, createEmitters, signatureOf } from './webhooks.ts';

export interface StripeSandboxOptions extends SandboxOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
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
 * Stands in for the part of Stripe's API that our adapter uses. It keeps its objects in `store`. Like Stripe it refuses
 * unknown parameters, so that a mistake of ours shows.
 */
export async function addStripe(app: FastifyInstance, options: StripeSandboxOptions): Promise<StripeSandbox> {
  const server = addProvider(app, '', options, (body, at) => ({
    'user-agent': 'Stripe sandbox',
    'stripe-signature': signatureOf(body, options.webhookSecret, at),
  }));
  const { exclusive } = server;
  const stored = openStored(options.store);
  const ctx: StripeContext = {
    stored,
    ...createEmitters(server.post),
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
  addBalance(api, ctx);
  addRefunds(api, ctx);
  addDisputes(api, ctx);
  addTransfers(api, ctx);
  addPayouts(api, ctx);
  addEventDestinations(api, options.webhookAddress);
  addBrowserPages(server, ctx);
  for (const { id, status } of await stored.paymentIntents.list()) {
    // The program stopped while these were processing.
    if (status === 'processing') ctx.finishLater(id);
  }
  for (const refund of await stored.refunds.list()) await ctx.settleRefundLater(refund);

  return {
    ...server.controls,
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
