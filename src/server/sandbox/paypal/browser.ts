import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { addHostedFiles, sendHostedPage } from '../hosted-pages.ts';
import { PaypalError } from './errors.ts';
import { type SetUpOutcome, setUpPage, usedPage } from './hosted-pages.ts';
import { parseJson } from './http.ts';
import { finishMerchant } from './merchants.ts';
import { FUNDINGS } from './objects.ts';
import { approveOrder, findOrder } from './orders.ts';
import type { Desk } from './views.ts';

const approvalSchema = z.object({ funding: z.enum(FUNDINGS) });

const OUTCOMES: Readonly<Record<SetUpOutcome, { emailConfirmed: boolean; receivable: boolean }>> = {
  ready: { emailConfirmed: true, receivable: true },
  unconfirmed: { emailConfirmed: false, receivable: true },
  limited: { emailConfirmed: true, receivable: false },
};
const outcomeSchema = z.enum(['ready', 'unconfirmed', 'limited']);

/**
 * What a browser sees of PayPal: its script, the order that the buyer approves, the seller's set-up pages.
 * @param exclusive runs one act after another
 */
export function addBrowserPages(
  app: FastifyInstance,
  desk: Desk,
  exclusive: <T>(act: () => Promise<T>) => Promise<T>,
): void {
  addHostedFiles(app, { path: '/browser/sdk.js', script: 'paypal.ts' });

  app.get<{ Params: { id: string } }>('/browser/orders/:id', (request, reply) =>
    answer(reply, async () => {
      const { id, status, amount, merchantId } = await findOrder(desk, request.params.id);
      return { id, status, amount, payee: { merchant_id: merchantId } };
    }),
  );

  app.post<{ Params: { id: string } }>('/browser/orders/:id/approve', (request, reply) =>
    answer(reply, () =>
      exclusive(async () => {
        const approval = approvalSchema.safeParse(parseJson(bodyText(request.body))).data;
        if (!approval) throw new PaypalError(400, 'INVALID_REQUEST', 'How is it to be paid?');
        await approveOrder(desk, request.params.id, approval.funding);
        return { id: request.params.id, status: 'APPROVED' };
      }),
    ),
  );

  app.get<{ Params: { token: string } }>('/browser/onboarding/:token', async (request, reply) => {
    const referral = await desk.shelves.referrals.get(request.params.token);
    if (referral === null || referral.isUsed) return sendHostedPage(reply.status(410), 'PayPal', usedPage());
    const origins = [new URL(referral.returnUrl).origin];
    return sendHostedPage(reply, 'PayPal', setUpPage(referral.trackingId), origins);
  });

  app.post<{ Params: { token: string } }>('/browser/onboarding/:token', (request, reply) =>
    exclusive(async () => {
      const { referrals } = desk.shelves;
      const referral = await referrals.get(request.params.token);
      if (referral === null || referral.isUsed)
        return sendHostedPage(reply.status(410), 'PayPal', usedPage());
      const asked = new URLSearchParams(bodyText(request.body)).get('outcome');
      const outcome = outcomeSchema.safeParse(asked).data;
      if (!outcome) return sendHostedPage(reply.status(400), 'PayPal', setUpPage(referral.trackingId));
      const merchant = await finishMerchant(desk, referral.trackingId, OUTCOMES[outcome]);
      await referrals.put(referral.token, { ...referral, isUsed: true });
      const back = new URL(referral.returnUrl);
      back.searchParams.set('merchantId', referral.trackingId);
      back.searchParams.set('merchantIdInPayPal', merchant.id);
      back.searchParams.set('permissionsGranted', 'true');
      back.searchParams.set('consentStatus', 'true');
      back.searchParams.set('isEmailConfirmed', String(merchant.isEmailConfirmed));
      back.searchParams.set('accountStatus', 'BUSINESS_ACCOUNT');
      return reply.redirect(back.href, 303);
    }),
  );
}

async function answer(reply: FastifyReply, act: () => Promise<unknown>) {
  try {
    return reply.send(await act());
  } catch (error) {
    if (!(error instanceof PaypalError)) throw error;
    return reply.status(error.status).send(error.body);
  }
}

function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : '';
}
