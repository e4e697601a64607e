import { okSchema } from '#contract/base/primitives.ts';
import {
  feedsSchema,
  putFeedInputSchema,
  putValidatorInputSchema,
  removeSourceInputSchema,
  triedFeedSchema,
  triedValidatorSchema,
  tryFeedInputSchema,
  tryValidatorInputSchema,
  validatorsSchema,
} from '#contract/oversight/sources.ts';
import { adminProcedure, ok, router } from '#server/trpc/procedures.ts';
import { listFeeds, putFeed, removeFeed, tryFeed } from './feeds.ts';
import { listValidators, putValidator, removeValidator, tryValidator } from './validators.ts';

/** Where public codes come from, and who confirms codes; for admins in a browser. */
export const sourcesRouter = router({
  feeds: adminProcedure.output(feedsSchema).query(({ ctx }) => listFeeds(ctx)),

  putFeed: adminProcedure
    .input(putFeedInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(putFeed(ctx, input))),

  removeFeed: adminProcedure
    .input(removeSourceInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removeFeed(ctx, input))),

  tryFeed: adminProcedure
    .input(tryFeedInputSchema)
    .output(triedFeedSchema)
    .mutation(({ ctx, input }) => tryFeed(ctx, input)),

  validators: adminProcedure.output(validatorsSchema).query(({ ctx }) => listValidators(ctx)),

  putValidator: adminProcedure
    .input(putValidatorInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(putValidator(ctx, input))),

  removeValidator: adminProcedure
    .input(removeSourceInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removeValidator(ctx, input))),

  tryValidator: adminProcedure
    .input(tryValidatorInputSchema)
    .output(triedValidatorSchema)
    .mutation(({ ctx, input }) => tryValidator(ctx, input)),
});
