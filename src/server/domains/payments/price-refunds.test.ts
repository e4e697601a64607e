import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, utcDay } from '#server/core/clock.ts';
import type { Actor } from '#server/domains/context.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { acceptedSwap, ownersOf } from '#server/testing/leg-prices.ts';
import { setUpMarket } from '#server/testing/payments.ts';
import { claimsOfExchange, decideLegClaim, openLegClaim, withdrawLegClaim } from '../claims/legs.ts';
import { answerClaim } from '../claims/service.ts';
import { refundPrice } from './price-refunds.ts';
import { confirmReceipt, openClaim } from './protection.ts';

const market = setUpMarket();
let moderator: Actor;

beforeAll(async () => {
  moderator = await createUser(market.ctx, { role: 'moderator' });
});

const as = (actor: Actor) => actingAs(market.ctx, actor);

describe('a claim about a coupon that was paid for in an exchange', () => {
  const REASON = 'The till says that it was used.';

  async function claimed(by: 'card' | 'paypal' = 'card') {
    const swap = await acceptedSwap(market);
    await (by === 'card' ? market.payByCard(swap.bid) : market.payByPaypal(swap.bid));
    const { bid } = swap;
    await expect(openClaim(as(bid.buyer), { bidId: bid.id, reason: REASON })).rejects.toMatchObject({
      code: 'payment_changed',
    });
    await expect(confirmReceipt(as(bid.buyer), bid.id)).rejects.toMatchObject({ code: 'payment_changed' });
    const about = { exchangeId: swap.id, couponId: bid.coupon.id };
    await openLegClaim(as(bid.buyer), { ...about, reason: REASON });
    const claims = await claimsOfExchange(as(bid.buyer), swap.id);
    const id = claims.find(({ couponId }) => couponId === bid.coupon.id)?.claim?.id ?? 0;
    await answerClaim(as(bid.seller), { id, answer: 'It worked for me.' });
    await market.passDays(4);
    expect(await market.statusOf(bid)).toBe('held');
    return { ...swap, claimId: id };
  }
  const decide = (id: number, decision: 'upheld' | 'refused') =>
    decideLegClaim(as(moderator), { id, decision, note: 'So be it.' }, refundPrice);

  it.each(['card', 'paypal'] as const)(
    'holds the money, paid by %s; upheld, all of it goes back and the coupons stay',
    async (by) => {
      const swap = await claimed(by);
      await decide(swap.claimId, 'upheld');
      await market.passDays(0);
      expect(await market.statusOf(swap.bid)).toBe('refunded');
      expect(await ownersOf(market.ctx, swap)).toEqual([1, 0]);
      expect(await market.broken()).toEqual([]);
    },
  );

  it('refused or withdrawn, the money is paid out', async () => {
    const [one, other] = [await claimed(), await claimed()];
    await decide(one.claimId, 'refused');
    await withdrawLegClaim(as(other.bid.buyer), other.claimId);
    await market.passDays(0);
    expect([await market.statusOf(one.bid), await market.statusOf(other.bid)]).toEqual([
      'completed',
      'completed',
    ]);
    expect(await market.broken()).toEqual([]);
  });

  it('upheld after the payout, takes the money back', async () => {
    const swap = await acceptedSwap(market);
    await market.payByCard(swap.bid);
    // Whoever is away has longer to claim than the money is held.
    await market.ctx.db
      .updateTable('users')
      .set({ awaySince: market.ctx.clock(), awayUntil: utcDay(addDays(market.ctx.clock(), 5)) })
      .where('id', '=', swap.bid.buyer.id)
      .execute();
    await market.passDays(3);
    expect(await market.statusOf(swap.bid)).toBe('completed');
    const about = { exchangeId: swap.id, couponId: swap.bid.coupon.id };
    const claims = await openLegClaim(as(swap.bid.buyer), { ...about, reason: REASON });
    const id = claims.find(({ claim }) => claim !== null)?.claim?.id ?? 0;
    await answerClaim(as(swap.bid.seller), { id, answer: 'It worked for me.' });
    await decide(id, 'upheld');
    await market.passDays(0);
    expect(await market.statusOf(swap.bid)).toBe('refunded');
    expect(await ownersOf(market.ctx, swap)).toEqual([1, 0]);
    expect(await market.broken()).toEqual([]);
  });
});
