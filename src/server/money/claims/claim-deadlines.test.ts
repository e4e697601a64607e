import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { listPaymentIssues } from '#server/money/payment-issues/service.ts';
import { stopClock } from '#server/people/clocks/clock-stops.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { insertLegClaim, setUpStaff } from '#tests/support/claims.ts';
import { type AcceptedBid, couponOf, paymentOf, setUpMarket, totalsOfBid } from '#tests/support/payments.ts';
import { answerClaim, listClaims } from './claims.ts';
import { appealClaim, keepClaimDeadlines } from './deadlines.ts';
import { decideClaim, openClaim } from './sale-claims.ts';

const market = setUpMarket();
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);

async function claimed(
  by: 'stripe' | 'paypal',
  people: { seller?: Actor; buyer?: Actor } = {},
): Promise<AcceptedBid> {
  const bid = await market.paidBid({ by, ...people });
  await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The till does not take it.' });
  return bid;
}

const toldOf = async (who: Actor, { coupon }: AcceptedBid, words: string) =>
  (await market.textsFor(who)).filter((text) => text.includes(`“${coupon.title}”`) && text.includes(words));

const claimRow = async ({ id }: AcceptedBid) => {
  const { items } = await listClaims(as(staff.moderator), { onlyOpen: false, page: 1, limit: 100 });
  const claim = items.find(({ bidId }) => bidId === id);
  if (!claim) throw new Error('There is no claim');
  return claim;
};

describe('a claim that nobody decides', () => {
  it('is brought to mind on day three, announced on day five and ends on day seven: without an answer for the claimant', async () => {
    const seller = await market.readySeller();
    await market.ctx.db.updateTable('users').set({ role: 'moderator' }).where('id', '=', seller.id).execute();
    const bid = await claimed('stripe', { seller });
    await market.passDays(2.9);
    expect(await toldOf(staff.moderator, bid, 'is still open')).toEqual([]);
    await market.passDays(0.2);
    await market.passDays(0.5);
    expect(await toldOf(staff.moderator, bid, 'is still open')).toHaveLength(1);
    expect(await toldOf(seller, bid, 'is still open')).toEqual([]);
    await market.passDays(1.6);
    expect(await toldOf(staff.admin, bid, 'No moderator has decided')).toHaveLength(1);
    expect(await toldOf(staff.moderator, bid, 'No moderator has decided')).toEqual([]);
    expect(await toldOf(bid.buyer, bid, 'it will be upheld.')).toHaveLength(1);
    expect(await toldOf(seller, bid, 'ask an admin to look at it until then')).toHaveLength(1);
    expect((await claimRow(bid)).announcedEnd).toMatchObject({ isGranted: true, isAppealed: false });
    await expect(appealClaim(as(bid.buyer), (await claimRow(bid)).id)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await market.passDays(1.9);
    expect(await market.statusOf(bid)).toBe('held');
    await market.passDays(0.2);
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 1_050, transferred: 0 });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: seller.id });
    const note = 'Nobody decided this claim in time, so it has ended by our rule for such claims.';
    expect(await claimRow(bid)).toMatchObject({ status: 'refunded', note, announcedEnd: null });
    expect(await toldOf(bid.buyer, bid, note)).toHaveLength(1);
    // Once in 90 days.
    const second = await claimed('stripe', { buyer: bid.buyer });
    await market.passDays(5.1);
    expect((await claimRow(second)).announcedEnd).toBeNull();
  });

  it('ends for an answer of somebody whose record is as good, and the seller is paid', async () => {
    const bid = await claimed('stripe');
    await answerClaim(as(bid.seller), { id: (await claimRow(bid)).id, answer: 'It worked for me.' });
    await market.passDays(5.1);
    expect(await toldOf(bid.seller, bid, 'it will be declined.')).toHaveLength(1);
    await market.passDays(2);
    expect(await market.statusOf(bid)).toBe('completed');
    expect(await claimRow(bid)).toMatchObject({ status: 'released' });
  });

  it('stays with the admins once its loser has asked for it, who are told each day', async () => {
    const bid = await claimed('stripe');
    const { id } = await claimRow(bid);
    await expect(appealClaim(as(bid.seller), id)).rejects.toMatchObject({ code: 'deal_changed' });
    await market.passDays(5.1);
    await appealClaim(as(bid.seller), id);
    await expect(appealClaim(as(bid.seller), id)).rejects.toMatchObject({ code: 'deal_changed' });
    for (let day = 0; day < 3; day += 1) await market.passDays(1);
    expect(await toldOf(staff.admin, bid, 'waits for an admin')).toHaveLength(3);
    expect(await market.statusOf(bid)).toBe('held');
    await decideClaim(as(staff.admin), { id, decision: 'release', note: 'It works.' });
    expect(await market.statusOf(bid)).toBe('completed');
  });

  it('waits while a bank disputes the payment', async () => {
    const bid = await claimed('stripe');
    const dispute = await market.stripe.openDispute(
      (await paymentOf(market.ctx, bid)).stripePaymentIntentId ?? '',
    );
    await market.deliverAll();
    await market.passDays(9);
    expect(await claimRow(bid)).toMatchObject({ status: 'open', announcedEnd: null });
    await market.stripe.closeDispute(dispute, 'won');
    await market.deliverAll();
    await market.passDays(0.1);
    expect((await claimRow(bid)).announcedEnd).not.toBeNull();
  });

  it('stays with the admins if it cannot end as announced', async () => {
    const bid = await claimed('stripe');
    await market.passDays(5.1);
    market.ctx.clock.advanceDays(2);
    // As if the sale were final: there is nothing to end then.
    const claim = market.ctx.db.updateTable('claims').where('bidId', '=', bid.id);
    await claim.set({ isLate: true }).execute();
    await keepClaimDeadlines(market.ctx);
    await claim.set({ isLate: false }).execute();
    await keepClaimDeadlines(market.ctx);
    expect(await claimRow(bid)).toMatchObject({ status: 'open', announcedEnd: null });
    expect(await toldOf(staff.admin, bid, 'waits for an admin')).toHaveLength(1);
  });

  it('about a swap ends so, too: the code counts as failed', async () => {
    const [claimant, giver] = [await createUser(market.ctx), await createUser(market.ctx)];
    const id = await insertLegClaim(market.ctx, claimant, giver);
    await market.passDays(5.1);
    await market.passDays(2);
    const { items } = await listClaims(as(staff.moderator), { onlyOpen: false, page: 1, limit: 100 });
    expect(items.find((claim) => claim.id === id)).toMatchObject({ status: 'upheld' });
    const row = market.ctx.db.selectFrom('users').select('failedCodes').where('id', '=', giver.id);
    expect(await row.executeTakeFirstOrThrow()).toEqual({ failedCodes: 1 });
  });
});

it('a claim about a sale by PayPal that stays with the admins is refunded on day 26, before PayPal pays the seller', async () => {
  const bid = await claimed('paypal');
  await market.passDays(5.1);
  await appealClaim(as(bid.seller), (await claimRow(bid)).id);
  await market.passDays(20.8);
  expect(await market.statusOf(bid)).toBe('held');
  await market.passDays(0.2);
  expect(await market.statusOf(bid)).toBe('refunded');
  expect(await market.textsFor(bid.buyer)).toContain(
    `No one decided your claim about “${bid.coupon.title}” in time, so it was upheld. You are getting $10.50 CAD back.`,
  );
  expect(await claimRow(bid)).toMatchObject({
    status: 'refunded',
    note: 'Nobody decided this claim in time.',
  });
  // On day 28 PayPal has nothing left to pay.
  const capture = (await paymentOf(market.ctx, bid)).paypalCaptureId ?? '';
  await expect(market.paypal.disburse(capture)).rejects.toThrow('Nothing is held');
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
