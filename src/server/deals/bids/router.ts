import { idInputSchema, type Page, pageSchema } from '#contract/base/primitives.ts';
import {
  type Bid,
  bidSchema,
  buyInputSchema,
  counterBidInputSchema,
  listBidsInputSchema,
  placeBidInputSchema,
  setBidStatusInputSchema,
} from '#contract/deals/bids.ts';
import { priceHintSchema } from '#contract/deals/price-hint.ts';
import type { MemberContext } from '#server/context/context.ts';
import { activeMemberProcedure, memberProcedure, publicProcedure, router } from '#server/trpc/procedures.ts';
import { bidById, buyCoupon, counterBid, listBids, placeBid, setBidStatus } from './service.ts';
import { priceHint } from './sold-prices.ts';

type PlainBid = Awaited<ReturnType<typeof bidById>>;

/** What adds the protection of its sale to a bid. Deals do not know payments: `router.ts` hands it to them. */
interface Protection {
  readonly bidWithProtection: (ctx: MemberContext, bid: Promise<PlainBid>) => Promise<Bid>;
  readonly bidsWithProtection: (ctx: MemberContext, bids: Promise<Page<PlainBid>>) => Promise<Page<Bid>>;
}

/** Bids on coupons; each call but `priceHint` only shows bids that the caller has placed or received. */
export const bidsRouter = ({ bidWithProtection, bidsWithProtection }: Protection) =>
  router({
    list: memberProcedure
      .meta({ summary: 'The bids that the caller has placed or received' })
      .input(listBidsInputSchema)
      .output(pageSchema(bidSchema))
      .query(({ ctx, input }) => bidsWithProtection(ctx, listBids(ctx, input))),

    byId: memberProcedure
      .meta({ summary: 'One bid' })
      .input(idInputSchema)
      .output(bidSchema)
      .query(({ ctx, input }) => bidWithProtection(ctx, bidById(ctx, input.id))),

    priceHint: publicProcedure
      .meta({ summary: 'What coupons of the merchant of this coupon have sold for', fromReplica: true })
      .input(idInputSchema)
      .output(priceHintSchema.nullable())
      .query(({ ctx, input }) => priceHint(ctx, input.id)),

    place: activeMemberProcedure
      .meta({ summary: 'Bids on a coupon' })
      .input(placeBidInputSchema)
      .output(bidSchema)
      .mutation(({ ctx, input }) => bidWithProtection(ctx, placeBid(ctx, input))),

    buy: activeMemberProcedure
      .meta({ summary: 'Bids the asking price of a coupon; such a bid is usually accepted at once' })
      .input(buyInputSchema)
      .output(bidSchema)
      .mutation(({ ctx, input }) => bidWithProtection(ctx, buyCoupon(ctx, input))),

    counter: activeMemberProcedure
      .meta({ summary: 'Answers a bid with another amount' })
      .input(counterBidInputSchema)
      .output(bidSchema)
      .mutation(({ ctx, input }) => bidWithProtection(ctx, counterBid(ctx, input))),

    setStatus: activeMemberProcedure
      .meta({ summary: 'Accepts, rejects or cancels a bid' })
      .input(setBidStatusInputSchema)
      .output(bidSchema)
      .mutation(({ ctx, input }) => bidWithProtection(ctx, setBidStatus(ctx, input))),
  });
