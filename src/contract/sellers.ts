import { z } from 'zod';
import { TEXTS } from './texts.ts';

/** Who moves the money. */
export const PAYMENT_PROVIDERS = ['stripe', 'paypal'] as const;
export const paymentProviderSchema = z.enum(PAYMENT_PROVIDERS);
export type PaymentProviderName = z.output<typeof paymentProviderSchema>;

/** How a seller's account with one provider stands: the badge of spec/3 section 2. */
const SELLER_BADGES = ['setup_required', 'action_required', 'active'] as const;

/** A seller's account with either provider. */
const sellerAccountSchema = z.object({
  /** Whether the provider can be reached from this installation at all. */
  isAvailable: z.boolean(),
  hasAccount: z.boolean(),
  badge: z.enum(SELLER_BADGES),
  /** What the provider still wants, in words. */
  requirements: z.array(z.string()),
  isRestricted: z.boolean(),
  /** Why the answer is not the provider's latest word; null when it is. */
  note: z.string().nullable(),
});

/** A seller's account with Stripe, in the words of spec/1 section 7. */
export const connectAccountStatusSchema = sellerAccountSchema.extend({
  status: z.object({ requiresAction: z.boolean(), payoutsEnabled: z.boolean() }).nullable(),
});

/** A seller's account with PayPal, in the words of spec/3 section 3. */
export const paypalSellerStatusSchema = sellerAccountSchema.extend({
  merchantId: z.string().nullable(),
  status: z.object({ payments_receivable: z.boolean(), primary_email_confirmed: z.boolean() }).nullable(),
});

/** Where the seller goes on: a page of the provider's. */
export const connectLinkSchema = z.object({ url: z.url() });
export const paypalOnboardingLinkSchema = z.object({ onboardingUrl: z.url() });

/** Whether the caller can be paid by anybody, and whether there is anybody to set that up with. For the home banner. */
export const sellerReadinessSchema = z.object({ isReady: z.boolean(), isAvailable: z.boolean() });

export type SellerAccountStatus = z.output<typeof sellerAccountSchema>;
export type ConnectAccountStatus = z.output<typeof connectAccountStatusSchema>;
export type PaypalSellerStatus = z.output<typeof paypalSellerStatusSchema>;
export type SellerBadge = (typeof SELLER_BADGES)[number];

/** The badge in words. */
export const SELLER_BADGE_TEXTS: Record<SellerBadge, string> = {
  setup_required: TEXTS.sellers.setupRequired,
  action_required: TEXTS.sellers.actionRequired,
  active: TEXTS.sellers.active,
};
