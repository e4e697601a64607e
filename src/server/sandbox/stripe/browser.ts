import type { FastifyInstance, FastifyReply } from 'fastify';
import type Stripe from 'stripe';
import { z } from 'zod';
import { addHostedFiles, addSetUpPages } from '../hosted-pages.ts';
import { type Exclusive, textOf } from '../server.ts';
import { leaveOnboarding } from './accounts.ts';
import { findMethod, makeMethod } from './customers.ts';
import { asAnswer } from './http.ts';
import { answerChallenge, confirmIntent, findIntent, isOpen, unexpectedState } from './intents.ts';
import type { OnboardingLink, OnboardingState } from './objects.ts';
import { invalid, missing, StripeRefusal } from './params.ts';
import type { Desk } from './webhooks.ts';

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

/** How a seller may leave the set-up. */
const CHOICES = {
  finish: { label: 'Finish set-up', hint: 'Everything is filled in: you can be paid at once.' },
  incomplete: {
    label: 'Finish without the identity document',
    hint: 'The account is restricted until the document is there.',
  },
  leave: { label: 'Leave without finishing', hint: 'You can come back and go on later.' },
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

/**
 * What a browser sees of Stripe: its script, the payments whose client secret it knows, the seller's set-up pages.
 * @param exclusive runs one act after another
 */
export function addBrowserPages(app: FastifyInstance, desk: Desk, exclusive: Exclusive): void {
  const answer = async (reply: FastifyReply, act: () => Promise<Stripe.PaymentIntent>) => {
    try {
      return reply.send(publicFields(await exclusive(act)));
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      const { status, body } = asAnswer(publicError(error));
      return reply.status(status).send(body);
    }
  };

  addHostedFiles(app, { path: '/browser/stripe.js', script: 'stripe.ts' });

  app.get<{ Params: { id: string }; Querystring: { client_secret?: string } }>(
    '/browser/payment_intents/:id',
    ({ params, query }, reply) => answer(reply, () => known(desk, params.id, query.client_secret)),
  );

  app.post<{ Params: { id: string } }>('/browser/payment_intents/:id/confirm', ({ params, body }, reply) =>
    answer(reply, () => confirmInBrowser(desk, params.id, read(body, confirmSchema))),
  );

  app.post<{ Params: { id: string } }>('/browser/payment_intents/:id/challenge', ({ params, body }, reply) =>
    answer(reply, async () => {
      const { client_secret, outcome } = read(body, challengeSchema);
      const intent = await known(desk, params.id, client_secret);
      if (intent.status !== 'requires_action') throw unexpectedState(intent, 'authenticate');
      const method = await findMethod(desk, String(intent.payment_method), 'payment_method');
      return answerChallenge(desk, intent, method, outcome !== 'fail');
    }),
  );

  const { links } = desk.shelves;
  addSetUpPages<OnboardingLink, keyof typeof CHOICES>(app, exclusive, {
    provider: 'Stripe',
    choices: CHOICES,
    intro: () => SET_UP_INTRO,
    async find(token) {
      const link = await links.get(token);
      if (link === null) return { status: 404, content: UNKNOWN_LINK };
      return isOver(link) ? { redirect: link.refreshUrl } : { link };
    },
    targets: ({ returnUrl, refreshUrl }) => [returnUrl, refreshUrl],
    async finish(link, choice) {
      await links.put({ ...link, isUsed: true });
      await leaveOnboarding(desk, link.account, STATES[choice]);
      return link.returnUrl;
    },
  });
}

/**
 * Pays as Stripe.js does for a buyer who has typed a card.
 * @throws StripeRefusal card_error
 */
export async function confirmInBrowser(
  desk: Desk,
  id: string,
  { client_secret, card }: Confirmation,
): Promise<Stripe.PaymentIntent> {
  const intent = await known(desk, id, client_secret);
  if (!isOpen(intent)) throw unexpectedState(intent, 'confirm');
  return confirmIntent(desk, intent, await makeMethod(desk, card));
}

/** The payment, to whoever knows its secret. */
async function known(desk: Desk, id: string, secret: string | undefined): Promise<Stripe.PaymentIntent> {
  const intent = await findIntent(desk, id);
  if (secret === undefined || intent.client_secret !== secret) throw missing('payment_intent', id, 'intent');
  return intent;
}

/** What a browser may know of a payment: neither our metadata nor the charge. */
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

const intentInError = z.custom<Stripe.PaymentIntent>(
  (value) => typeof value === 'object' && value !== null && 'client_secret' in value,
);

function publicError({ status, error }: StripeRefusal): StripeRefusal {
  const intent = intentInError.safeParse(error.payment_intent).data;
  return new StripeRefusal(status, { ...error, ...(intent && { payment_intent: publicFields(intent) }) });
}

function isOver({ isUsed, expiresAt }: OnboardingLink): boolean {
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
