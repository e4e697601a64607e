import { z } from 'zod';
import { TEXTS } from '#contract/base/texts.ts';
import { sessionUserSchema } from './accounts.ts';

/** The payment providers. */
export const PAYMENT_PROVIDERS = ['stripe', 'paypal'] as const;
export const paymentProviderSchema = z.enum(PAYMENT_PROVIDERS).meta({ id: 'PaymentProvider' });
export type PaymentProviderName = z.output<typeof paymentProviderSchema>;

/** The providers' names for people. */
export const PROVIDER_NAMES: Record<PaymentProviderName, string> = { stripe: 'Stripe', paypal: 'PayPal' };

/** The state of a seller's account with one provider: the badge of spec/3 section 2. */
const SELLER_BADGES = ['setup_required', 'action_required', 'active'] as const;

/** A seller's account with either provider. */
const sellerAccountSchema = z.object({
  /** Whether this provider is set up in this installation. */
  isAvailable: z.boolean(),
  hasAccount: z.boolean(),
  badge: z.enum(SELLER_BADGES),
  /** What the provider still needs from the seller, in words. */
  requirements: z.array(z.string()),
  isRestricted: z.boolean(),
  /** That the seller's bank has sent the latest payout back, and why; null when it has not. */
  failedPayout: z.string().nullable(),
  /** Why this is not the provider's latest answer; null when it is. */
  note: z.string().nullable(),
});

/** A seller's account with Stripe, with the field names of spec/1 section 7. */
export const connectAccountStatusSchema = sellerAccountSchema.extend({
  status: z.object({ requiresAction: z.boolean(), payoutsEnabled: z.boolean() }).nullable(),
});
connectAccountStatusSchema.register(z.globalRegistry, { id: 'ConnectAccountStatus' });

/** A seller's account with PayPal, with the field names of spec/3 section 3. */
export const paypalSellerStatusSchema = sellerAccountSchema.extend({
  merchantId: z.string().nullable(),
  status: z.object({ payments_receivable: z.boolean(), primary_email_confirmed: z.boolean() }).nullable(),
});
paypalSellerStatusSchema.register(z.globalRegistry, { id: 'PaypalSellerStatus' });

const accountStatusSchema = z.enum(['pending', 'action_required', 'active']).meta({ id: 'AccountStatus' });
/** The signed-in person with the last known state of their seller accounts, in the fields of spec/1 section 3. */
export const currentUserSchema = sessionUserSchema.extend({
  stripeConnectAccountId: z.string().nullable(),
  stripeAccountStatus: accountStatusSchema,
  payoutEnabled: z.boolean(),
  paypalMerchantId: z.string().nullable(),
  paypalTrackingId: z.string().nullable(),
  paypalAccountStatus: accountStatusSchema,
  paypalEmailConfirmed: z.boolean(),
  paypalPaymentsReceivable: z.boolean(),
});
currentUserSchema.register(z.globalRegistry, { id: 'CurrentUser' });
export type CurrentUser = z.output<typeof currentUserSchema>;

/** The provider's page on which the seller continues. */
export const connectLinkSchema = z.object({ url: z.url() }).meta({ id: 'ConnectLink' });
export const paypalOnboardingLinkSchema = z
  .object({ onboardingUrl: z.url() })
  .meta({ id: 'PaypalOnboardingLink' });

/**
 * Whether the caller has an account that can receive payments, and whether this installation has any provider. For
 * the banner of the home page.
 */
export const sellerReadinessSchema = z.object({ isReady: z.boolean(), isAvailable: z.boolean() });

export type SellerReadiness = z.output<typeof sellerReadinessSchema>;
export type SellerAccountStatus = z.output<typeof sellerAccountSchema>;
export type ConnectAccountStatus = z.output<typeof connectAccountStatusSchema>;
export type PaypalSellerStatus = z.output<typeof paypalSellerStatusSchema>;
export type SellerBadge = (typeof SELLER_BADGES)[number];

/** The text of each badge. */
export const SELLER_BADGE_TEXTS: Record<SellerBadge, () => string> = {
  setup_required: TEXTS.sellers.setupRequired,
  action_required: TEXTS.sellers.actionRequired,
  active: TEXTS.sellers.active,
};
