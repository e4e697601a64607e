import type Stripe from 'stripe';
import { z } from 'zod';
import { addScript, addSetUpPages } from '#sandbox/hosted-pages.ts';
import { Refusal, type SandboxServer, textOf } from '#sandbox/server.ts';
import { leaveOnboarding } from './accounts.ts';
import { answerChallenge, confirmIntent, isOpen, unexpectedState } from './confirming.ts';
import { makeMethod } from './customers.ts';
import type { OnboardingLink, OnboardingState, StripeContext } from './objects.ts';
import { invalid, missing } from './params.ts';

const text = z.union([z.string(), z.number()]).transform(String);

const confirmSchema = z.object({
  client_secret: z.string(),
  card: z.object({
    number: text,
    exp_month: z.coerce.number(),
    exp_year: z.coerce.number(),
    cvc: text.default(''),
  }),
});
type Confirmation = z.infer<typeof confirmSchema>;

const challengeSchema = z.object({
  client_secret: z.string(),
  outcome: z.enum(['pass', 'complete', 'fail']),
});

/** The ways in which a seller can leave the set-up. */
const CHOICES = {
  finish: { label: 'Finish set-up', hint: 'Everything is filled in: you can be paid at once.' },
  incomplete: {
    label: 'Finish without the identity document',
    hint: 'The account is restricted until the document is there.',
  },
  leave: { label: 'Leave without finishing', hint: 'You can come back and continue later.' },
};
const STATES: Readonly<Record<keyof typeof CHOICES, OnboardingState>> = {
  finish: 'done',
  incomplete: 'incomplete',
  leave: 'started',
};

const SET_UP_INTRO = `<h1>Get paid through ClipSwap</h1>
<p>On Stripe's real page you would now enter your name and address, show an identity document and name a bank account. Here nothing is asked and nothing is sent.</p>`;

const UNKNOWN_LINK = `<h1>This link is not known</h1>
<p>Go back to ClipSwap and start the set-up again: it makes a new link.</p>`;

/** What a browser uses: Stripe's script, the payments whose client secret it knows, the seller's set-up pages. */
export function addBrowserPages(server: SandboxServer, ctx: StripeContext): void {
  const { app, exclusive } = server;
  const base = `${server.pages}/browser`;
  const answer = async (act: () => Promise<Stripe.PaymentIntent>) => {
    try {
      return publicFields(await exclusive(act));
    } catch (error) {
      throw error instanceof Refusal ? publicRefusal(error) : error;
    }
  };

  addScript(app, `${base}/stripe.js`, 'stripe.ts');

  app.get<{ Params: { id: string }; Querystring: { client_secret?: string } }>(
    `${base}/payment_intents/:id`,
    ({ params, query }) => answer(() => findBySecret(ctx, params.id, query.client_secret)),
  );

  app.post<{ Params: { id: string } }>(`${base}/payment_intents/:id/confirm`, ({ params, body }) =>
    answer(() => confirmInBrowser(ctx, params.id, read(body, confirmSchema))),
  );

  app.post<{ Params: { id: string } }>(`${base}/payment_intents/:id/challenge`, ({ params, body }) =>
    answer(async () => {
      const { client_secret, outcome } = read(body, challengeSchema);
      const intent = await findBySecret(ctx, params.id, client_secret);
      if (intent.status !== 'requires_action') throw unexpectedState(intent, 'authenticate');
      const method = await ctx.stored.paymentMethods.find(String(intent.payment_method));
      return answerChallenge(ctx, intent, method, outcome !== 'fail');
    }),
  );

  const { links } = ctx.stored;
  addSetUpPages<OnboardingLink, keyof typeof CHOICES>(server, {
    provider: 'Stripe',
    choices: CHOICES,
    intro: () => SET_UP_INTRO,
    async find(token) {
      const link = await links.get(token);
      if (link === null) return { status: 404, content: UNKNOWN_LINK };
      return isExpired(link) ? { redirect: link.refreshUrl } : { link };
    },
    targets: ({ returnUrl, refreshUrl }) => [returnUrl, refreshUrl],
    async finish(link, choice) {
      await links.put({ ...link, isUsed: true });
      await leaveOnboarding(ctx, link.account, STATES[choice]);
      return link.returnUrl;
    },
  });
}

/**
 * Pays with a typed card, as Stripe.js does.
 * @throws Refusal card_error
 */
export async function confirmInBrowser(
  ctx: StripeContext,
  id: string,
  { client_secret, card }: Confirmation,
): Promise<Stripe.PaymentIntent> {
  const intent = await findBySecret(ctx, id, client_secret);
  if (!isOpen(intent)) throw unexpectedState(intent, 'confirm');
  return confirmIntent(ctx, intent, await makeMethod(ctx, card));
}

async function findBySecret(
  ctx: StripeContext,
  id: string,
  secret: string | undefined,
): Promise<Stripe.PaymentIntent> {
  const intent = await ctx.stored.paymentIntents.find(id);
  if (secret === undefined || intent.client_secret !== secret) throw missing('payment_intent', id, 'intent');
  return intent;
}

/** What a browser may see of a payment: not our metadata, nor the charge. */
function publicFields(intent: Stripe.PaymentIntent) {
  const { id, object, amount, currency, status, client_secret, created, livemode } = intent;
  const { canceled_at, cancellation_reason, capture_method, confirmation_method, description } = intent;
  const { last_payment_error, next_action, payment_method, payment_method_types, processing } = intent;
  const { automatic_payment_methods, receipt_email, setup_future_usage, shipping, source } = intent;
  return {
    ...{ id, object, amount, currency, status, client_secret, created, livemode },
    ...{ canceled_at, cancellation_reason, capture_method, confirmation_method, description },
    ...{ last_payment_error, next_action, payment_method, payment_method_types, processing },
    ...{ automatic_payment_methods, receipt_email, setup_future_usage, shipping, source },
  };
}

const errorBody = z.object({
  error: z.looseObject({
    payment_intent: z
      .custom<Stripe.PaymentIntent>((value) => typeof value === 'object' && value !== null)
      .transform(publicFields),
  }),
});

/** Shortens the payment that comes with the error of a declined card. */
function publicRefusal({ message, answer }: Refusal): Refusal {
  return new Refusal(message, { ...answer, body: errorBody.safeParse(answer.body).data ?? answer.body });
}

function isExpired({ isUsed, expiresAt }: OnboardingLink): boolean {
  return isUsed || Date.parse(expiresAt) <= Date.now();
}

function read<T>(body: unknown, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(textOf(body)));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) throw invalid('Unreadable request');
    throw error;
  }
}
