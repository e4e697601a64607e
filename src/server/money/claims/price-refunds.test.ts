import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { markUsed } from '#server/deals/coupon-changes/service.ts';
import { answerClaim } from '#server/money/claims/claims.ts';
import {
  claimsOfExchange,
  decideLegClaim,
  openLegClaim,
  withdrawLegClaim,
} from '#server/money/claims/leg-claims.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import { swapAway } from '#tests/support/exchanges.ts';
import { acceptedRing, acceptedSwap, ownersOf } from '#tests/support/leg-prices.ts';
import { type AcceptedBid, couponOf, setUpMarket } from '#tests/support/payments.ts';
import { confirmReceipt, openClaim } from './sale-claims.ts';

const market = setUpMarket();
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);

const passOn = ({ bid: { buyer, coupon } }: { bid: AcceptedBid }) => swapAway(market.ctx, buyer, coupon);

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
    decideLegClaim(as(staff.moderator), { id, decision, note: 'So be it.' });

  it.each(['card', 'paypal'] as const)(
    'holds the money and the coupon, paid by %s; upheld, both go back and the other coupon stays',
    async (by) => {
      const swap = await claimed(by);
      await expect(passOn(swap)).rejects.toMatchObject({ code: 'coupon_reserved' });
      await decide(swap.claimId, 'upheld');
      await market.passDays(0);
      expect(await market.statusOf(swap.bid)).toBe('refunded');
      expect(await ownersOf(market.ctx, swap)).toEqual([1, 1]);
      expect(await couponOf(market.ctx, swap.bid)).toMatchObject({ isActive: false, heldBy: null });
      expect(await market.broken()).toEqual([]);
    },
  );

  it('is refused once the coupon is used or passed on', async () => {
    const [used, passed] = [await acceptedSwap(market), await acceptedSwap(market)];
    for (const { bid } of [used, passed]) await market.payByCard(bid);
    await markUsed(as(used.bid.buyer), used.bid.coupon.id);
    await passOn(passed);
    for (const { id, bid } of [used, passed]) {
      const about = { exchangeId: id, couponId: bid.coupon.id };
      await expect(openLegClaim(as(bid.buyer), { ...about, reason: REASON })).rejects.toMatchObject({
        code: 'deal_changed',
        message: 'You have used this coupon or passed it on, so we cannot refund what you paid for it.',
      });
      expect((await claimsOfExchange(as(bid.buyer), id)).some(({ mayClaim }) => mayClaim)).toBe(false);
    }
  });

  it('refused or withdrawn, the money is paid out', async () => {
    const [one, other] = [await claimed(), await claimed()];
    await decide(one.claimId, 'refused');
    await withdrawLegClaim(as(other.bid.buyer), other.claimId);
    await market.passDays(0);
    expect([await market.statusOf(one.bid), await market.statusOf(other.bid)]).toEqual([
      'completed',
      'completed',
    ]);
    for (const swap of [one, other]) await passOn(swap);
    expect(await market.broken()).toEqual([]);
  });

  it('upheld, frees no other coupon of the exchange that a claim holds', async () => {
    const ring = await acceptedRing(market);
    const [first, second] = ring.bids;
    if (!first || !second) throw new Error('Two people pay');
    for (const bid of [first, second]) await market.payByCard(bid);
    for (const { buyer, coupon } of [first, second])
      await openLegClaim(as(buyer), { exchangeId: ring.id, couponId: coupon.id, reason: REASON });
    const claims = await claimsOfExchange(as(first.buyer), ring.id);
    const id = claims.find(({ couponId }) => couponId === first.coupon.id)?.claim?.id ?? 0;
    await answerClaim(as(first.seller), { id, answer: 'It worked for me.' });
    await decide(id, 'upheld');
    await market.passDays(0);
    expect(await market.statusOf(first)).toBe('refunded');
    await expect(passOn({ bid: second })).rejects.toMatchObject({ code: 'coupon_reserved' });
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
    expect(await ownersOf(market.ctx, swap)).toEqual([1, 1]);
    expect(await market.broken()).toEqual([]);
  });
});
