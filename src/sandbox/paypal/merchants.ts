import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Api, type ApiRequest, readBody } from './http.ts';
import { link, type Merchant, newMerchantId, type PaypalContext } from './objects.ts';
import { forbidden, missing } from './refusals.ts';

const referralSchema = z.object({
  tracking_id: z.string().min(1).max(127),
  email: z.string().optional(),
  partner_config_override: z.object({ return_url: z.url() }),
  operations: z.tuple([z.object({ operation: z.literal('API_INTEGRATION') })]),
  products: z.array(z.string()).min(1),
  legal_consents: z.tuple([z.object({ type: z.literal('SHARE_DATA_CONSENT'), granted: z.literal(true) })]),
});

/** The state in which a seller leaves the set-up pages. */
export interface MerchantOutcome {
  readonly emailConfirmed?: boolean;
  readonly receivable?: boolean;
}

interface Partner {
  readonly partnerId: string;
  readonly clientId: string;
  /** The address under which a browser reaches PayPal's pages. */
  readonly browserUrl: string;
}

export function addMerchants(api: Api, ctx: PaypalContext, partner: Partner): void {
  const base = '/v1/customer/partners/:partnerId/merchant-integrations';
  const checkPartner = ({ params }: ApiRequest) => {
    if (params.partnerId !== partner.partnerId) throw forbidden('This is another partner.');
  };

  api.post('/v2/customer/partner-referrals', async (request) => {
    const body = readBody(request, referralSchema);
    const token = randomUUID();
    await ctx.stored.referrals.put({
      id: token,
      trackingId: body.tracking_id,
      returnUrl: body.partner_config_override.return_url,
      isUsed: false,
    });
    const action = `${partner.browserUrl}/browser/onboarding/${token}`;
    return {
      status: 201,
      body: {
        links: [
          link(ctx, 'self', 'GET', `/v2/customer/partner-referrals/${token}`),
          { rel: 'action_url', method: 'GET', href: action },
        ],
      },
    };
  });

  api.get(base, async (request) => {
    checkPartner(request);
    const merchantId = (await findTracked(ctx, request.query.tracking_id))?.id;
    if (merchantId === undefined) throw missing();
    const links = [
      link(ctx, 'self', 'GET', `${base.replace(':partnerId', partner.partnerId)}/${merchantId}`),
    ];
    return {
      status: 200,
      body: { merchant_id: merchantId, tracking_id: request.query.tracking_id, links },
    };
  });

  api.get(`${base}/:id`, async (request) => {
    checkPartner(request);
    const merchant = await ctx.stored.merchants.find(request.id);
    return { status: 200, body: showMerchant(merchant, partner.clientId) };
  });
}

/** The seller finishes the set-up: this creates their account, or changes it. */
export async function finishMerchant(
  ctx: PaypalContext,
  trackingId: string,
  { emailConfirmed = true, receivable = true }: MerchantOutcome,
): Promise<Merchant> {
  const known = await findTracked(ctx, trackingId);
  const merchant: Merchant = {
    id: known?.id ?? newMerchantId(),
    payouts: known?.payouts ?? 'succeed',
    trackingId,
    isReceivable: receivable,
    isEmailConfirmed: emailConfirmed,
  };
  await ctx.stored.merchants.put(merchant);
  ctx.emit('MERCHANT.ONBOARDING.COMPLETED', 'merchant-onboarding', {
    merchant_id: merchant.id,
    tracking_id: trackingId,
  });
  return merchant;
}

/** PayPal limits an account, lets it receive again, or makes its payouts wait or fail. */
export async function changeMerchant(
  { stored }: PaypalContext,
  id: string,
  changes: Partial<Pick<Merchant, 'isReceivable' | 'payouts'>>,
): Promise<void> {
  await stored.merchants.put({ ...(await stored.merchants.find(id)), ...changes });
}

async function findTracked(
  { stored }: PaypalContext,
  trackingId: string | undefined,
): Promise<Merchant | undefined> {
  return (await stored.merchants.list()).find((merchant) => merchant.trackingId === trackingId);
}

function showMerchant(merchant: Merchant, partnerClientId: string) {
  return {
    merchant_id: merchant.id,
    tracking_id: merchant.trackingId,
    products: [{ name: 'EXPRESS_CHECKOUT', status: 'ACTIVE' }],
    payments_receivable: merchant.isReceivable,
    primary_email_confirmed: merchant.isEmailConfirmed,
    oauth_integrations: [
      {
        integration_type: 'OAUTH_THIRD_PARTY',
        oauth_third_party: [{ partner_client_id: partnerClientId, merchant_client_id: merchant.id }],
      },
    ],
  };
}
