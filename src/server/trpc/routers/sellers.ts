import {
  connectAccountStatusSchema,
  connectLinkSchema,
  paypalOnboardingLinkSchema,
  paypalSellerStatusSchema,
  sellerReadinessSchema,
} from '#contract/sellers.ts';
import {
  connectAccountStatus,
  createAccountLink,
  createPaypalOnboardingLink,
  paypalSellerStatus,
  sellerReadiness,
} from '#server/domains/sellers/service.ts';
import { activeMemberProcedure, memberProcedure, router } from '../procedures.ts';

/** Sellers' accounts with the payment providers; everybody sees their own. */
export const sellersRouter = router({
  accountStatus: memberProcedure
    .output(connectAccountStatusSchema)
    .query(({ ctx }) => connectAccountStatus(ctx)),

  createAccountLink: activeMemberProcedure
    .output(connectLinkSchema)
    .mutation(({ ctx }) => createAccountLink(ctx)),

  paypalStatus: memberProcedure.output(paypalSellerStatusSchema).query(({ ctx }) => paypalSellerStatus(ctx)),

  createPaypalOnboardingLink: activeMemberProcedure
    .output(paypalOnboardingLinkSchema)
    .mutation(({ ctx }) => createPaypalOnboardingLink(ctx)),

  readiness: memberProcedure.output(sellerReadinessSchema).query(({ ctx }) => sellerReadiness(ctx)),
});
