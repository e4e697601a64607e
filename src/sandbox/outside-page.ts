import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { baseCurrency, centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import { pageHtml } from './page.ts';
import type { PaypalSandbox } from './paypal/server.ts';
import { type OutsidePayment, Refusal, type Sandbox, textOf } from './server.ts';
import type { StripeSandbox } from './stripe/server.ts';

const OUTAGE_MS = 60_000;

/** What a form asks for: an act at a provider, on a payment or an event, with an amount in cents. */
interface Asked {
  readonly payment: OutsidePayment;
  readonly amount: number | undefined;
}

interface Act {
  readonly label: string;
  run(asked: Asked): Promise<unknown>;
}

type Acts = Readonly<Record<string, Act>>;

/** The payment's latest refund, dispute or payout. @throws Refusal when there is none */
function latest(payment: OutsidePayment, kind: 'refund' | 'dispute' | 'payout'): string {
  const found = payment[kind];
  if (found) return found.id;
  throw new Refusal(`This payment has no ${kind}.`, { status: 409, body: null });
}

function stripeActs(stripe: StripeSandbox): Acts {
  const dispute = ({ payment }: Asked) => latest(payment, 'dispute');
  return {
    refund: {
      label: 'Refund in the dashboard',
      run: ({ payment, amount }) => stripe.refund(payment.id, { amount }),
    },
    'fail-refund': {
      label: 'Make the refund fail',
      run: ({ payment }) => stripe.settleRefund(latest(payment, 'refund'), 'failed'),
    },
    dispute: {
      label: 'Dispute it',
      run: ({ payment, amount }) => stripe.openDispute(payment.id, { amount }),
    },
    inquiry: {
      label: 'Open an inquiry',
      run: ({ payment }) => stripe.openDispute(payment.id, { kind: 'inquiry' }),
    },
    escalate: {
      label: 'Make a chargeback of the inquiry',
      run: (asked) => stripe.escalateInquiry(dispute(asked)),
    },
    win: { label: 'ClipSwap wins the dispute', run: (asked) => stripe.closeDispute(dispute(asked), 'won') },
    lose: {
      label: 'ClipSwap loses the dispute',
      run: (asked) => stripe.closeDispute(dispute(asked), 'lost'),
    },
    appeal: { label: 'Appeal the lost dispute', run: (asked) => stripe.appealDispute(dispute(asked)) },
    restrict: {
      label: 'Restrict the seller',
      run: ({ payment }) => stripe.setAccountState(payment.seller, 'incomplete'),
    },
    allow: {
      label: 'Let the seller be paid again',
      run: ({ payment }) => stripe.setAccountState(payment.seller, 'done'),
    },
    bank: {
      label: 'Empty the balance: no reversals',
      run: ({ payment }) => stripe.payOutToBank(payment.seller),
    },
    'fail-bank': {
      label: 'Make the seller’s bank payout fail',
      run: ({ payment }) => stripe.failBankPayout(latest(payment, 'payout')),
    },
  };
}

function paypalActs(paypal: PaypalSandbox): Acts {
  const dispute = ({ payment }: Asked) => latest(payment, 'dispute');
  return {
    refund: {
      label: 'Refund as the seller',
      run: ({ payment, amount }) => paypal.refund(payment.id, { amount }),
    },
    'fail-refund': {
      label: 'Make the pending refund fail',
      run: ({ payment }) => paypal.settleRefund(latest(payment, 'refund'), 'FAILED'),
    },
    dispute: {
      label: 'Open a claim',
      run: ({ payment, amount }) => paypal.openDispute(payment.id, { amount }),
    },
    inquiry: {
      label: 'Open an inquiry',
      run: ({ payment }) => paypal.openDispute(payment.id, { stage: 'INQUIRY' }),
    },
    chargeback: {
      label: 'Charge back by the bank',
      run: ({ payment }) => paypal.openDispute(payment.id, { channel: 'EXTERNAL' }),
    },
    escalate: {
      label: 'Take the dispute one stage further',
      run: (asked) => paypal.escalateDispute(dispute(asked)),
    },
    win: { label: 'The seller wins the dispute', run: (asked) => paypal.closeDispute(dispute(asked), 'won') },
    lose: {
      label: 'The seller loses the dispute',
      run: (asked) => paypal.closeDispute(dispute(asked), 'lost'),
    },
    appeal: {
      label: 'The seller appeals',
      run: (asked) => paypal.appealDispute(dispute(asked)),
    },
    restrict: {
      label: 'Limit the seller',
      run: ({ payment }) => paypal.changeMerchant(payment.seller, { isReceivable: false }),
    },
    allow: {
      label: 'Let the seller be paid again',
      run: ({ payment }) => paypal.changeMerchant(payment.seller, { isReceivable: true, payouts: 'succeed' }),
    },
    'delay-payouts': {
      label: 'Make payouts to the seller wait',
      run: ({ payment }) => paypal.changeMerchant(payment.seller, { payouts: 'pend' }),
    },
    'finish-payout': {
      label: 'Let the waiting payout arrive',
      run: ({ payment }) => paypal.settlePayout(latest(payment, 'payout'), 'SUCCESS'),
    },
    'fail-payouts': {
      label: 'Make payouts to the seller fail',
      run: ({ payment }) => paypal.changeMerchant(payment.seller, { payouts: 'fail' }),
    },
    disburse: { label: 'Pay the seller as on day 28', run: ({ payment }) => paypal.disburse(payment.id) },
  };
}

type OpenProvider = Pick<StripeSandbox & PaypalSandbox, 'payments' | 'payElsewhere'> & Sandbox;

/** Cents of a payment that ClipSwap has not asked for. */
const ELSEWHERE = 7_700;

/** What can happen to a provider as a whole. */
const PROVIDER_ACTS = {
  elsewhere: {
    label: 'Take a payment for another shop',
    run: (of: OpenProvider) => of.payElsewhere(ELSEWHERE),
  },
  hang: { label: 'Hang for a minute', run: (of: OpenProvider) => of.interrupt('hang', OUTAGE_MS) },
  drop: {
    label: 'Drop connections for a minute',
    run: (of: OpenProvider) => of.interrupt('drop', OUTAGE_MS),
  },
  hold: { label: 'Hold events back', run: (of: OpenProvider) => of.holdEvents(true) },
  release: { label: 'Deliver events held back', run: (of: OpenProvider) => of.holdEvents(false) },
  repeat: {
    label: 'Deliver the last event again',
    run: async (of: OpenProvider) => {
      const last = of.sent().at(-1);
      if (!last) throw new Refusal('No event has been sent yet.', { status: 409, body: null });
      await of.deliver(last);
    },
  },
};

interface Provider {
  readonly title: string;
  readonly sandbox: OpenProvider;
  readonly acts: Acts;
}

const formSchema = z.object({
  provider: z.string(),
  act: z.string(),
  payment: z.string().optional(),
  amount: z
    .string()
    .regex(/^(\d{1,6}(\.\d{1,2})?)?$/, 'Enter an amount such as 3.00')
    .optional(),
});

/** The page on which anybody plays what happens outside ClipSwap. */
export function addOutsidePage(
  app: FastifyInstance,
  { stripe, paypal }: { readonly stripe: StripeSandbox; readonly paypal: PaypalSandbox },
): void {
  const providers = new Map<string, Provider>([
    ['stripe', { title: 'Stripe', sandbox: stripe, acts: stripeActs(stripe) }],
    ['paypal', { title: 'PayPal', sandbox: paypal, acts: paypalActs(paypal) }],
  ]);
  app.get('/sandbox', async (_request, reply) => send(reply, providers));
  app.post('/sandbox', async ({ body }, reply) => {
    try {
      const form = formSchema.parse(Object.fromEntries(new URLSearchParams(textOf(body))));
      return send(reply, providers, `Done: ${await perform(providers, form)}.`);
    } catch (error) {
      const problem = error instanceof z.ZodError ? error.issues[0]?.message : null;
      if (problem === null && !(error instanceof Refusal)) throw error;
      return send(reply.status(409), providers, problem ?? (error instanceof Error ? error.message : ''));
    }
  });
}

/** @returns what was done, in words */
async function perform(
  providers: ReadonlyMap<string, Provider>,
  form: z.infer<typeof formSchema>,
): Promise<string> {
  const provider = providers.get(form.provider);
  if (!provider) throw missing();
  const whole = new Map(Object.entries(PROVIDER_ACTS)).get(form.act);
  if (whole) {
    await whole.run(provider.sandbox);
    return whole.label;
  }
  const payment = (await provider.sandbox.payments()).find(({ id }) => id === form.payment);
  const act = new Map(Object.entries(provider.acts)).get(form.act);
  if (!payment || !act) throw missing();
  await act.run({ payment, amount: form.amount ? decimalToCents(form.amount) : undefined });
  return act.label;
}

const missing = () => new Refusal('There is no such payment or action.', { status: 404, body: null });

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

async function send(reply: FastifyReply, providers: ReadonlyMap<string, Provider>, message?: string) {
  const sections = await Promise.all([...providers].map(([name, provider]) => sectionHtml(name, provider)));
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .send(
      pageHtml({
        theme: 'outbox',
        title: 'Play the bank and the providers – sandbox',
        header:
          '<p class="brand">ClipSwap <span>sandbox</span></p><p><a href="/sandbox/inbound">Send a mail to ClipSwap</a> · <a href="/">Back to ClipSwap</a></p>',
        notice:
          '<strong>No real money moves.</strong> Here you can act as buyers, sellers, banks and the payment providers.',
        content: `<h1>Play the bank and the providers</h1>
${message === undefined ? '' : `<p role="status" class="notice">${escapeHtml(message)}</p>`}
${sections.join('\n')}`,
      }),
    );
}

async function sectionHtml(name: string, { title, sandbox, acts }: Provider): Promise<string> {
  const payments = await sandbox.payments();
  const items = payments.slice(0, 50).map((payment) => paymentHtml(name, payment, acts));
  return `<section aria-labelledby="${name}">
<h2 id="${name}">${title}</h2>
${formHtml(name, PROVIDER_ACTS, `What ${title} does`)}
${items.length > 0 ? `<ul class="payments">\n${items.join('\n')}\n</ul>` : '<p class="empty">No payment yet.</p>'}
</section>`;
}

function paymentHtml(name: string, payment: OutsidePayment, acts: Acts): string {
  const { id, description, amount, refund, dispute, payout } = payment;
  const states = Object.entries({ refund, dispute, payout }).flatMap(([kind, state]) =>
    state ? [`${kind} ${state.status.toLowerCase().replaceAll('_', ' ')}`] : [],
  );
  return `<li class="payment">
<h3>${escapeHtml(description)}, ${baseCurrency()} ${centsToDecimal(amount)}</h3>
<p><code>${escapeHtml(id)}</code>${states.length > 0 ? ` · ${escapeHtml(states.join(', '))}` : ''}</p>
${formHtml(name, acts, `Act on ${description} (${id})`, id)}
</li>`;
}

/** @param payment the id of the payment that it is about, which may have an amount */
function formHtml(
  provider: string,
  acts: Readonly<Record<string, { label: string }>>,
  label: string,
  payment?: string,
) {
  const options = Object.entries(acts).map(([act, one]) => `<option value="${act}">${one.label}</option>`);
  const about =
    payment === undefined
      ? ''
      : `<input type="hidden" name="payment" value="${escapeHtml(payment)}">
<label>Amount <input name="amount" inputmode="decimal" placeholder="all of it" autocomplete="off"></label>`;
  return `<form method="post" action="/sandbox" class="act" aria-label="${escapeHtml(label)}">
<input type="hidden" name="provider" value="${provider}">
<label>Act <select name="act">${options.join('')}</select></label>
${about}
<button type="submit">Do it</button>
</form>`;
}
