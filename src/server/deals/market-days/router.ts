import {
  certificateSchema,
  consentForCouponInputSchema,
  consentForWantInputSchema,
  consentsSchema,
  couponConsentKeySchema,
  marketDayInputSchema,
  marketDayNowSchema,
  marketDaySchema,
  wantConsentKeySchema,
} from '#contract/deals/market-days.ts';
import { activeMemberProcedure, memberProcedure, publicProcedure, router } from '#server/trpc/procedures.ts';
import { consentForCoupon, consentForWant, listConsents, withdrawCoupon, withdrawWant } from './consents.ts';
import { marketDayNow, readCertificate, readMarketDay } from './reading.ts';

/** Market day, and what people have agreed to have traded on it without being asked. */
export const marketDaysRouter = router({
  now: publicProcedure
    .meta({
      summary:
        'The next market day, and how many coupons would change hands if it were now; null: there is none',
    })
    .output(marketDayNowSchema)
    .query(({ ctx }) => marketDayNow(ctx)),

  byDay: publicProcedure
    .meta({ summary: 'What a market day has traded, with the caller’s own numbers in its certificate' })
    .input(marketDayInputSchema)
    .output(marketDaySchema)
    .query(({ ctx, input }) => readMarketDay(ctx, input.day)),

  certificate: publicProcedure
    .meta({ summary: 'What proves that nothing better was possible on a market day, under random numbers' })
    .input(marketDayInputSchema)
    .output(certificateSchema)
    .query(({ ctx, input }) => readCertificate(ctx, input.day)),

  consents: memberProcedure
    .meta({ summary: 'What the caller has agreed to have traded on market day without being asked' })
    .output(consentsSchema)
    .query(({ ctx }) => listConsents(ctx)),

  consentForWant: activeMemberProcedure
    .meta({ summary: 'Agrees that a wish is fulfilled on market day without asking' })
    .input(consentForWantInputSchema)
    .output(consentsSchema)
    .mutation(({ ctx, input }) => consentForWant(ctx, input)),

  withdrawWant: memberProcedure
    .meta({ summary: 'Takes back that a wish is fulfilled without asking' })
    .input(wantConsentKeySchema)
    .output(consentsSchema)
    .mutation(({ ctx, input }) => withdrawWant(ctx, input.wantId)),

  consentForCoupon: activeMemberProcedure
    .meta({ summary: 'Agrees that a coupon is given on market day without asking' })
    .input(consentForCouponInputSchema)
    .output(consentsSchema)
    .mutation(({ ctx, input }) => consentForCoupon(ctx, input)),

  withdrawCoupon: memberProcedure
    .meta({ summary: 'Takes back that a coupon is given without asking' })
    .input(couponConsentKeySchema)
    .output(consentsSchema)
    .mutation(({ ctx, input }) => withdrawCoupon(ctx, input.couponId)),
});
