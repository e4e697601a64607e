import { z } from 'zod';
import {
  bidPaymentInputSchema,
  capturePaypalOrderInputSchema,
  checkoutSchema,
  claimSchema,
  createPaymentIntentInputSchema,
  createPaypalOrderInputSchema,
  decideClaimInputSchema,
  listClaimsInputSchema,
  openClaimInputSchema,
  paymentClientSchema,
  paymentIntentSchema,
  paymentMethodSchema,
  paypalOrderSchema,
  payWithCardInputSchema,
  payWithCardSchema,
  protectionSchema,
  webhookInputSchema,
} from '#contract/payments.ts';
import { idInputSchema, okSchema, pageSchema } from '#contract/primitives.ts';
import {
  listPaymentMethods,
  removePaymentMethod,
  setDefaultPaymentMethod,
} from '#server/domains/payments/cards.ts';
import { receiveEvent } from '#server/domains/payments/events.ts';
import {
  confirmReceipt,
  decideClaim,
  listClaims,
  openClaim,
  withdrawClaim,
} from '#server/domains/payments/protection.ts';
import {
  capturePaypalOrder,
  checkout,
  createPaymentIntent,
  createPaypalOrder,
  paymentClient,
  payWithCard,
  refreshPayment,
} from '#server/domains/payments/service.ts';
import {
  activeMemberProcedure,
  memberProcedure,
  moderatorProcedure,
  publicProcedure,
  router,
} from '../procedures.ts';

const OK = { ok: true } as const;

/** Paying for accepted bids, and what protects both sides afterwards; each call sees only the caller's own. */
export const paymentsRouter = router({
  client: publicProcedure.output(paymentClientSchema).query(({ ctx }) => paymentClient(ctx)),

  checkout: activeMemberProcedure
    .input(bidPaymentInputSchema)
    .output(checkoutSchema)
    .query(({ ctx, input }) => checkout(ctx, input.bidId)),

  createIntent: activeMemberProcedure
    .input(createPaymentIntentInputSchema)
    .output(paymentIntentSchema)
    .mutation(({ ctx, input }) => createPaymentIntent(ctx, input)),

  payWithCard: activeMemberProcedure
    .input(payWithCardInputSchema)
    .output(payWithCardSchema)
    .mutation(({ ctx, input }) => payWithCard(ctx, input)),

  createPaypalOrder: activeMemberProcedure
    .input(createPaypalOrderInputSchema)
    .output(paypalOrderSchema)
    .mutation(({ ctx, input }) => createPaypalOrder(ctx, input.bidId)),

  capturePaypalOrder: activeMemberProcedure
    .input(capturePaypalOrderInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => capturePaypalOrder(ctx, input.bidId)),

  /** Allowed to suspended people too: their money may be on its way. */
  refresh: memberProcedure
    .input(bidPaymentInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => refreshPayment(ctx, input.bidId)),

  confirmReceipt: activeMemberProcedure
    .input(bidPaymentInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => confirmReceipt(ctx, input.bidId)),

  openClaim: activeMemberProcedure
    .input(openClaimInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => openClaim(ctx, input)),

  withdrawClaim: activeMemberProcedure
    .input(bidPaymentInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => withdrawClaim(ctx, input.bidId)),

  claims: moderatorProcedure
    .input(listClaimsInputSchema)
    .output(pageSchema(claimSchema))
    .query(({ ctx, input }) => listClaims(ctx, input)),

  decideClaim: moderatorProcedure
    .input(decideClaimInputSchema)
    .output(claimSchema)
    .mutation(({ ctx, input }) => decideClaim(ctx, input)),

  paymentMethods: memberProcedure
    .output(z.array(paymentMethodSchema))
    .query(({ ctx }) => listPaymentMethods(ctx)),

  removePaymentMethod: memberProcedure
    .input(idInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await removePaymentMethod(ctx, input.id);
      return OK;
    }),

  setDefaultPaymentMethod: memberProcedure
    .input(idInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await setDefaultPaymentMethod(ctx, input.id);
      return OK;
    }),

  /** A provider's event. Anybody may send one: its signature says whether it is true. */
  receiveEvent: publicProcedure
    .input(webhookInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await receiveEvent(ctx, input);
      return OK;
    }),
});
