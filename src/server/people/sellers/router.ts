import {
  connectAccountStatusSchema,
  connectLinkSchema,
  paypalOnboardingLinkSchema,
  paypalSellerStatusSchema,
  sellerReadinessSchema,
} from '#contract/people/sellers.ts';
import { activeMemberProcedure, memberProcedure, router } from '#server/trpc/procedures.ts';
import {
  connectAccountStatus,
  createAccountLink,
  createPaypalOnboardingLink,
  paypalSellerStatus,
  sellerReadiness,
} from './service.ts';

/** The caller's own seller accounts with the payment providers. */
export const sellersRouter = router({
  accountStatus: memberProcedure
    .meta({ summary: 'The caller’s account with Stripe' })
    .output(connectAccountStatusSchema)
    .query(({ ctx }) => connectAccountStatus(ctx)),

  createAccountLink: activeMemberProcedure
    .meta({ summary: 'A link to set up the Stripe account' })
    .output(connectLinkSchema)
    .mutation(({ ctx }) => createAccountLink(ctx)),

  paypalStatus: memberProcedure
    .meta({ summary: 'The caller’s account with PayPal' })
    .output(paypalSellerStatusSchema)
    .query(({ ctx }) => paypalSellerStatus(ctx)),

  createPaypalOnboardingLink: activeMemberProcedure
    .meta({ summary: 'A link to set up the PayPal account' })
    .output(paypalOnboardingLinkSchema)
    .mutation(({ ctx }) => createPaypalOnboardingLink(ctx)),

  readiness: memberProcedure.output(sellerReadinessSchema).query(({ ctx }) => sellerReadiness(ctx)),
});
