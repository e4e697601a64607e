import { beforeAll } from 'vitest';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Actor } from '#server/context/context.ts';
import { answerClaim, listClaims } from '#server/money/claims/claims.ts';
import { openLegClaim } from '#server/money/claims/leg-claims.ts';
import { confirmReceipt, decideClaim } from '#server/money/claims/sale-claims.ts';
import { actingAs, createUser, type TestContext } from './builders.ts';
import type { AcceptedBid, Market } from './payments.ts';
import { completeExchange } from './ratings.ts';

/** Completes an exchange of two people and lets the requester claim. @returns the claim's id */
export async function insertLegClaim(
  ctx: TestContext,
  requester: Actor,
  owner: Actor,
  pictures: string[] = [],
): Promise<number> {
  const { dealId: exchangeId } = await completeExchange(ctx, requester, owner);
  const leg = await ctx.db
    .selectFrom('exchangeLegs')
    .select('couponId')
    .where('exchangeId', '=', exchangeId)
    .where('receiverId', '=', requester.id)
    .executeTakeFirstOrThrow();
  const input = { exchangeId, couponId: leg.couponId, reason: 'The till did not take it.', pictures };
  const claims = await openLegClaim(actingAs(ctx, requester), input);
  return claims.find(({ claim }) => claim !== null)?.claim?.id ?? 0;
}

/**
 * A sale of 10.00, unless another amount is given, that is final: its hold has passed, as far as the reserve knows, while no
 * clock has moved; or its buyer has said early that the code works.
 */
export async function finalSale(
  market: Market,
  given: {
    amount?: number;
    seller?: Actor;
    buyer?: Actor;
    by?: PaymentProviderName;
    isConfirmed?: boolean;
  } = {},
): Promise<AcceptedBid> {
  const { by = 'stripe', isConfirmed = false, ...people } = given;
  const bid = await market.acceptedBid(people);
  await (by === 'stripe' ? market.payByCard(bid) : market.payByPaypal(bid));
  await confirmReceipt(actingAs(market.ctx, bid.buyer), bid.id);
  if (!isConfirmed)
    await market.ctx.db
      .updateTable('paymentTransactions')
      .set({ confirmedAt: null })
      .where('bidId', '=', bid.id)
      .execute();
  return bid;
}

/** A moderator and an admin of the market, and what moderators do with claims about sales. */
export function setUpStaff(market: Market) {
  const staff = {
    moderator: {} as Actor,
    admin: {} as Actor,
    /** The open claim about a sale. */
    async claimOf({ id }: AcceptedBid) {
      const filter = { onlyOpen: true, page: 1, limit: 100 };
      const { items } = await listClaims(actingAs(market.ctx, staff.moderator), filter);
      return items.find(({ bidId }) => bidId === id);
    },
    claimIdOf: async (bid: AcceptedBid) => (await staff.claimOf(bid))?.id ?? 0,
    /** The seller answers the claim about a sale, and the moderator decides it. */
    async decide(bid: AcceptedBid, decision: 'refund' | 'release' = 'refund') {
      const id = await staff.claimIdOf(bid);
      await answerClaim(actingAs(market.ctx, bid.seller), { id, answer: 'It worked for me.' });
      const note = 'The shop confirms it.';
      return decideClaim(actingAs(market.ctx, staff.moderator), { id, decision, note });
    },
  };
  beforeAll(async () => {
    staff.moderator = await createUser(market.ctx, { role: 'moderator' });
    staff.admin = await createUser(market.ctx, { role: 'admin' });
  });
  return staff;
}
