import { z } from 'zod';
import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import { claimSchema } from '#contract/money/claims.ts';
import { sellerDebtsSchema } from '#contract/money/debts.ts';
import { offeredCoverInputSchema, offeredCoverSchema } from '#contract/money/guarantee.ts';
import {
  bidPaymentInputSchema,
  capturePaypalOrderInputSchema,
  checkoutSchema,
  createPaymentIntentInputSchema,
  createPaypalOrderInputSchema,
  decideClaimInputSchema,
  openClaimInputSchema,
  paymentClientSchema,
  paymentIntentSchema,
  paymentMethodSchema,
  paypalOrderSchema,
  payWithCardInputSchema,
  payWithCardSchema,
  protectionSchema,
  webhookInputSchema,
} from '#contract/money/payments.ts';
import {
  receiptInputSchema,
  receiptSchema,
  sellerStatementInputSchema,
  sellerStatementRowsInputSchema,
  sellerStatementRowsSchema,
  sellerStatementSchema,
} from '#contract/money/receipts.ts';
import { receiptOf, sellerDebts, sellerStatement, sellerStatementRows } from '#server/money/books/service.ts';
import {
  defenderProcedure,
  memberProcedure,
  moderatorProcedure,
  ok,
  publicProcedure,
  router,
} from '#server/trpc/procedures.ts';
import { listPaymentMethods, removePaymentMethod, setDefaultPaymentMethod } from './cards.ts';
import { receiveEvent } from './events.ts';
import { offeredCover } from './guarantee.ts';
import { confirmReceipt, decideClaim, openClaim, withdrawClaim } from './protection.ts';
import {
  capturePaypalOrder,
  checkout,
  createPaymentIntent,
  createPaypalOrder,
  paymentClient,
  payWithCard,
  refreshPayment,
} from './service.ts';

/**
 * Paying for accepted bids, and the buyer's protection afterwards. Each call only shows the caller's own.
 */
export const paymentsRouter = router({
  receipt: memberProcedure
    .meta({ summary: 'The receipt of a sale for its buyer, the fee statement for its seller' })
    .input(receiptInputSchema)
    .output(receiptSchema)
    .query(({ ctx, input }) => receiptOf(ctx, input)),

  sellerStatement: memberProcedure
    .meta({ summary: 'The caller’s balance as a seller in one month' })
    .input(sellerStatementInputSchema)
    .output(sellerStatementSchema)
    .query(({ ctx, input }) => sellerStatement(ctx, input)),

  sellerStatementRows: memberProcedure
    .input(sellerStatementRowsInputSchema)
    .output(sellerStatementRowsSchema)
    .query(({ ctx, input }) => sellerStatementRows(ctx, input)),

  debts: memberProcedure
    .meta({ summary: 'What the caller owes as a seller, and what the next payouts lose by it' })
    .output(sellerDebtsSchema)
    .query(({ ctx }) => sellerDebts(ctx)),

  client: publicProcedure
    .meta({ summary: 'What a browser needs to load the payment scripts' })
    .output(paymentClientSchema)
    .query(({ ctx }) => paymentClient(ctx)),

  checkout: defenderProcedure
    .meta({ summary: 'What an accepted bid costs, and how it can be paid' })
    .input(bidPaymentInputSchema)
    .output(checkoutSchema)
    .query(({ ctx, input }) => checkout(ctx, input.bidId)),

  offeredCover: memberProcedure
    .meta({
      summary: 'How long a claim about a coupon would be heard if it were bought now, and what pays it',
    })
    .input(offeredCoverInputSchema)
    .output(offeredCoverSchema)
    .query(({ ctx, input }) => offeredCover(ctx, input.couponId)),

  createIntent: defenderProcedure
    .meta({ summary: 'The card payment of an accepted bid' })
    .input(createPaymentIntentInputSchema)
    .output(paymentIntentSchema)
    .mutation(({ ctx, input }) => createPaymentIntent(ctx, input)),

  payWithCard: defenderProcedure
    .meta({ summary: 'Pays with a saved card' })
    .input(payWithCardInputSchema)
    .output(payWithCardSchema)
    .mutation(({ ctx, input }) => payWithCard(ctx, input)),

  createPaypalOrder: defenderProcedure
    .meta({ summary: 'The PayPal order of an accepted bid' })
    .input(createPaypalOrderInputSchema)
    .output(paypalOrderSchema)
    .mutation(({ ctx, input }) => createPaypalOrder(ctx, input.bidId, input.acknowledgeUnchecked)),

  capturePaypalOrder: defenderProcedure
    .meta({ summary: 'Captures the payment approved at PayPal' })
    .input(capturePaypalOrderInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => capturePaypalOrder(ctx, input.bidId)),

  refresh: defenderProcedure
    .meta({ summary: 'Asks the provider for the state of a payment' })
    .input(bidPaymentInputSchema)
    .output(protectionSchema)
    .mutation(({ ctx, input }) => refreshPayment(ctx, input.bidId)),

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

  paymentMethods: memberProcedure
    .meta({ summary: 'The caller’s saved cards' })
    .output(z.array(paymentMethodSchema))
    .query(({ ctx }) => listPaymentMethods(ctx)),

  removePaymentMethod: memberProcedure
    .meta({ summary: 'Removes a saved card' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removePaymentMethod(ctx, input.id))),

  setDefaultPaymentMethod: memberProcedure
    .meta({ summary: 'Makes a saved card the default' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(setDefaultPaymentMethod(ctx, input.id))),

  /** Receives a provider's event. Anybody may send one: the signature proves where it comes from. */
  receiveEvent: publicProcedure
    .input(webhookInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(receiveEvent(ctx, input))),
});
