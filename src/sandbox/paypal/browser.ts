import { z } from 'zod';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { addScript, addSetUpPages } from '#sandbox/hosted-pages.ts';
import { type SandboxServer, textOf } from '#sandbox/server.ts';
import { parseJson } from './http.ts';
import { finishMerchant, type MerchantOutcome } from './merchants.ts';
import { FUNDINGS, type PaypalContext, type Referral } from './objects.ts';
import { approveOrder } from './orders.ts';
import { refusal } from './refusals.ts';

const approvalSchema = z.object({ funding: z.enum(FUNDINGS) });

/** The ways in which a seller can leave the set-up. */
const CHOICES = {
  ready: { label: 'Finish set-up', hint: 'You can be paid at once.' },
  unconfirmed: {
    label: 'Finish without confirming the email address',
    hint: 'Payments wait until the address is confirmed.',
  },
  limited: { label: 'Finish with a limited account', hint: 'The account cannot take payments.' },
};
const OUTCOMES: Readonly<Record<keyof typeof CHOICES, MerchantOutcome>> = {
  ready: {},
  unconfirmed: { emailConfirmed: false },
  limited: { receivable: false },
};

const USED_LINK = `<h1>This link has been used</h1>
<p>Go back to ClipSwap and start the set-up again: it makes a new link.</p>`;

/** What a browser uses: PayPal's script, the order that the buyer approves, the seller's set-up pages. */
export function addBrowserPages(server: SandboxServer, ctx: PaypalContext): void {
  const { app, exclusive } = server;
  const base = `${server.pages}/browser`;
  addScript(app, `${base}/sdk.js`, 'paypal.ts');

  app.get<{ Params: { id: string } }>(`${base}/orders/:id`, async ({ params }) => {
    const { id, status, amount, merchantId } = await ctx.stored.orders.find(params.id);
    return { id, status, amount, payee: { merchant_id: merchantId } };
  });

  app.post<{ Params: { id: string } }>(`${base}/orders/:id/approve`, ({ params, body }) =>
    exclusive(async () => {
      const approval = approvalSchema.safeParse(parseJson(textOf(body))).data;
      if (!approval) throw refusal(400, 'INVALID_REQUEST', 'How do you want to pay?');
      await approveOrder(ctx, params.id, approval.funding);
      return { id: params.id, status: 'APPROVED' };
    }),
  );

  const { referrals } = ctx.stored;
  addSetUpPages<Referral, keyof typeof CHOICES>(server, {
    provider: 'PayPal',
    choices: CHOICES,
    intro: ({ trackingId }) => `<h1>Link your PayPal account with ClipSwap</h1>
<p>ClipSwap asks to take payments for you, to refund them, and to see whether your account can be paid.</p>
<p>Your reference: <code>${escapeHtml(trackingId)}</code></p>`,
    async find(token) {
      const link = await referrals.get(token);
      return link === null || link.isUsed ? { status: 410, content: USED_LINK } : { link };
    },
    targets: ({ returnUrl }) => [returnUrl],
    async finish(link, choice) {
      const merchant = await finishMerchant(ctx, link.trackingId, OUTCOMES[choice]);
      await referrals.put({ ...link, isUsed: true });
      const back = new URL(link.returnUrl);
      back.searchParams.set('merchantId', link.trackingId);
      back.searchParams.set('merchantIdInPayPal', merchant.id);
      back.searchParams.set('permissionsGranted', 'true');
      back.searchParams.set('consentStatus', 'true');
      back.searchParams.set('isEmailConfirmed', String(merchant.isEmailConfirmed));
      back.searchParams.set('accountStatus', 'BUSINESS_ACCOUNT');
      return back.href;
    },
  });
}
