import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { listClaims } from '#server/money/claims/claims.ts';
import { listPaymentIssues } from '#server/money/payment-issues/service.ts';
import { stopClock } from '#server/people/clocks/clock-stops.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import { type AcceptedBid, couponOf, paymentOf, setUpMarket, totalsOfBid } from '#tests/support/payments.ts';
import { decideClaim, openClaim } from './sale-claims.ts';

const market = setUpMarket();
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);

async function claimed(by: 'stripe' | 'paypal'): Promise<AcceptedBid> {
  const bid = await market.paidBid({ by });
  await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The till does not take it.' });
  return bid;
}

const reminders = async (who: Actor, { coupon }: AcceptedBid) =>
  (await market.textsFor(who)).filter((text) => text.includes(`“${coupon.title}” is still open`));

describe('an open claim about a sale by PayPal', () => {
  it('is brought to mind on day 21, and refunded on day 26, before PayPal pays the seller', async () => {
    const seller = await market.readySeller();
    await market.ctx.db.updateTable('users').set({ role: 'moderator' }).where('id', '=', seller.id).execute();
    const bid = await market.paidBid({ by: 'paypal', seller });
    await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The till does not take it.' });
    await market.passDays(20.9);
    expect(await reminders(staff.moderator, bid)).toEqual([]);
    await market.passDays(0.2);
    await market.passDays(1);
    expect(await reminders(staff.moderator, bid)).toHaveLength(1);
    expect(await reminders(seller, bid)).toEqual([]);
    await market.passDays(3.8);
    expect(await market.statusOf(bid)).toBe('held');
    await market.passDays(0.2);
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 1_050, transferred: 0 });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: seller.id });
    expect(await market.textsFor(bid.buyer)).toContain(
      `No one decided your claim about “${bid.coupon.title}” in time, so it was upheld. You are getting $10.50 CAD back.`,
    );
    const { items } = await listClaims(as(staff.moderator), { onlyOpen: false, page: 1, limit: 10 });
    expect(items).toMatchObject([
      { bidId: bid.id, status: 'refunded', note: 'Nobody decided this claim in time.' },
    ]);
    // On day 28 PayPal has nothing left to pay.
    const capture = (await paymentOf(market.ctx, bid)).paypalCaptureId ?? '';
    await expect(market.paypal.disburse(capture)).rejects.toThrow('Nothing is held');
  });
});

describe('the hold of a buyer who is banned and has got no link', () => {
  const banned = async (by: 'stripe' | 'paypal') => {
    const bid = await market.paidBid({ by });
    await inTransaction(market.ctx.db, (trx) =>
      stopClock(trx, { userId: bid.buyer.id, cause: 'banned', at: market.ctx.clock() }),
    );
    return bid;
  };

  it('ends with a refund on day 26 at PayPal, before PayPal pays the seller', async () => {
    const bid = await banned('paypal');
    await market.passDays(25.9);
    expect(await market.statusOf(bid)).toBe('held');
    await market.passDays(0.2);
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await market.textsFor(bid.buyer)).toContain(
      `We could not ask you whether the code of “${bid.coupon.title}” works, so you are getting $10.50 CAD back.`,
    );
  });

  it('is an admin’s issue at Stripe', async () => {
    const bid = await banned('stripe');
    await market.passDays(26.1);
    expect(await market.statusOf(bid)).toBe('held');
    const admin = await createUser(market.ctx, { role: 'admin' });
    const { items } = await listPaymentIssues(as(admin), { isHandled: false, page: 1, limit: 10 });
    expect(items).toMatchObject([{ kind: 'review', bidId: bid.id, buyer: { id: bid.buyer.id } }]);
  });
});

it('a claim about a sale by Stripe stays open until it is decided', async () => {
  const bid = await claimed('stripe');
  await market.passDays(40);
  expect(await market.statusOf(bid)).toBe('held');
  expect(await reminders(staff.moderator, bid)).toEqual([]);
  const { items } = await listClaims(as(staff.moderator), { onlyOpen: true, page: 1, limit: 10 });
  await decideClaim(as(staff.moderator), { id: items[0]?.id ?? 0, decision: 'release', note: 'It works.' });
  expect(await market.statusOf(bid)).toBe('completed');
});
