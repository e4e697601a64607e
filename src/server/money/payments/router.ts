import { z } from 'zod';
import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import { sellerDebtsSchema } from '#contract/money/debts.ts';
import {
  createPaymentIntentInputSchema,
  createPaypalOrderInputSchema,
  paymentClientSchema,
  paymentIntentSchema,
  paymentMethodSchema,
  paypalOrderSchema,
  payWithCardInputSchema,
  payWithCardSchema,
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
import { sellerDebts } from '#server/money/debts/service.ts';
import { receiptOf } from '#server/money/receipts/service.ts';
import { sellerStatement, sellerStatementRows } from '#server/money/reports/service.ts';
import { defenderProcedure, memberProcedure, ok, publicProcedure, router } from '#server/trpc/procedures.ts';
import { listPaymentMethods, removePaymentMethod, setDefaultPaymentMethod } from './cards.ts';
import { receiveEvent } from './events.ts';
import { createPaymentIntent, createPaypalOrder, paymentClient, payWithCard } from './service.ts';

/** Paying for accepted bids. Each call only shows the caller's own. */
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
