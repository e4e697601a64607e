import { depositIntentSchema, depositSchema, ownDepositInputSchema } from '#contract/money/deposits.ts';
import { defenderProcedure, memberProcedure, router } from '#server/trpc/procedures.ts';
import { createDepositIntent, ownDeposit, refreshOwnDeposit } from './service.ts';

/** Deposits for swaps and rings. Each call only shows the caller's own. */
export const depositsRouter = router({
  own: memberProcedure
    .meta({ summary: 'The caller’s deposit for an exchange' })
    .input(ownDepositInputSchema)
    .output(depositSchema.nullable())
    .query(({ ctx, input }) => ownDeposit(ctx, input.exchangeId)),

  createIntent: defenderProcedure
    .meta({ summary: 'Begins to put up the caller’s deposit by card' })
    .input(ownDepositInputSchema)
    .output(depositIntentSchema)
    .mutation(({ ctx, input }) => createDepositIntent(ctx, input.exchangeId)),

  refresh: defenderProcedure
    .meta({ summary: 'Reads the caller’s deposit from the card provider' })
    .input(ownDepositInputSchema)
    .output(depositSchema)
    .mutation(({ ctx, input }) => refreshOwnDeposit(ctx, input.exchangeId)),
});
