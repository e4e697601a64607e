import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { listClaims } from '#server/money/claims/claims.ts';
import { protectionOf } from '#server/money/claims/protection.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import { codeOf } from '#tests/support/coupons.ts';
import { historyOf, noticesOf } from '#tests/support/exchanges.ts';
import {
  type AcceptedBid,
  bidStatusOf,
  bookedOf,
  couponOf,
  paymentOf,
  setUpMarket,
} from '#tests/support/payments.ts';
import { releaseDue } from './holds.ts';
import { confirmReceipt, decideClaim, openClaim, withdrawClaim } from './sale-claims.ts';

const HOUR = 1 / 24;
const REASON = 'The till says that this code was used last week.';

const market = setUpMarket();
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);
const claim = (bid: AcceptedBid) => openClaim(as(bid.buyer), { bidId: bid.id, reason: REASON });

async function decide(bid: AcceptedBid, decision: 'refund' | 'release') {
  const id = await staff.claimIdOf(bid);
  return decideClaim(as(staff.moderator), { id, decision, note: 'I have tried it myself.' });
}

async function toldTo(actor: Actor): Promise<string[]> {
  return (await noticesOf(market.ctx, actor)).map(({ content }) => content);
}

const title = ({ coupon }: AcceptedBid) => `“${coupon.title}”`;

describe.each(['stripe', 'paypal'] as const)('a sale by %s', (by) => {
  /** The seller's share of 10.00; PayPal keeps 60 cents of it. */
  const payout = by === 'stripe' ? '9.50' : '8.90';

  it('holds the money for 72 hours, then pays the seller [spec/2 4.17]', async () => {
    const bid = await market.paidBid({ by });
    const paidAt = market.ctx.clock();
    expect(await protectionOf(as(bid.seller), bid.id)).toMatchObject({
      status: 'held',
      provider: by,
      holdUntil: new Date(paidAt.getTime() + 72 * 3_600_000).toISOString(),
      claim: null,
      isDisputed: false,
    });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.buyer.id, heldBy: bid.id });
    expect(await codeOf(market.ctx, bid.buyer, bid.coupon.id)).toBe(bid.coupon.code);
    await expect(revealCode(as(bid.seller), bid.coupon.id)).rejects.toMatchObject({ code: 'forbidden' });

    market.ctx.clock.advanceDays(72 * HOUR - 1 / 86_400);
    await reconcilePayments(market.ctx);
    expect((await paymentOf(market.ctx, bid)).status).toBe('held');

    market.ctx.clock.advanceDays(1 / 86_400);
    await reconcilePayments(market.ctx);
    expect((await paymentOf(market.ctx, bid)).status).toBe('completed');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.buyer.id, heldBy: null });
    expect(await toldTo(bid.seller)).toEqual(
      expect.arrayContaining([
        `${bid.buyer.username} paid for ${title(bid)}. We hold your $9.50 CAD for 72 hours while they try the code.`,
        `The 72 hours for ${title(bid)} are over. Your $9.50 CAD is on its way.`,
      ]),
    );
    expect(await toldTo(bid.buyer)).toEqual(
      expect.arrayContaining([
        `You paid $10.50 CAD for ${title(bid)}. Try the code now: we hold the seller’s money for 72 hours.`,
        `The 72 hours for ${title(bid)} are over, and the sale is final.`,
      ]),
    );
    const paid = (await bookedOf(market.ctx, bid)).filter(({ journal }) => journal === 'payout');
    expect(paid.map(({ account, amount }) => [account, amount])).toEqual([
      ['provider_clearing', `-${payout}`],
      ['seller_payable', payout],
    ]);
  });

  it('pays the seller as soon as the buyer confirms [spec/2 4.17]', async () => {
    const bid = await market.paidBid({ by });
    expect(await confirmReceipt(as(bid.buyer), bid.id)).toMatchObject({ status: 'completed' });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.buyer.id, heldBy: null });
    expect(await toldTo(bid.seller)).toContain(
      `${bid.buyer.username} confirmed that the code of ${title(bid)} works. Your $9.50 CAD is on its way.`,
    );
    const actions = (await historyOf(market.ctx, bid.seller)).map(({ action }) => action);
    expect(actions.slice(-2)).toEqual(['payment', 'payment']);
    // Every later action is refused.
    const over = { code: 'payment_changed', message: 'We no longer hold the money of this sale.' };
    await expect(confirmReceipt(as(bid.buyer), bid.id)).rejects.toMatchObject(over);
    await expect(claim(bid)).rejects.toMatchObject(over);
    market.ctx.clock.advanceDays(4);
    await reconcilePayments(market.ctx);
    const payouts = (await bookedOf(market.ctx, bid)).filter(({ journal }) => journal === 'payout');
    expect(payouts).toHaveLength(2);
  });

  it('refunds the buyer in full when a claim is granted', async () => {
    const bid = await market.paidBid({ by });
    expect(await claim(bid)).toMatchObject({ status: 'held', claim: { status: 'open', reason: REASON } });
    market.ctx.clock.advanceDays(10);
    await reconcilePayments(market.ctx);
    expect((await paymentOf(market.ctx, bid)).status).toBe('held');

    expect(await decide(bid, 'refund')).toMatchObject({ status: 'refunded', buyerTotal: '10.50' });
    expect((await paymentOf(market.ctx, bid)).status).toBe('refunded');
    expect(await couponOf(market.ctx, bid)).toEqual({
      ownerId: bid.seller.id,
      isActive: false,
      heldBy: null,
    });
    expect(await codeOf(market.ctx, bid.seller, bid.coupon.id)).toBe(bid.coupon.code);
    await expect(revealCode(as(bid.buyer), bid.coupon.id)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await toldTo(bid.buyer)).toEqual(
      expect.arrayContaining([
        `Your claim about ${title(bid)} was upheld. You are getting $10.50 CAD back. A moderator writes: “I have tried it myself.”`,
        `You have been refunded $10.50 CAD for ${title(bid)}.`,
      ]),
    );
    expect(await toldTo(bid.seller)).toContain(
      `The sale of ${title(bid)} was undone. The coupon is yours again and is not listed.`,
    );
    const refund = (await bookedOf(market.ctx, bid)).filter(({ journal }) => journal === 'refund');
    expect(refund).toContainEqual({ journal: 'refund', account: 'provider_clearing', amount: '-10.50' });
    expect(refund).toContainEqual({ journal: 'refund', account: 'platform_fees', amount: '1.00' });
  });
});

describe('a claim', () => {
  it('can be withdrawn; the hold then continues', async () => {
    const bid = await market.paidBid();
    await claim(bid);
    await expect(withdrawClaim(as(bid.seller), bid.id)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await withdrawClaim(as(bid.buyer), bid.id)).toMatchObject({
      status: 'held',
      claim: { status: 'withdrawn' },
    });
    expect(await toldTo(bid.seller)).toContain(
      `${bid.buyer.username} withdrew their claim about ${title(bid)}.`,
    );
    await expect(withdrawClaim(as(bid.buyer), bid.id)).rejects.toMatchObject({
      code: 'payment_changed',
      message: 'There is no open claim to withdraw.',
    });
    await expect(claim(bid)).rejects.toMatchObject({ message: 'You can make only one claim for each sale.' });
    market.ctx.clock.advanceDays(3);
    await reconcilePayments(market.ctx);
    expect((await paymentOf(market.ctx, bid)).status).toBe('completed');
  });

  it('is shown to moderators with people, coupon and amount, oldest first', async () => {
    const bids = [await market.paidBid({ amount: 310 }), await market.paidBid()];
    for (const bid of bids) await claim(bid);
    const { items } = await listClaims(as(staff.moderator), { onlyOpen: true, page: 1, limit: 100 });
    const [first, second] = bids;
    expect(items.slice(-2).map(({ bidId }) => bidId)).toEqual([first?.id, second?.id]);
    expect(items.at(-2)).toMatchObject({
      status: 'open',
      reason: REASON,
      buyerTotal: '3.26',
      couponTitle: first?.coupon.title,
      merchant: first?.coupon.merchant,
      claimantUsername: first?.buyer.username,
      giverUsername: first?.seller.username,
      isDisputed: false,
      decidedAt: null,
    });
    const all = await listClaims(as(staff.moderator), { onlyOpen: false, page: 1, limit: 2 });
    expect(all.items.map(({ bidId }) => bidId)).toEqual([second?.id, first?.id]);
    for (const bid of bids) await withdrawClaim(as(bid.buyer), bid.id);
  });
});

describe('the end of a hold', () => {
  it('releases the money once, even if two processes find it at once', async () => {
    const bid = await market.paidBid();
    market.ctx.clock.advanceDays(3);
    const counts = await Promise.all([releaseDue(market.ctx), releaseDue(market.ctx)]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1);
    const told = (await toldTo(bid.seller)).filter((text) => text.startsWith('The 72 hours'));
    expect(told).toHaveLength(1);
    expect((await paymentOf(market.ctx, bid)).status).toBe('releasing');
    await Promise.all([reconcilePayments(market.ctx), reconcilePayments(market.ctx)]);
    expect((await paymentOf(market.ctx, bid)).status).toBe('completed');
    expect(await bidStatusOf(market.ctx, bid)).toBe('completed');
  });
});
