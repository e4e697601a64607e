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
  ok,
  publicProcedure,
  router,
} from '../procedures.ts';

/** Paying for accepted bids, and what protects both sides afterwards; each call sees only the caller's own. */
export const paymentsRouter = router({
  client: publicProcedure
    .meta({ summary: 'What a browser needs to load the payment scripts' })
    .output(paymentClientSchema)
    .query(({ ctx }) => paymentClient(ctx)),

  checkout: activeMemberProcedure
    .meta({ summary: 'What an accepted bid costs, and how it can be paid' })
    .input(bidPaymentInputSchema)
    .output(checkoutSchema)
    .query(({ ctx, input }) => checkout(ctx, input.bidId)),

  createIntent: activeMemberProcedure
    .meta({ summary: 'The card payment of an accepted bid' })
    .input(createPaymentIntentInputSchema)
    .output(paymentIntentSchema)
    .mutation(({ ctx, input }) => createPaymentIntent(ctx, input)),

  payWithCard: activeMemberProcedure
    .meta({ summary: 'Pays with a kept card' })
    .input(payWithCardInputSchema)
    .output(payWithCardSchema)
    .mutation(({ ctx, input }) => payWithCard(ctx, input)),

  createPaypalOrder: activeMemberProcedure
    .meta({ summary: 'The PayPal order of an accepted bid' })
    .input(createPaypalOrderInputSchema)
    .output(paypalOrderSchema)
    .mutation(({ ctx, input }) => createPaypalOrder(ctx, input.bidId)),

  capturePaypalOrder: activeMemberProcedure
    .meta({ summary: 'Takes the money approved at PayPal' })
    .input(capturePaypalOrderInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => capturePaypalOrder(ctx, input.bidId)),

  /** Allowed to suspended people too: their money may be on its way. */
  refresh: memberProcedure
    .meta({ summary: 'Asks the provider how a payment stands' })
    .input(bidPaymentInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => refreshPayment(ctx, input.bidId)),

  confirmReceipt: activeMemberProcedure
    .meta({ summary: 'The code works: releases the money' })
    .input(bidPaymentInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => confirmReceipt(ctx, input.bidId)),

  openClaim: activeMemberProcedure
    .meta({ summary: 'The code does not work: asks a moderator' })
    .input(openClaimInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => openClaim(ctx, input)),

  withdrawClaim: activeMemberProcedure
    .meta({ summary: 'Takes a claim back' })
    .input(bidPaymentInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => withdrawClaim(ctx, input.bidId)),

  claims: moderatorProcedure
    .meta({ summary: 'Claims, for moderators' })
    .input(listClaimsInputSchema)
    .output(pageSchema(claimSchema))
    .query(({ ctx, input }) => listClaims(ctx, input)),

  decideClaim: moderatorProcedure
    .meta({ summary: 'Decides a claim, for moderators' })
    .input(decideClaimInputSchema)
    .output(claimSchema)
    .mutation(({ ctx, input }) => decideClaim(ctx, input)),

  paymentMethods: memberProcedure
    .meta({ summary: 'The caller’s kept cards' })
    .output(z.array(paymentMethodSchema))
    .query(({ ctx }) => listPaymentMethods(ctx)),

  removePaymentMethod: memberProcedure
    .meta({ summary: 'Forgets a card' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removePaymentMethod(ctx, input.id))),

  setDefaultPaymentMethod: memberProcedure
    .meta({ summary: 'Chooses the first card' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(setDefaultPaymentMethod(ctx, input.id))),

  /** A provider's event. Anybody may send one: its signature says whether it is true. */
  receiveEvent: publicProcedure
    .input(webhookInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(receiveEvent(ctx, input))),
});
