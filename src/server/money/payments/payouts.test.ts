import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { protectionOf } from '#server/money/claims/protection.ts';
import { sellerDebts } from '#server/money/debts/service.ts';
import { follow } from '#server/money/payments/service.ts';
import { reviewReport } from '#server/oversight/moderation/reports.ts';
import { setUserStatus } from '#server/oversight/moderation/status.ts';
import { connectAccountStatus } from '#server/people/sellers/service.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import { type AcceptedBid, paymentOf, setUpMarket, totalsOfBid } from '#tests/support/payments.ts';
import { insertReport } from '#tests/support/reports.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { settling } from '#tests/support/settling.ts';
import { confirmReceipt } from '../claims/sale-claims.ts';
import { lockPaymentWithDeal } from './facts.ts';
import { attemptOperation } from './operations.ts';
import { findOperation } from './operations-store.ts';

let reversals = 0;
const market = setUpMarket({
  sandbox: {
    fault: ({ method, path }) => {
      if (/^POST \/v1\/transfers\/[^/]+\/reversals/.test(`${method} ${path}`)) reversals += 1;
      return null;
    },
  },
});
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);
const confirm = (bid: AcceptedBid) => confirmReceipt(as(bid.buyer), bid.id);
const { refOf, forPerson } = settling(market);
const waitOf = async (bid: AcceptedBid) => (await protectionOf(as(bid.seller), bid.id)).waitsFor;

describe('a payout', () => {
  it('for another amount than was asked for, found at the provider, stops for a person', async () => {
    const bid = await market.paidBid();
    const { publicId, receiverAccount: receiver, stripeChargeId } = await paymentOf(market.ctx, bid);
    const given = { publicId, amount: 700, receiver, chargeRef: stripeChargeId ?? '', idempotencyKey: 'odd' };
    await market.ctx.providers.payments.stripe?.payOut(given);
    await market.passDays(4);
    expect(await market.statusOf(bid)).toBe('releasing');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ transferred: 0 });
    expect(await forPerson(bid)).toMatchObject([
      { kind: 'review', lastError: 'Payouts of 700 cents were not asked for' },
    ]);
  });

  it('that was under way while most of the money went back to the buyer is booked, and taken back', async () => {
    const bid = await market.paidBid();
    const ref = await refOf(bid);
    const { stripe } = market.ctx.providers.payments;
    if (!stripe) throw new Error('There is no Stripe');
    const meanwhile = async (act: () => Promise<unknown>, pay: typeof stripe.payOut) => {
      const own = {
        ...stripe,
        payOut: (given: Parameters<typeof stripe.payOut>[0]) => act().then(() => pay(given)),
      };
      const payments = { ...market.ctx.providers.payments, stripe: own };
      const ctx = { ...market.ctx, providers: { ...market.ctx.providers, payments } };
      await attemptOperation(ctx, (await paymentOf(market.ctx, bid)).id, 'payout');
    };
    const crash = () => Promise.reject(new Error('The process ended'));
    await inTransaction(market.ctx.db, async (trx) => {
      const { id } = await paymentOf(market.ctx, bid);
      const locked = await lockPaymentWithDeal(trx, id);
      await follow(trx, market.ctx, locked, { what: 'final', notice: 'released' }, market.ctx.clock());
    });
    await meanwhile(async () => {
      await market.stripe.refund(ref, { amount: 300 });
      await market.deliverAll();
      // Another process takes over, asks for less, and ends before it has asked.
      market.ctx.clock.advanceDays(1);
      await meanwhile(async () => {}, crash);
      await market.stripe.refund(ref);
      await market.deliverAll();
    }, stripe.payOut);
    await market.passDays(1);
    expect(await forPerson(bid)).toEqual([]);
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ transferred: 950, reversed: 950 });
  });

  it('of the same serial number in another installation is never taken for ours', async () => {
    const bid = await market.paidBid();
    const { id } = await paymentOf(market.ctx, bid);
    const other = await market.paidBid();
    const { receiverAccount: receiver, stripeChargeId } = await paymentOf(market.ctx, other);
    const given = { amount: 950, receiver, chargeRef: stripeChargeId ?? '', idempotencyKey: 'other' };
    await market.ctx.providers.payments.stripe?.payOut({ ...given, publicId: String(id) });
    await confirmReceipt(as(bid.buyer), bid.id);
    const { stripeTransferId, receiverAccount } = await paymentOf(market.ctx, bid);
    const state = await market.ctx.providers.payments.stripe?.readPayment(await refOf(bid));
    expect(state?.payouts).toMatchObject([{ ref: stripeTransferId, receiver: receiverAccount }]);
  });

  it.each([
    ['banned', 'stripe'],
    ['suspended', 'paypal'],
  ] as const)(
    'to a seller who is %s waits, says so, and is made by %s when it is over',
    async (status, by) => {
      const bid = await market.paidBid({ by });
      await setUserStatus(as(staff.admin), { id: bid.seller.id, status, reason: 'It was too much.' });
      await market.passDays(4);
      expect(await market.statusOf(bid)).toBe('releasing');
      expect(await waitOf(bid)).toBe(`seller_${status}`);
      expect(await protectionOf(as(bid.buyer), bid.id)).toMatchObject({ waitsFor: null });
      await setUserStatus(as(staff.admin), { id: bid.seller.id, status: 'active', reason: 'It is over.' });
      await market.passDays(1);
      expect(await market.statusOf(bid)).toBe('completed');
      expect(await waitOf(bid)).toBeNull();
    },
  );

  it('waits while the seller’s account is restricted, and while the sale is reported', async () => {
    const bid = await market.paidBid();
    const { receiverAccount } = await paymentOf(market.ctx, bid);
    await market.stripe.setAccountState(receiverAccount, 'incomplete');
    await market.deliverAll();
    await market.passDays(4);
    expect(await waitOf(bid)).toBe('account_restricted');
    await market.stripe.setAccountState(receiverAccount, 'done');
    await market.deliverAll();
    const about = { relatedEntityType: 'bid', relatedEntityId: bid.id } as const;
    const report = await insertReport(market.ctx, bid.buyer, bid.seller, about);
    await market.passDays(1);
    expect(await waitOf(bid)).toBe('report');
    await reviewReport(as(staff.admin), { id: report, action: 'dismiss', notes: 'It was not so.' });
    await market.passDays(1);
    expect(await market.statusOf(bid)).toBe('completed');
  });

  it('that the seller’s bank sends back is told once, and shown until one arrives', async () => {
    const bid = await market.paidBid();
    await confirm(bid);
    const { receiverAccount } = await paymentOf(market.ctx, bid);
    const payout = await market.stripe.payOutToBank(receiverAccount);
    await market.deliverAll();
    await market.stripe.failBankPayout(payout);
    const [failed] = market.stripe.waiting().slice(-1);
    await market.deliverAll();
    if (failed) await market.stripe.deliver(failed);
    const text =
      'Your bank returned $9.50 CAD that Stripe paid out to you: The bank account has been closed. Please correct your bank account at Stripe; the money waits there.';
    expect((await market.textsFor(bid.seller)).filter((one) => one === text)).toHaveLength(1);
    expect(await connectAccountStatus(as(bid.seller))).toMatchObject({ badge: 'active', failedPayout: text });
    await market.stripe.payOutToBank(receiverAccount);
    await market.deliverAll();
    expect(await connectAccountStatus(as(bid.seller))).toMatchObject({ failedPayout: null });
  });

  it('that PayPal cannot make is told once, and made later', async () => {
    const bid = await market.paidBid({ by: 'paypal' });
    const { receiverAccount } = await paymentOf(market.ctx, bid);
    await market.paypal.changeMerchant(receiverAccount, { payouts: 'fail' });
    await confirm(bid);
    await market.passDays(1);
    const text = `PayPal could not pay you your $9.50 CAD for “${bid.coupon.title}”. Please sign in there and see what your account needs. We will try again automatically.`;
    expect((await market.textsFor(bid.seller)).filter((one) => one === text)).toHaveLength(1);
    await market.paypal.changeMerchant(receiverAccount, { payouts: 'succeed' });
    for (let tries = 0; tries < 4; tries += 1) await market.passDays(0.1);
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ transferred: 890 });
  });

  it('that PayPal cannot make for a week is left to a person', async () => {
    const bid = await market.paidBid({ by: 'paypal' });
    const { id, receiverAccount } = await paymentOf(market.ctx, bid);
    await market.paypal.changeMerchant(receiverAccount, { payouts: 'fail' });
    await confirm(bid);
    for (const days of [1, 7, 1]) await market.passDays(days);
    expect(await findOperation(market.ctx.db, id, 'payout')).toMatchObject({
      nextTryAt: null,
      lastError: expect.stringContaining('failed'),
    });
  });

  it('that PayPal has made by itself on day 28 is booked and not made again, even for a suspended seller', async () => {
    const bid = await market.paidBid({ by: 'paypal' });
    await setUserStatus(as(staff.admin), {
      id: bid.seller.id,
      status: 'suspended',
      reason: 'We look into it.',
    });
    await market.passDays(28);
    expect(await waitOf(bid)).toBe('seller_suspended');
    await market.paypal.disburse((await paymentOf(market.ctx, bid)).paypalCaptureId ?? '');
    await market.passDays(1);
    expect(await market.statusOf(bid)).toBe('completed');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ transferred: 890 });
  });
});

describe('reversals that Stripe refuses for lack of balance', () => {
  const CASES = shortOrLong(2, 100);

  it('are asked for less and less often, delay nothing else, and end as a debt for a person', async () => {
    const seller = await market.readySeller();
    const bids: AcceptedBid[] = [];
    for (let number = 0; number < CASES; number += 1) {
      const bid = await market.paidBid({ seller });
      await confirm(bid);
      bids.push(bid);
    }
    await market.stripe.payOutToBank((await paymentOf(market.ctx, bids[0] as AcceptedBid)).receiverAccount);
    for (const bid of bids) await market.stripe.refund(await refOf(bid));
    reversals = 0;
    await market.deliverAll();
    // Tries after 0, 1, 3, 7, 15, 31 and, at most, 63 minutes; none between them.
    for (const minutes of [1, 1, 1, 2, 2, 4, 4, 8, 8, 14, 15]) await market.passDays(minutes / 1_440);
    expect(reversals).toBe(6 * CASES);

    const other = await market.paidBid();
    await confirm(other);
    await market.stripe.refund(await refOf(other));
    await market.deliverAll();
    await market.passDays(1 / 1_440);
    expect(await totalsOfBid(market.ctx, other)).toMatchObject({ reversed: 950 });

    await market.passDays(7);
    await market.passDays(1 / 24);
    const { lastError } = (await forPerson(bids[0] as AcceptedBid))[0] ?? {};
    expect(lastError).toMatch(/insufficient available balance/);
    for (const bid of bids) {
      expect(await forPerson(bid)).toMatchObject([{ kind: 'reversal', givenUpAt: expect.any(Date) }]);
    }
    const last = reversals;
    await market.passDays(1);
    expect(reversals).toBe(last);
    expect(await sellerDebts(as(seller))).toMatchObject({ total: (9.5 * CASES).toFixed(2) });
  });
});
