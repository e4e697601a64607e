import { z } from 'zod';
import type { OnboardingRequest, SellerAccount } from '../payments.ts';
import { ProviderUnreachable } from '../payments.ts';
import type { Requirement } from '../requirements.ts';
import { orNull, type PaypalClient, type PaypalClientSettings } from './client.ts';

const referralSchema = z.object({ links: z.array(z.object({ rel: z.string(), href: z.url() })) });
const trackedSchema = z.object({ merchant_id: z.string().min(1) });
const merchantSchema = z.object({
  merchant_id: z.string().min(1),
  payments_receivable: z.boolean(),
  primary_email_confirmed: z.boolean(),
  oauth_integrations: z.array(z.unknown()).default([]),
});

const PERMISSIONS = [
  'PAYMENT',
  'REFUND',
  'PARTNER_FEE',
  'ACCESS_MERCHANT_INFORMATION',
  // Without it PayPal sends no events about disputes with this seller.
  'READ_SELLER_DISPUTE',
  'DELAY_FUNDS_DISBURSEMENT',
  // For the comparison of our books with the seller's account.
  'ADVANCED_TRANSACTIONS_SEARCH',
] as const;

/** Identifies one of our users at PayPal before they have an account there. */
export function trackingIdOf(userId: number): string {
  return `seller-${userId}`;
}

/** The user id of a tracking id; null when the tracking id is not ours. */
export function userOfTrackingId(trackingId: string): number | null {
  const id = /^seller-([1-9]\d{0,9})$/.exec(trackingId)?.[1];
  return id === undefined ? null : Number(id);
}

/** Creates a link to PayPal's pages, where the seller connects an account. */
export async function startOnboarding(
  ask: PaypalClient,
  request: OnboardingRequest,
): Promise<{ accountRef: string | null; url: string }> {
  const { links } = await ask(
    {
      method: 'POST',
      path: '/v2/customer/partner-referrals',
      idempotencyKey: request.idempotencyKey,
      body: {
        tracking_id: trackingIdOf(request.userId),
        email: request.email,
        partner_config_override: { return_url: request.returnUrl },
        operations: [
          {
            operation: 'API_INTEGRATION',
            api_integration_preference: {
              rest_api_integration: {
                integration_method: 'PAYPAL',
                integration_type: 'THIRD_PARTY',
                third_party_details: { features: PERMISSIONS },
              },
            },
          },
        ],
        products: ['EXPRESS_CHECKOUT'],
        legal_consents: [{ type: 'SHARE_DATA_CONSENT', granted: true }],
      },
    },
    referralSchema,
  );
  const link = links.find(({ rel }) => rel === 'action_url');
  if (!link) throw new ProviderUnreachable('PayPal answered without a link to its set-up');
  return { accountRef: request.accountRef, url: link.href };
}

/** The current state of the seller's account; null when none is connected. */
export async function readAccount(
  ask: PaypalClient,
  { partnerId }: PaypalClientSettings,
  { userId, accountRef }: { userId: number; accountRef: string | null },
): Promise<SellerAccount | null> {
  const base = `/v1/customer/partners/${encodeURIComponent(partnerId)}/merchant-integrations`;
  const merchantId = accountRef ?? (await findMerchant(ask, base, userId));
  if (merchantId === null) return null;
  const merchant = await orNull(
    ask({ method: 'GET', path: `${base}/${encodeURIComponent(merchantId)}` }, merchantSchema),
  );
  return merchant && accountOf(merchant);
}

async function findMerchant(ask: PaypalClient, base: string, userId: number): Promise<string | null> {
  const path = `${base}?tracking_id=${encodeURIComponent(trackingIdOf(userId))}`;
  const found = await orNull(ask({ method: 'GET', path }, trackedSchema));
  return found?.merchant_id ?? null;
}

function accountOf(merchant: z.infer<typeof merchantSchema>): SellerAccount {
  const isLinked = merchant.oauth_integrations.length > 0;
  const requirements: Requirement[] = [
    ...(merchant.payments_receivable ? [] : (['paypal_limit'] as const)),
    ...(merchant.primary_email_confirmed ? [] : (['paypal_email'] as const)),
    ...(isLinked ? [] : (['paypal_consent'] as const)),
  ];
  return {
    accountRef: merchant.merchant_id,
    isReady: requirements.length === 0,
    paymentsReceivable: merchant.payments_receivable,
    primaryEmailConfirmed: merchant.primary_email_confirmed,
    isRestricted: !merchant.payments_receivable,
    failedPayout: null,
    requirements,
  };
}
