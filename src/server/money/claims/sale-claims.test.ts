import { describe, expect, it } from 'vitest';
import { utcDayAndTime } from '#contract/base/locale.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { answerClaim, countClaims, listClaims } from '#server/money/claims/claims.ts';
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

    const id = await staff.claimIdOf(bid);
    const given = { id, decision: 'refund', note: 'I have tried it myself.' } as const;
    expect(await decideClaim(as(staff.moderator), given)).toMatchObject({
      status: 'refunded',
      buyerTotal: '10.50',
    });
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

  it.each(['refund', 'release'] as const)(
    'asks the seller for their word, and a %s waits for it, for 72 hours',
    async (decision) => {
      const [answered, silent] = [await market.paidBid(), await market.paidBid()];
      const at = market.ctx.clock();
      for (const bid of [answered, silent]) await claim(bid);
      expect(await toldTo(answered.seller)).toContain(
        `${answered.buyer.username} says that the code of ${title(answered)} does not work. Please tell us what you know about it within 72 hours. Then a moderator decides. We hold your $9.50 CAD until then.`,
      );
      const { claim: seen } = await protectionOf(as(answered.seller), answered.id);
      expect(seen?.answerBy).toBe(addDays(at, 3).toISOString());
      const verdict = async (bid: AcceptedBid) => {
        const given = { id: await staff.claimIdOf(bid), decision, note: 'It is so.' };
        return (await decideClaim(as(staff.moderator), given)).status;
      };
      const [day, time] = utcDayAndTime(addDays(at, 3).toISOString());
      const awaited = {
        code: 'payment_changed',
        message: `The other person can answer until ${day}, ${time} UTC. You can decide after that, or once they have answered.`,
      };
      for (const bid of [answered, silent]) await expect(verdict(bid)).rejects.toMatchObject(awaited);
      const id = await staff.claimIdOf(answered);
      await answerClaim(as(answered.seller), { id, answer: 'I have not used it.' });
      const end = decision === 'refund' ? 'refunded' : 'released';
      expect(await verdict(answered)).toBe(end);
      market.ctx.clock.advanceDays(3 - 1 / 86_400);
      await expect(verdict(silent)).rejects.toMatchObject(awaited);
      market.ctx.clock.advanceDays(1 / 86_400);
      expect(await verdict(silent)).toBe(end);
    },
  );

  it('is among those that can be decided now once it is answered, before those that wait', async () => {
    const bids = [await market.paidBid(), await market.paidBid(), await market.paidBid()];
    const [first, second, third] = bids.map(({ id }) => id);
    for (const bid of bids) await claim(bid);
    const listed = async (waitsFor?: 'decision' | 'answer') => {
      const filter = { onlyOpen: true, waitsFor, page: 1, limit: 100 };
      const { items, total } = await listClaims(as(staff.moderator), filter);
      expect(total).toBe(items.length);
      return items.map(({ bidId }) => bidId);
    };
    expect(await listed()).toEqual([first, second, third]);
    expect(await listed('decision')).toEqual([]);
    const [, , last] = bids;
    if (last) await answerClaim(as(last.seller), { id: await staff.claimIdOf(last), answer: 'It works.' });
    expect(await listed()).toEqual([third, first, second]);
    expect(await listed('decision')).toEqual([third]);
    expect(await listed('answer')).toEqual([first, second]);
    expect(await countClaims(as(staff.moderator))).toEqual({ decision: 1, answer: 2 });
    const page = await listClaims(as(staff.moderator), { onlyOpen: true, page: 1, limit: 2 });
    const rest = { onlyOpen: true, page: page.nextCursor ?? '', limit: 2 };
    expect((await listClaims(as(staff.moderator), rest)).items.map(({ bidId }) => bidId)).toEqual([second]);
    market.ctx.clock.advanceDays(3);
    expect(await listed()).toEqual([first, second, third]);
    expect(await countClaims(as(staff.moderator))).toEqual({ decision: 3, answer: 0 });
    for (const bid of bids) await withdrawClaim(as(bid.buyer), bid.id);
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
