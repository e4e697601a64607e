import { claimSchema } from '#contract/money/claims.ts';
import { offeredCoverInputSchema, offeredCoverSchema } from '#contract/money/guarantee.ts';
import {
  bidPaymentInputSchema,
  capturePaypalOrderInputSchema,
  checkoutSchema,
  decideClaimInputSchema,
  openClaimInputSchema,
  protectionSchema,
} from '#contract/money/payments.ts';
import { capturePaypalOrder, refreshPayment } from '#server/money/payments/service.ts';
import { defenderProcedure, memberProcedure, moderatorProcedure, router } from '#server/trpc/procedures.ts';
import { offeredCover } from './guarantee.ts';
import { checkoutWithCover, protectionOf } from './protection.ts';
import { confirmReceipt, decideClaim, openClaim, withdrawClaim } from './sale-claims.ts';

/** How a purchase is protected, and claims about it; mounted among the payments. */
export const salesRouter = router({
  checkout: defenderProcedure
    .meta({ summary: 'What an accepted bid costs, and how it can be paid' })
    .input(bidPaymentInputSchema)
    .output(checkoutSchema)
    .query(({ ctx, input }) => checkoutWithCover(ctx, input.bidId)),

  offeredCover: memberProcedure
    .meta({
      summary: 'How long a claim about a coupon would be heard if it were bought now, and what pays it',
    })
    .input(offeredCoverInputSchema)
    .output(offeredCoverSchema)
    .query(({ ctx, input }) => offeredCover(ctx, input)),

  capturePaypalOrder: defenderProcedure
    .meta({ summary: 'Captures the payment approved at PayPal' })
    .input(capturePaypalOrderInputSchema)
    .output(protectionSchema)
    .mutation(async ({ ctx, input }) => {
      await capturePaypalOrder(ctx, input.bidId);
      return protectionOf(ctx, input.bidId);
    }),

  refresh: defenderProcedure
    .meta({ summary: 'Asks the provider for the state of a payment' })
    .input(bidPaymentInputSchema)
    .output(protectionSchema)
    .mutation(async ({ ctx, input }) => {
      await refreshPayment(ctx, input.bidId);
      return protectionOf(ctx, input.bidId);
    }),

  confirmReceipt: defenderProcedure
    .meta({ summary: 'Confirms that the code works, and releases the money' })
    .input(bidPaymentInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => confirmReceipt(ctx, input.bidId)),

  openClaim: defenderProcedure
    .meta({ summary: 'Claims that the code does not work, for a moderator to decide' })
    .input(openClaimInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => openClaim(ctx, input)),

  withdrawClaim: defenderProcedure
    .meta({ summary: 'Withdraws a claim' })
    .input(bidPaymentInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => withdrawClaim(ctx, input.bidId)),

  decideClaim: moderatorProcedure
    .meta({ summary: 'Decides a claim about a sale, for moderators' })
    .input(decideClaimInputSchema)
    .output(claimSchema)
    .mutation(({ ctx, input }) => decideClaim(ctx, input)),
});
