import { openLegClaim } from '#server/domains/claims/legs.ts';
import type { Actor } from '#server/domains/context.ts';
import { actingAs, type TestContext } from './builders.ts';
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
