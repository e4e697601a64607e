import { describe, expect, it } from 'vitest';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Actor } from '#server/context/context.ts';
import { protectionOf } from '#server/money/claims/protection.ts';
import { listDebts, sellerDebts } from '#server/money/debts/service.ts';
import { sellerStatement } from '#server/money/reports/service.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import {
  type AcceptedBid,
  bookedOf,
  paymentOf,
  setUpRefusingMarket,
  totalsOfBid,
} from '#tests/support/payments.ts';
import { confirmReceipt } from '../claims/sale-claims.ts';
import { settleDebt } from './admin.ts';
import { listOperations } from './operations-store.ts';

const { market, refuse } = setUpRefusingMarket();
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);
const debtsOf = (seller: Actor) => sellerDebts(as(seller));
const confirm = (bid: AcceptedBid) => confirmReceipt(as(bid.buyer), bid.id);
const titleOf = (bid: AcceptedBid) => `“${bid.coupon.title}”`;

/** A sale of 10.00 that is refunded in full after the seller was paid and had sent the money to the bank. */
async function refundedAfterPayout(given: { seller?: Actor; by?: PaymentProviderName } = {}) {
  const bid = await market.paidBid(given);
  await confirm(bid);
  const payment = await paymentOf(market.ctx, bid);
  if (payment.provider === 'stripe') {
    await market.stripe.payOutToBank(payment.receiverAccount);
    await market.stripe.refund(payment.stripePaymentIntentId ?? '');
  } else await market.paypal.refund(payment.paypalCaptureId ?? '');
  await market.deliverAll();
  return bid;
}

/** The same, when Stripe has refused to take the payout back. */
async function owing(seller?: Actor): Promise<AcceptedBid> {
  const bid = await refundedAfterPayout(seller && { seller });
  await market.passDays(1 / 24 / 60);
  return bid;
}

async function offsetsOf(bid: AcceptedBid) {
  return (await bookedOf(market.ctx, bid)).filter(({ journal }) => journal === 'offset');
}

describe('a debt of a seller at Stripe', () => {
  it('is kept back from the next payout, and the seller sees it before and after', async () => {
    const debt = await owing();
    const { seller } = debt;
    expect(await market.textsFor(seller)).toContain(
      `You owe $9.50 CAD for ${titleOf(debt)}: the buyer got money back after you were paid, and your Stripe balance is too low to take it back. We withhold it from your next Stripe payouts.`,
    );
    const next = await market.paidBid({ seller, amount: 2_000 });
    // Of which nothing is kept back any more.
    await market.paidBid({ seller, amount: 1_000 });
    const { id: debtPayment } = await paymentOf(market.ctx, debt);
    const { id: nextPayment } = await paymentOf(market.ctx, next);
    expect(await debtsOf(seller)).toMatchObject({
      total: '9.50',
      debts: [{ paymentId: debtPayment, amount: '9.50', way: 'payouts', couponTitle: debt.coupon.title }],
      nextPayouts: [{ paymentId: nextPayment, amount: '19.00', keptBack: '9.50' }],
    });
    await confirm(next);
    expect(await market.statusOf(next)).toBe('completed');
    expect(await totalsOfBid(market.ctx, next)).toMatchObject({ transferred: 950, offset: 950 });
    expect(await totalsOfBid(market.ctx, debt)).toMatchObject({ reversed: 0, offset: -950 });
    expect(await debtsOf(seller)).toEqual({ total: '0.00', debts: [], nextPayouts: [] });
    expect(await market.textsFor(seller)).toContain(
      `You have been paid $9.50 CAD for ${titleOf(next)}. We withheld $9.50 CAD for what you owed on an earlier sale.`,
    );
    expect(await protectionOf(as(seller), next.id)).toMatchObject({ keptBack: '9.50' });
    expect(await protectionOf(as(next.buyer), next.id)).toMatchObject({ keptBack: '0.00' });
    expect(await offsetsOf(next)).toEqual([
      { journal: 'offset', account: 'seller_payable', amount: '9.50' },
      { journal: 'offset', account: 'offsets', amount: '-9.50' },
    ]);
    const month = market.ctx.clock().toISOString().slice(0, 7);
    expect(await sellerStatement(as(seller), { month })).toMatchObject({ debts: '0.00', closing: '9.50' });
    // Nothing is left to reverse.
    await market.passDays(8);
    expect(await totalsOfBid(market.ctx, debt)).toMatchObject({ reversed: 0 });
    const operations = await listOperations(market.ctx.db, debtPayment);
    expect(operations.filter(({ givenUpAt }) => givenUpAt !== null)).toEqual([]);
  });

  it('takes whole payouts until it is covered', async () => {
    const debt = await owing();
    const { seller } = debt;
    const small = await market.paidBid({ seller, amount: 600 });
    await confirm(small);
    expect(await market.statusOf(small)).toBe('completed');
    expect(await totalsOfBid(market.ctx, small)).toMatchObject({ transferred: 0, offset: 570 });
    expect(await market.textsFor(seller)).toContain(
      `We withheld your $5.70 CAD for ${titleOf(small)} for what you owed on an earlier sale. There is no further payout for it.`,
    );
    expect(await debtsOf(seller)).toMatchObject({ total: '3.80' });
    const next = await market.paidBid({ seller });
    await confirm(next);
    expect(await totalsOfBid(market.ctx, next)).toMatchObject({ transferred: 570, offset: 380 });
    expect(await debtsOf(seller)).toMatchObject({ total: '0.00' });
  });

  it('is covered before one that is younger, though its sale is older', async () => {
    const seller = await market.readySeller();
    const sales = [await market.paidBid({ seller }), await market.paidBid({ seller })] as const;
    for (const sale of sales) await confirm(sale);
    const [later, first] = sales;
    await market.stripe.payOutToBank((await paymentOf(market.ctx, later)).receiverAccount);
    for (const sale of [first, later]) {
      await market.stripe.refund((await paymentOf(market.ctx, sale)).stripePaymentIntentId ?? '');
      await market.deliverAll();
      await market.passDays(1 / 24 / 60);
    }
    expect((await debtsOf(seller)).debts.map(({ bidId }) => bidId)).toEqual([first.id, later.id]);
    await confirm(await market.paidBid({ seller }));
    expect(await totalsOfBid(market.ctx, first)).toMatchObject({ offset: -950 });
    expect(await totalsOfBid(market.ctx, later)).toMatchObject({ offset: 0 });
  });

  it('comes back when the sale that covered it is refunded, too', async () => {
    const debt = await owing();
    const { seller } = debt;
    const next = await market.paidBid({ seller });
    await confirm(next);
    expect(await totalsOfBid(market.ctx, next)).toMatchObject({ transferred: 0, offset: 950 });
    await market.stripe.refund((await paymentOf(market.ctx, next)).stripePaymentIntentId ?? '');
    await market.deliverAll();
    expect(await market.statusOf(next)).toBe('refunded');
    expect(await debtsOf(seller)).toMatchObject({
      total: '9.50',
      debts: [{ bidId: next.id, amount: '9.50', way: 'payouts' }],
    });
  });

  it('is covered once by two payouts at the same time', async () => {
    const debt = await owing();
    const { seller } = debt;
    const sales = [await market.paidBid({ seller }), await market.paidBid({ seller })];
    await Promise.all(sales.map(confirm));
    await market.passDays(1 / 24);
    const totals = await Promise.all(sales.map((bid) => totalsOfBid(market.ctx, bid)));
    expect(totals.reduce((sum, { offset }) => sum + offset, 0)).toBe(950);
    expect(totals.reduce((sum, { transferred }) => sum + transferred, 0)).toBe(950);
    expect(await totalsOfBid(market.ctx, debt)).toMatchObject({ offset: -950 });
  });

  it('is not kept back while nobody knows whether the reversal has reached Stripe', async () => {
    refuse(/^POST \/v1\/transfers\/[^/]+\/reversals/);
    const debt = await owing();
    const { seller } = debt;
    expect(await debtsOf(seller)).toMatchObject({ total: '9.50', debts: [{ way: 'reversal' }] });
    const next = await market.paidBid({ seller });
    await confirm(next);
    expect(await totalsOfBid(market.ctx, next)).toMatchObject({ transferred: 950, offset: 0 });
    refuse(null);
    // The new money is in the seller's balance, so Stripe can take it back.
    await market.passDays(1);
    expect(await totalsOfBid(market.ctx, debt)).toMatchObject({ reversed: 950, offset: 0 });
  });

  it('is not kept back from a transfer that was asked for without an answer', async () => {
    const seller = await market.readySeller();
    const next = await market.paidBid({ seller });
    refuse(/^POST \/v1\/transfers$/);
    await confirm(next);
    refuse(null);
    const debt = await refundedAfterPayout({ seller });
    expect(await totalsOfBid(market.ctx, next)).toMatchObject({ transferred: 0 });
    await market.passDays(1 / 24);
    expect(await totalsOfBid(market.ctx, next)).toMatchObject({ transferred: 950, offset: 0 });
    expect(await totalsOfBid(market.ctx, debt)).toMatchObject({ offset: 0 });
  });

  it('is written off by an admin who is not the seller', async () => {
    const debt = await owing();
    const { id: paymentId } = await paymentOf(market.ctx, debt);
    const given = { paymentId, how: 'written_off', reason: 'The buyer was wrong.' } as const;
    await expect(settleDebt(as(debt.seller), given)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(settleDebt(as(staff.admin), { ...given, how: 'collected' })).rejects.toMatchObject({
      code: 'payment_changed',
      message: 'Stripe does not collect debts. Write it off instead.',
    });
    expect(await listDebts(as(staff.admin))).toContainEqual(
      expect.objectContaining({ paymentId, sellerUsername: debt.seller.username, amount: '9.50' }),
    );
    await settleDebt(as(staff.admin), given);
    await expect(settleDebt(as(staff.admin), given)).rejects.toMatchObject({
      message: 'Nothing is owed for this sale now.',
    });
    const written = (await bookedOf(market.ctx, debt)).filter(({ journal }) => journal === 'write_off');
    expect(written).toEqual([
      { journal: 'write_off', account: 'seller_payable', amount: '-9.50' },
      { journal: 'write_off', account: 'losses', amount: '9.50' },
    ]);
    expect(await market.textsFor(debt.seller)).toContain(`You no longer owe anything for ${titleOf(debt)}.`);
    await market.passDays(8);
    expect(await totalsOfBid(market.ctx, debt)).toMatchObject({ reversed: 0, writtenOff: 950 });
  });
});

describe('a debt of a seller at PayPal', () => {
  it('stays, and lowers no payout: PayPal collects it from the seller’s account there', async () => {
    const debt = await refundedAfterPayout({ by: 'paypal' });
    const { seller } = debt;
    expect(await market.textsFor(seller)).toContain(
      `The buyer of ${titleOf(debt)} got money back after you were paid. PayPal takes your share, $8.90 CAD, from your PayPal account.`,
    );
    for (const by of ['paypal', 'stripe'] as const) {
      const next = await market.paidBid({ seller, by });
      await confirm(next);
      expect(await totalsOfBid(market.ctx, next)).toMatchObject({ transferred: by === 'paypal' ? 890 : 950 });
    }
    expect(await debtsOf(seller)).toMatchObject({
      total: '8.90',
      debts: [{ way: 'provider', provider: 'paypal' }],
      nextPayouts: [],
    });
    const { id: paymentId } = await paymentOf(market.ctx, debt);
    await settleDebt(as(staff.admin), { paymentId, how: 'collected', reason: 'It is in the report of May.' });
    const collected = (await bookedOf(market.ctx, debt)).filter(({ journal }) => journal === 'collection');
    expect(collected).toEqual([
      { journal: 'collection', account: 'provider_clearing', amount: '8.90' },
      { journal: 'collection', account: 'seller_payable', amount: '-8.90' },
    ]);
    expect(await debtsOf(seller)).toMatchObject({ total: '0.00', debts: [] });
  });
});
