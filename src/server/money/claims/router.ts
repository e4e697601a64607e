import { z } from 'zod';
import { idInputSchema, okSchema, pageSchema } from '#contract/base/primitives.ts';
import { imageInputSchema, storedImageSchema, uploadedImageSchema } from '#contract/coupons/images.ts';
import {
  answerClaimInputSchema,
  claimCountsSchema,
  claimSchema,
  couponClaimInputSchema,
  couponClaimSchema,
  decideLegClaimInputSchema,
  exchangeClaimsInputSchema,
  legClaimSchema,
  listClaimsInputSchema,
  openLegClaimInputSchema,
  stoppedSellerSchema,
  uploadEvidenceInputSchema,
} from '#contract/money/claims.ts';
import {
  defenderProcedure,
  memberProcedure,
  moderatorProcedure,
  ok,
  router,
} from '#server/trpc/procedures.ts';
import { answerClaim, countClaims, listClaims } from './claims.ts';
import { claimOnCoupon } from './coupon-claims.ts';
import { appealClaim } from './deadlines.ts';
import { readEvidence, uploadEvidence } from './evidence.ts';
import { claimsOfExchange, decideLegClaim, openLegClaim, withdrawLegClaim } from './leg-claims.ts';
import { listStoppedSellers, resumeSales } from './sale-stop.ts';

/** Claims that a code does not work. Those about sales are made and decided among the payments: see `salesRouter`. */
export const claimsRouter = router({
  list: moderatorProcedure
    .meta({ summary: 'Claims about sales and exchanges, for moderators' })
    .input(listClaimsInputSchema)
    .output(pageSchema(claimSchema))
    .query(({ ctx, input }) => listClaims(ctx, input)),

  stoppedSellers: moderatorProcedure
    .output(z.array(stoppedSellerSchema))
    .query(({ ctx }) => listStoppedSellers(ctx)),

  resumeSales: moderatorProcedure
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(resumeSales(ctx, input.id))),

  counts: moderatorProcedure.output(claimCountsSchema).query(({ ctx }) => countClaims(ctx)),

  ofExchange: memberProcedure
    .meta({ summary: 'What the caller gave and got in an exchange, with the claims about it' })
    .input(exchangeClaimsInputSchema)
    .output(z.array(legClaimSchema))
    .query(({ ctx, input }) => claimsOfExchange(ctx, input.exchangeId)),

  ofCoupon: memberProcedure
    .meta({ summary: 'What the caller can claim about the code of a coupon that they got in a deal' })
    .input(couponClaimInputSchema)
    .output(couponClaimSchema)
    .query(({ ctx, input }) => claimOnCoupon(ctx, input.couponId)),

  open: defenderProcedure
    .meta({ summary: 'Claims that the code of a coupon from an exchange does not work' })
    .input(openLegClaimInputSchema)
    .output(z.array(legClaimSchema))
    .mutation(({ ctx, input }) => openLegClaim(ctx, input)),

  withdraw: defenderProcedure
    .meta({ summary: 'Withdraws a claim about an exchange' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(withdrawLegClaim(ctx, input.id))),

  uploadPicture: defenderProcedure
    .input(uploadEvidenceInputSchema)
    .output(uploadedImageSchema)
    .mutation(({ ctx, input }) => uploadEvidence(ctx, input.bytes)),

  picture: memberProcedure
    .meta({ recordsView: true })
    .input(imageInputSchema)
    .output(storedImageSchema)
    .query(({ ctx, input }) => readEvidence(ctx, input.id)),

  answer: defenderProcedure
    .meta({ summary: 'The word of whoever gave the coupon, on a claim about it' })
    .input(answerClaimInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(answerClaim(ctx, input))),

  appeal: defenderProcedure
    .meta({
      summary:
        'Asks for a person to decide a claim that would end against the caller: a moderator, or an admin',
    })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(appealClaim(ctx, input.id))),

  decide: moderatorProcedure
    .meta({ summary: 'Decides a claim about an exchange, for moderators' })
    .input(decideLegClaimInputSchema)
    .output(claimSchema)
    .mutation(({ ctx, input }) => decideLegClaim(ctx, input)),
});
