import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { markUsed } from '#server/deals/coupon-changes/service.ts';
import { coverFromReserve } from '#server/money/books/reserve.ts';
import { countFinalPurchases, readReserve } from '#server/money/books/reserve-store.ts';
import { protectionOf } from '#server/money/claims/protection.ts';
import { sellerDebts } from '#server/money/debts/service.ts';
import { follow } from '#server/money/payments/service.ts';
import { deleteAccount } from '#server/oversight/moderation/leaving.ts';
import { actingAs, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { finalSale, setUpStaff } from '#tests/support/claims.ts';
import { insertImage } from '#tests/support/images.ts';
import {
  type AcceptedBid,
  bookedOf,
  couponOf,
  paymentOf,
  setUpMarket,
  totalsOfBid,
} from '#tests/support/payments.ts';
import { settleDebt } from '../payments/admin.ts';
import { type LockedPayment, lockPaymentWithDeal } from '../payments/facts.ts';
import { confirmReceipt, decideClaim, openClaim } from './sale-claims.ts';

const market = setUpMarket({ config: { guarantee: { days: 7, reservePercent: 20 } } });
const REASON = 'The till says that this code was cancelled.';
const SHOP = 'The shop has cancelled all codes of May.';
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);
const seen = (bid: AcceptedBid, by = bid.buyer) => protectionOf(as(by), bid.id);
const reserve = () => readReserve(market.ctx.db);
const claim = (
  bid: AcceptedBid,
  given: { pictures?: string[]; shopAnswer?: string } = { shopAnswer: SHOP },
) => openClaim(as(bid.buyer), { bidId: bid.id, reason: REASON, ...given });

/** Fills the reserve by sales of 2,000.00, of which 40.00 go there. */
async function fill(sales = 1) {
  for (let sale = 0; sale < sales; sale += 1) await finalSale(market, { amount: 200_000 });
}

/** A sale whose buyer has claimed late, and whose seller has nothing left at Stripe. */
async function claimedOfPoorSeller(given: Parameters<typeof finalSale>[1] = {}) {
  const bid = await finalSale(market, given);
  await market.stripe.payOutToBank((await paymentOf(market.ctx, bid)).receiverAccount);
  await claim(bid);
  return bid;
}

describe('the reserve', () => {
  it('gets its part of the fees when a sale is final, and gives it back with a refund', async () => {
    const before = await reserve();
    const bid = await market.paidBid();
    expect(await reserve()).toBe(before);
    await confirmReceipt(as(bid.buyer), bid.id);
    expect(await reserve()).toBe(before + 20);
    expect((await bookedOf(market.ctx, bid)).filter(({ journal }) => journal === 'reserve')).toEqual([
      { journal: 'reserve', account: 'platform_fees', amount: '0.20' },
      { journal: 'reserve', account: 'reserve', amount: '-0.20' },
    ]);
    const { stripePaymentIntentId } = await paymentOf(market.ctx, bid);
    await market.stripe.refund(stripePaymentIntentId ?? '', { amount: 525 });
    await market.deliverAll();
    expect(await reserve()).toBe(before + 10);
    await market.stripe.refund(stripePaymentIntentId ?? '', { amount: 525 });
    await market.deliverAll();
    expect(await reserve()).toBe(before);
  });

  it('is refused below zero by the database, and its row stays', async () => {
    const bid = await market.paidBid();
    const { id } = await paymentOf(market.ctx, bid);
    const take = inTransaction(market.ctx.db, async (trx) => {
      await sql`insert into ledger_accounts (kind) values ('advances') on conflict do nothing`.execute(trx);
      await sql`with journal as (
        insert into ledger_journals (kind, payment_id, amount, sequence, created_at)
        values ('cover', ${id}, 99999, 1, now()) returning id)
        insert into ledger_entries (journal_id, account_id, amount)
        select journal.id, account.id, case account.kind when 'reserve' then 99999 else -99999 end
        from journal, ledger_accounts account where account.kind in ('reserve', 'advances')`.execute(trx);
    });
    await expect(take).rejects.toMatchObject({ constraint: 'guarantee_reserve_not_below_zero' });
    await expect(sql`delete from guarantee_reserve`.execute(market.ctx.db)).rejects.toThrow('one balance');
    const change = sql`update payment_transactions set guarantee_days = 100 where id = ${id}`;
    await expect(change.execute(market.ctx.db)).rejects.toThrow('guarantee of a payment cannot change');
  });
});

describe('a late claim', () => {
  it('is paid by the seller at once where the provider can take it back', async () => {
    const bid = await finalSale(market);
    const before = await reserve();
    expect(await seen(bid)).toMatchObject({ status: 'completed', mayClaimLate: true, waiting: '0.00' });
    expect(await claim(bid)).toMatchObject({
      status: 'completed',
      mayClaimLate: false,
      claim: { status: 'open', isLate: true, shopAnswer: SHOP },
    });
    expect(await market.textsFor(bid.seller)).toContain(
      `${bid.buyer.username} says that the code of “${bid.coupon.title}” no longer works. Your sale is still covered by the guarantee. Please say what you know about it: then a moderator decides. If the claim is upheld, you owe your $9.50 CAD.`,
    );
    expect(await staff.decide(bid)).toMatchObject({ status: 'refunded', isLate: true, buyerTotal: '10.50' });
    expect(await seen(bid)).toMatchObject({
      status: 'refunded',
      refunded: '10.50',
      waiting: '0.00',
      cover: null,
    });
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ reversed: 950, refunded: 1_050, covered: 0 });
    // The fees went back, and with them the part in the reserve.
    expect(await reserve()).toBe(before - 20);
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id, isActive: false });
    expect(await sellerDebts(as(bid.seller))).toMatchObject({ total: '0.00' });
    expect(await market.textsFor(bid.buyer)).toContain(
      `You have been refunded $10.50 CAD for “${bid.coupon.title}”.`,
    );
  });

  it('is laid out by the reserve where the seller has nothing, and the next payout refills it', async () => {
    await fill(2);
    const bid = await claimedOfPoorSeller();
    const before = await reserve();
    await staff.decide(bid);
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ reversed: 0, refunded: 1_050, covered: 950 });
    expect(await reserve()).toBe(before - 950 - 20);
    expect((await bookedOf(market.ctx, bid)).filter(({ journal }) => journal === 'cover')).toEqual([
      { journal: 'cover', account: 'reserve', amount: '9.50' },
      { journal: 'cover', account: 'advances', amount: '-9.50' },
    ]);
    const next = await finalSale(market, { seller: bid.seller, amount: 2_000 });
    expect(await totalsOfBid(market.ctx, next)).toMatchObject({ offset: 950, transferred: 950 });
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ offset: -950, covered: 0 });
    expect(await reserve()).toBe(before - 20 + 40);
  });

  it('is borne by the reserve for good when the debt is written off', async () => {
    await fill(1);
    const bid = await claimedOfPoorSeller();
    await staff.decide(bid);
    const { id: paymentId } = await paymentOf(market.ctx, bid);
    await settleDebt(as(staff.admin), { paymentId, how: 'written_off', reason: 'Gone.' });
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ covered: 950, writtenOff: 950 });
    const written = (await bookedOf(market.ctx, bid)).filter(({ journal }) => journal === 'write_off');
    expect(written).toEqual([
      { journal: 'write_off', account: 'seller_payable', amount: '-9.50' },
      { journal: 'write_off', account: 'advances', amount: '9.50' },
    ]);
  });

  it('is taken by PayPal from the seller’s account there, laid out until an admin sees it', async () => {
    await fill(1);
    const bid = await finalSale(market, { by: 'paypal' });
    await claim(bid);
    const before = await reserve();
    await staff.decide(bid);
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await reserve()).toBe(before - 890 - 20);
    const { id: paymentId } = await paymentOf(market.ctx, bid);
    await settleDebt(as(staff.admin), { paymentId, how: 'collected', reason: 'It is in the report.' });
    expect(await reserve()).toBe(before - 20);
  });

  it('waits for the seller’s answer, for 72 hours', async () => {
    const bid = await finalSale(market);
    await claim(bid);
    const id = await staff.claimIdOf(bid);
    const given = { id, decision: 'refund', note: 'So be it.' } as const;
    await expect(decideClaim(as(staff.moderator), given)).rejects.toMatchObject({
      code: 'payment_changed',
    });
    market.ctx.clock.advanceDays(3);
    expect(await decideClaim(as(staff.moderator), given)).toMatchObject({ status: 'refunded' });
  });

  it('is refused without evidence, after its time, for a used coupon, and without a confirmed address', async () => {
    const bid = await finalSale(market);
    const refusal = (message: string) => expect.objectContaining({ message });
    await expect(claim(bid, {})).rejects.toMatchObject({ issues: [{ path: 'shopAnswer' }] });
    const unconfirmed = { ...bid, buyer: { ...bid.buyer, isConfirmed: false } };
    await expect(claim(unconfirmed)).rejects.toMatchObject({ code: 'address_unconfirmed' });
    await markUsed(as(bid.buyer), bid.coupon.id);
    await expect(claim(bid)).rejects.toEqual(
      refusal('You have used this coupon or passed it on, so the guarantee has ended.'),
    );
    expect(await seen(bid)).toMatchObject({ cover: null, mayClaimLate: false });
    const late = await finalSale(market);
    const { until } = (await seen(late)).cover ?? { until: '' };
    expect(until).toBe(addDays(market.ctx.clock(), 3 + 7).toISOString());
    market.ctx.clock.advanceDays(10);
    await expect(claim(late)).rejects.toEqual(
      refusal('It is too late for a claim: the guarantee of this sale has ended.'),
    );
    const picture = await finalSale(market);
    const { url } = await insertImage(market.ctx, picture.buyer, { kind: 'evidence' });
    expect(await claim(picture, { pictures: [url] })).toMatchObject({ claim: { claimantPictures: [url] } });
  });

  it('is one of at most three of a person, open or upheld', async () => {
    const buyer = await createUser(market.ctx);
    const seller = await market.readySeller(['stripe']);
    for (let sale = 0; sale < 3; sale += 1) await claim(await finalSale(market, { buyer, seller }));
    const fourth = await finalSale(market, { buyer, seller });
    await expect(claim(fourth)).rejects.toMatchObject({
      message: 'You already have 3 open or upheld claims under the guarantee in the last 180 days.',
    });
  });

  it('keeps both from leaving while it is open; a covered sale does not keep its seller', async () => {
    await fill(1);
    const bid = await finalSale(market);
    await claim(bid);
    const leave = (who: Actor) => deleteAccount(as(who), { confirmPassword: TEST_PASSWORD });
    for (const who of [bid.buyer, bid.seller])
      await expect(leave(who)).rejects.toMatchObject({
        message: 'A claim about one of your sales or purchases is open. Wait for the decision.',
      });
    const covered = await finalSale(market);
    await leave(covered.seller);
    await market.stripe.payOutToBank((await paymentOf(market.ctx, covered)).receiverAccount);
    await claim(covered);
    const id = await staff.claimIdOf(covered);
    await decideClaim(as(staff.moderator), { id, decision: 'refund', note: 'So be it.' });
    expect(await market.statusOf(covered)).toBe('refunded');
    // Nobody who has left gets a coupon, and nobody keeps one with the money.
    expect(await couponOf(market.ctx, covered)).toMatchObject({
      ownerId: covered.seller.id,
      isActive: false,
    });
    await expect(revealCode(as(covered.buyer), covered.coupon.id)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await sellerDebts(as(covered.seller))).toMatchObject({ total: '9.50' });
    expect(await totalsOfBid(market.ctx, covered)).toMatchObject({ covered: 950 });
  });

  it('granted at once with another gets a part of what the first leaves in the reserve', async () => {
    await fill(1);
    const locked = async (given: AcceptedBid, act: (trx: Trx, sale: LockedPayment) => Promise<unknown>) => {
      const { id } = await paymentOf(market.ctx, given);
      return inTransaction(market.ctx.db, async (trx) => act(trx, await lockPaymentWithDeal(trx, id)));
    };
    const at = market.ctx.clock();
    const bids = [
      await finalSale(market, { amount: 6_000 }),
      await finalSale(market, { amount: 6_000 }),
    ] as const;
    for (const bid of bids) {
      // So that it is no first purchase.
      await finalSale(market, { buyer: bid.buyer });
      await market.stripe.payOutToBank((await paymentOf(market.ctx, bid)).receiverAccount);
      await locked(bid, (trx, sale) => follow(trx, market.ctx, sale, { what: 'awarded', note: '' }, at));
    }
    const holds = await reserve();
    let hasFirst = () => {};
    const first = new Promise<void>((resolve) => {
      hasFirst = resolve;
    });
    const cover = (trx: Trx, { payment }: LockedPayment) => coverFromReserve(trx, { payment, at });
    await Promise.all([
      locked(bids[0], async (trx, sale) => {
        await cover(trx, sale);
        hasFirst();
        await setTimeout(300);
      }),
      first.then(() => locked(bids[1], cover)),
    ]);
    const [taken, next] = [await totalsOfBid(market.ctx, bids[0]), await totalsOfBid(market.ctx, bids[1])];
    expect(taken.covered).toBe(Math.floor(holds / 4));
    expect(next.covered).toBe(Math.floor((holds - taken.covered) / 4));
    await market.passDays(1);
    expect(await market.statusOf(bids[0])).toBe('refunding');
  });

  it('after the buyer has said early that the code works gets nothing from the reserve, and counts as a failed code', async () => {
    await fill(2);
    const bid = await claimedOfPoorSeller({ isConfirmed: true });
    expect((await seen(bid)).cover).toMatchObject({ fromReserve: '0.00' });
    await staff.decide(bid);
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ reversed: 0, covered: 0 });
    const giver = market.ctx.db.selectFrom('users').select('failedCodes').where('id', '=', bid.seller.id);
    expect(await giver.executeTakeFirstOrThrow()).toEqual({ failedCodes: 1 });
  });

  it('against a seller counts with those of others against them: together they get a quarter of the reserve', async () => {
    await fill(2);
    const seller = await market.readySeller(['stripe']);
    const bids: AcceptedBid[] = [];
    for (let sale = 0; sale < 2; sale += 1) {
      const bid = await claimedOfPoorSeller({ seller, amount: 10_000 });
      // So that it is no first purchase.
      await finalSale(market, { buyer: bid.buyer });
      bids.push(bid);
    }
    const covered: number[] = [];
    for (const bid of bids) {
      await staff.decide(bid);
      covered.push((await totalsOfBid(market.ctx, bid)).covered);
    }
    expect(covered).toEqual([expect.any(Number), 0]);
    expect(covered[0]).toBeGreaterThan(2_000);
  });

  it('of somebody who is one person with the seller gets nothing from the reserve, nor does another purchase of theirs', async () => {
    await fill(2);
    const buyer = await createUser(market.ctx);
    const bid = await finalSale(market, { buyer });
    const [lowerId = 0, higherId = 0] = [buyer.id, bid.seller.id].sort((one, other) => one - other);
    await market.ctx.db.insertInto('uncountedPairs').values({ lowerId, higherId }).execute();
    expect((await seen(bid)).cover).toMatchObject({ fromReserve: '0.00' });
    await market.stripe.payOutToBank((await paymentOf(market.ctx, bid)).receiverAccount);
    await claim(bid);
    const before = await reserve();
    await staff.decide(bid);
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ reversed: 0, covered: 0 });
    expect(await reserve()).toBe(before - 20);
    // To others they are still somebody without another final purchase.
    const second = await finalSale(market, { buyer, seller: bid.seller });
    expect(await market.statusOf(second)).toBe('completed');
    expect(await countFinalPurchases(market.ctx.db, buyer.id)).toBe(0);
  });
});
