import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Api, type ApiRequest, forbidden, param, readBody, unknownResource } from './http.ts';
import { type Desk, link, type Merchant, newId, showMerchant } from './objects.ts';

const referralSchema = z.object({
  tracking_id: z.string().min(1).max(127),
  email: z.string().optional(),
  partner_config_override: z.object({ return_url: z.url() }),
  operations: z.tuple([z.object({ operation: z.literal('API_INTEGRATION') })]),
  products: z.array(z.string()).min(1),
  legal_consents: z.tuple([z.object({ type: z.literal('SHARE_DATA_CONSENT'), granted: z.literal(true) })]),
});

/** How a seller leaves the set-up pages. */
export interface MerchantOutcome {
  readonly emailConfirmed?: boolean;
  readonly receivable?: boolean;
}

interface Partner {
  readonly partnerId: string;
  readonly clientId: string;
  /** Where the browser reaches the sandbox's pages. */
  readonly browserUrl: () => string;
}

/** Sellers: the link to their set-up, and how it stands. */
export function addMerchants(api: Api, desk: Desk, partner: Partner): void {
  const base = '/v1/customer/partners/:partnerId/merchant-integrations';
  const demandPartner = (request: ApiRequest) => {
    if (param(request, 'partnerId') !== partner.partnerId) throw forbidden('This is another partner.');
  };

  api.post('/v2/customer/partner-referrals', async (request) => {
    const body = readBody(request, referralSchema);
    const token = randomUUID();
    await desk.shelves.referrals.put({
      id: token,
      trackingId: body.tracking_id,
      returnUrl: body.partner_config_override.return_url,
      isUsed: false,
    });
    const action = `${partner.browserUrl()}/browser/onboarding/${token}`;
    return {
      status: 201,
      body: {
        links: [
          link(desk, 'self', 'GET', `/v2/customer/partner-referrals/${token}`),
          { rel: 'action_url', method: 'GET', href: action },
        ],
      },
    };
  });

  api.get(base, async (request) => {
    demandPartner(request);
    const merchantId = (await findTracked(desk, request.query.tracking_id))?.id;
    if (merchantId === undefined) throw unknownResource();
    const links = [
      link(desk, 'self', 'GET', `${base.replace(':partnerId', partner.partnerId)}/${merchantId}`),
    ];
    return {
      status: 200,
      body: { merchant_id: merchantId, tracking_id: request.query.tracking_id, links },
    };
  });

  api.get(`${base}/:merchantId`, async (request) => {
    demandPartner(request);
    const merchant = await desk.shelves.merchants.get(param(request, 'merchantId'));
    if (merchant === null) throw unknownResource();
    return { status: 200, body: showMerchant(merchant, partner.clientId) };
  });
}

/** The seller has gone through the set-up: their account is made, or changed where they had one. */
export async function finishMerchant(
  desk: Desk,
  trackingId: string,
  { emailConfirmed = true, receivable = true }: MerchantOutcome,
): Promise<Merchant> {
  const merchant: Merchant = {
    id: (await findTracked(desk, trackingId))?.id ?? newId(13),
    trackingId,
    isReceivable: receivable,
    isEmailConfirmed: emailConfirmed,
  };
  await desk.shelves.merchants.put(merchant);
  desk.webhooks.emit('MERCHANT.ONBOARDING.COMPLETED', 'merchant-onboarding', {
    merchant_id: merchant.id,
    tracking_id: trackingId,
  });
  return merchant;
}

async function findTracked({ shelves }: Desk, trackingId: string | undefined): Promise<Merchant | undefined> {
  return (await shelves.merchants.list()).find((merchant) => merchant.trackingId === trackingId);
}
