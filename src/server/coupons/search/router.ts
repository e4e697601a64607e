import { z } from 'zod';
import {
  estimateInputSchema,
  estimateSchema,
  searchHelpInputSchema,
  searchHelpSchema,
  suggestMerchantsInputSchema,
} from '#contract/coupons/search.ts';
import { estimateCoupons } from '#server/coupons/search/listing.ts';
import { publicProcedure, router } from '#server/trpc/procedures.ts';
import { searchHelp, suggestMerchants } from './service.ts';

/** What helps people to search; `coupons.list` is the search itself. */
export const searchRouter = router({
  merchants: publicProcedure
    .meta({ fromReplica: true })
    .input(suggestMerchantsInputSchema)
    .output(z.array(z.string()))
    .query(({ ctx, input }) => suggestMerchants(ctx, input)),

  help: publicProcedure
    .meta({ fromReplica: true })
    .input(searchHelpInputSchema)
    .output(searchHelpSchema)
    .query(({ ctx, input }) => searchHelp(ctx, input)),

  estimate: publicProcedure
    .meta({ fromReplica: true })
    .input(estimateInputSchema)
    .output(estimateSchema)
    .query(({ ctx, input }) => estimateCoupons(ctx, input)),
});
