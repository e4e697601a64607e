import { z } from 'zod';
import { idInputSchema, pageSchema } from '#contract/base/primitives.ts';
import {
  counterExchangeInputSchema,
  depositTermsInputSchema,
  depositTermsSchema,
  exchangeSchema,
  listExchangesInputSchema,
  proposeExchangeInputSchema,
  reviseExchangeInputSchema,
  setExchangeStatusInputSchema,
} from '#contract/deals/exchanges.ts';
import { activeMemberProcedure, memberProcedure, router } from '#server/trpc/procedures.ts';
import { depositTerms } from './deposits.ts';
import { counterExchange, proposeExchange, reviseExchange } from './proposing.ts';
import { exchangeById, listExchanges, roundsOf, setExchangeStatus } from './service.ts';

/** Swaps between two people; each call only shows the caller's own. */
export const exchangesRouter = router({
  list: memberProcedure
    .meta({ summary: 'The exchanges that the caller takes part in' })
    .input(listExchangesInputSchema)
    .output(pageSchema(exchangeSchema))
    .query(({ ctx, input }) => listExchanges(ctx, input)),

  byId: memberProcedure
    .meta({ summary: 'One exchange' })
    .input(idInputSchema)
    .output(exchangeSchema)
    .query(({ ctx, input }) => exchangeById(ctx, input.id)),

  rounds: memberProcedure
    .meta({ summary: 'The proposals of a negotiation, the first one first' })
    .input(idInputSchema)
    .output(z.array(exchangeSchema))
    .query(({ ctx, input }) => roundsOf(ctx, input.id)),

  depositTerms: memberProcedure
    .input(depositTermsInputSchema)
    .output(depositTermsSchema)
    .query(({ ctx, input }) => depositTerms(ctx, input.userIds)),

  propose: activeMemberProcedure
    .meta({ summary: 'Proposes a swap' })
    .input(proposeExchangeInputSchema)
    .output(exchangeSchema)
    .mutation(({ ctx, input }) => proposeExchange(ctx, input)),

  revise: activeMemberProcedure
    .meta({ summary: 'Changes a pending proposal' })
    .input(reviseExchangeInputSchema)
    .output(exchangeSchema)
    .mutation(({ ctx, input }) => reviseExchange(ctx, input)),

  counter: activeMemberProcedure
    .meta({ summary: 'Answers a pending proposal with another one' })
    .input(counterExchangeInputSchema)
    .output(exchangeSchema)
    .mutation(({ ctx, input }) => counterExchange(ctx, input)),

  setStatus: activeMemberProcedure
    .meta({ summary: 'Accepts, rejects, cancels or completes' })
    .input(setExchangeStatusInputSchema)
    .output(exchangeSchema)
    .mutation(({ ctx, input }) => setExchangeStatus(ctx, input)),
});
