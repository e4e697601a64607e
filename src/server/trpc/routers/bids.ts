import {
  bidSchema,
  listBidsInputSchema,
  placeBidInputSchema,
  setBidStatusInputSchema,
} from '#contract/bids.ts';
import { idInputSchema, pageSchema } from '#contract/primitives.ts';
import { bidById, listBids, placeBid, setBidStatus } from '#server/domains/bids/service.ts';
import { activeMemberProcedure, memberProcedure, router } from '../procedures.ts';

/** Money offered for coupons; each call sees only what the caller has placed or received. */
export const bidsRouter = router({
  list: memberProcedure
    .input(listBidsInputSchema)
    .output(pageSchema(bidSchema))
    .query(({ ctx, input }) => listBids(ctx, input)),

  byId: memberProcedure
    .input(idInputSchema)
    .output(bidSchema)
    .query(({ ctx, input }) => bidById(ctx, input.id)),

  place: activeMemberProcedure
    .input(placeBidInputSchema)
    .output(bidSchema)
    .mutation(({ ctx, input }) => placeBid(ctx, input)),

  setStatus: activeMemberProcedure
    .input(setBidStatusInputSchema)
    .output(bidSchema)
    .mutation(({ ctx, input }) => setBidStatus(ctx, input)),
});
