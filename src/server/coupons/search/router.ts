import { z } from 'zod';
import {
  countInputSchema,
  countSchema,
  searchHelpInputSchema,
  searchHelpSchema,
  suggestMerchantsInputSchema,
} from '#contract/coupons/search.ts';
import { countCoupons } from '#server/coupons/search/listing.ts';
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

  count: publicProcedure
    .meta({ fromReplica: true })
    .input(countInputSchema)
    .output(countSchema)
    .query(({ ctx, input }) => countCoupons(ctx, input)),
});
