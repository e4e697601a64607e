import { idInputSchema } from '#contract/base/primitives.ts';
import {
  checkedStatementSchema,
  checkStatementInputSchema,
  exposureSchema,
  keySetSchema,
  listRootsInputSchema,
  openBooksSchema,
  rootsPageSchema,
  signedStatementSchema,
} from '#contract/oversight/proofs.ts';
import { exposureOf, issueStatement, publishedKeys } from '#server/coupons/exposures/service.ts';
import { memberProcedure, publicProcedure, router } from '#server/trpc/procedures.ts';
import { checkStatement, listRoots, openBooks } from './service.ts';

/** Who was shown a code, statements of it, and what everybody can check. */
export const proofsRouter = router({
  exposure: publicProcedure
    .meta({ summary: 'How many people were shown the code of a coupon; for its owner also when' })
    .input(idInputSchema)
    .output(exposureSchema.nullable())
    .query(({ ctx, input }) => exposureOf(ctx, input.id)),

  issue: memberProcedure
    .meta({ summary: 'A signed statement of who was shown the code of a coupon, for its owner' })
    .input(idInputSchema)
    .output(signedStatementSchema)
    .mutation(({ ctx, input }) => issueStatement(ctx, input.id)),

  check: publicProcedure
    .meta({ summary: 'What the records say now about the chain of a signed statement' })
    .input(checkStatementInputSchema)
    .output(checkedStatementSchema)
    .mutation(({ ctx, input }) => checkStatement(ctx, input)),

  keys: publicProcedure.output(keySetSchema).query(async ({ ctx }) => ({ keys: await publishedKeys(ctx) })),

  roots: publicProcedure
    .meta({ summary: 'The daily roots of all chains and of the ledger', fromReplica: true })
    .input(listRootsInputSchema)
    .output(rootsPageSchema)
    .query(({ ctx, input }) => listRoots(ctx, input)),

  openBooks: publicProcedure
    .meta({ summary: 'What the market shows of itself, once a day', fromReplica: true })
    .output(openBooksSchema)
    .query(({ ctx }) => openBooks(ctx)),
});
