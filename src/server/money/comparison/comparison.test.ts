import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStored as openPaypal } from '#sandbox/paypal/objects.ts';
import { openStore } from '#sandbox/store.ts';
import { openStored as openStripe } from '#sandbox/stripe/objects.ts';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { createTestClock, createUser } from '#tests/support/builders.ts';
import { type AcceptedBid, paymentOf, setUpMarket, totalsOfBid } from '#tests/support/payments.ts';
import { settling } from '#tests/support/settling.ts';
import { compareBooks } from './service.ts';
import { countOpenDifferences, markHandled } from './store.ts';

/** The providers' clocks are real. */
const clock = createTestClock(new Date());
const store = openStore();
const market = setUpMarket({ clock, sandbox: { store } });
const stripe = openStripe(store);
const paypal = openPaypal(store);

let seller: Actor;
beforeAll(async () => {
  seller = await market.readySeller();
});
beforeEach(() => clock.set(new Date()));

const paidBid = (by: 'stripe' | 'paypal' = 'stripe') => market.paidBid({ seller, by });

async function compare(provider: 'stripe' | 'paypal', days = 1) {
  const now = Date.now();
  clock.set(new Date(now + 1_000));
  const from = new Date(now - days * 86_400_000);
  const found = await compareBooks(market.ctx, provider, { from, to: new Date(now + 86_400_000) });
  if (!found) throw new Error('It is not set up');
  return found;
}

async function bookingOf(bid: AcceptedBid) {
  const { stripeChargeId } = await paymentOf(market.ctx, bid);
  const booking = (await stripe.balanceTransactions.list()).find(({ source }) => source === stripeChargeId);
  if (!booking) throw new Error('It is not booked');
  return booking;
}

/** The differences that nobody has handled, the oldest first. */
const openDifferences = () =>
  market.ctx.db
    .selectFrom('reconciliationDifferences')
    .select(['id', 'provider', 'ref', 'kind', 'ours', 'theirs'])
    .where('closedAt', 'is', null)
    .where('handledAt', 'is', null)
    .orderBy('foundAt')
    .orderBy('id')
    .execute();

const listOpen = async () => (await openDifferences()).map(({ id: _, ...row }) => row);

describe('our books and Stripe’s', () => {
  it('agree on charges, fees, refunds, disputes, payouts and reversals', async () => {
    const [plain, refunded, disputed] = [await paidBid(), await paidBid(), await paidBid()];
    const { refOf } = settling(market);
    await market.stripe.refund(await refOf(refunded), { amount: 300 });
    const dispute = await market.stripe.openDispute(await refOf(disputed));
    await market.stripe.closeDispute(dispute, 'won');
    const { publicId, receiverAccount: receiver, stripeChargeId } = await paymentOf(market.ctx, plain);
    const payOut = { publicId, amount: 950, receiver, chargeRef: stripeChargeId ?? '', idempotencyKey: 'p' };
    const payout = await market.ctx.providers.payments.stripe?.payOut(payOut);
    const ref = payout?.ref ?? '';
    await market.ctx.providers.payments.stripe?.reversePayout({ ref, amount: 950, idempotencyKey: 'r' });
    await market.deliverAll();
    expect(await compare('stripe')).toMatchObject({ payments: 3, differences: [], undecided: 0 });
    expect(await totalsOfBid(market.ctx, plain)).toMatchObject({ transferred: 950, reversed: 950 });
  });

  it('a movement that we have not heard of is settled first, and is no difference', async () => {
    const bid = await paidBid();
    const { stripePaymentIntentId } = await paymentOf(market.ctx, bid);
    await market.stripe.refund(stripePaymentIntentId ?? '', { amount: 300 });
    for (const event of market.stripe.waiting()) market.stripe.drop(event);
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 0 });
    expect(await compare('stripe')).toMatchObject({ differences: [] });
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 300 });
  });

  it('money of something else on the account is listed apart, and its events do not fail', async () => {
    const intent = await market.stripe.payElsewhere(7_700);
    await market.stripe.refund(intent, { amount: 100 });
    expect(await market.deliverAll()).toEqual(expect.arrayContaining([200]));
    const { differences, foreign } = await compare('stripe');
    expect(differences).toEqual([]);
    expect(foreign.map(({ kind, amount, text }) => ({ kind, amount, text }))).toEqual(
      expect.arrayContaining([
        { kind: 'capture', amount: 7_700, text: 'Invoice of another shop' },
        { kind: 'refund', amount: 100, text: 'REFUND FOR CHARGE' },
      ]),
    );
    const failing = await market.ctx.db
      .selectFrom('webhookEvents')
      .select(['type', 'lastError'])
      .where('lastError', 'is not', null)
      .execute();
    expect(failing).toEqual([]);
  });

  it('differ to the cent: it is stored once, and closes when it is gone', async () => {
    const bid = await paidBid();
    const { publicId } = await paymentOf(market.ctx, bid);
    const booking = await bookingOf(bid);
    await stripe.balanceTransactions.put({ ...booking, amount: 1_049 });
    const found = [
      { kind: 'capture', ours: 1_050, theirs: 1_049, ref: `${publicId}:capture`, isHandled: false },
    ];
    expect((await compare('stripe')).differences).toMatchObject(found);
    expect((await compare('stripe')).differences).toMatchObject(found);
    expect(await listOpen()).toEqual([
      { provider: 'stripe', ref: `${publicId}:capture`, kind: 'capture', ours: '10.50', theirs: '10.49' },
    ]);
    expect(await countOpenDifferences(market.ctx.db)).toEqual([{ provider: 'stripe', count: 1 }]);
    await stripe.balanceTransactions.put(booking);
    expect(await compare('stripe')).toMatchObject({ differences: [], closed: 1 });
    expect(await listOpen()).toEqual([]);
  });

  it('a payment that is missing there or with us is a difference', async () => {
    const bid = await paidBid();
    const { publicId, stripeChargeId } = await paymentOf(market.ctx, bid);
    const booking = await bookingOf(bid);
    await stripe.balanceTransactions.put({ ...booking, created: booking.created - 400 * 86_400 });
    const charge = await stripe.charges.find(stripeChargeId ?? '');
    const lost = { ...charge, id: 'ch_lost', metadata: { payment_id: publicId.replace(/.{4}$/, 'ffff') } };
    await stripe.charges.put(lost);
    await stripe.balanceTransactions.put({ ...booking, id: 'txn_lost', source: 'ch_lost', fee: 0 });
    expect((await compare('stripe')).differences).toMatchObject([
      { kind: 'capture', ours: 1_050, theirs: 0, ref: `${publicId}:capture` },
      { kind: 'provider_fee', ours: 60, theirs: 0 },
      { kind: 'capture', ours: 0, theirs: 1_050, ref: 'txn_lost:capture', paymentId: null },
    ]);
    await stripe.balanceTransactions.put(booking);
    await stripe.balanceTransactions.put({
      ...booking,
      id: 'txn_lost',
      source: 'txn_none',
      amount: 0,
      fee: 0,
      net: 0,
    });
    expect((await compare('stripe')).closed).toBe(2);
    // We cannot tell what became of a payment that we do not know: a person handles it.
    const [open] = await openDifferences();
    const { id: by } = await createUser(market.ctx, { role: 'admin' });
    const handle = { id: open?.id ?? 0, by, note: 'A test of the account.', at: clock() };
    expect(await inTransaction(market.ctx.db, (trx) => markHandled(trx, handle))).toBe(true);
    expect(await inTransaction(market.ctx.db, (trx) => markHandled(trx, handle))).toBe(false);
    expect(await listOpen()).toEqual([]);
  });

  it('a difference that a person has handled stays so, until its amounts change', async () => {
    const bid = await paidBid();
    const booking = await bookingOf(bid);
    await stripe.balanceTransactions.put({ ...booking, amount: 1_049 });
    await compare('stripe');
    const [open] = await openDifferences();
    const { id: by } = await createUser(market.ctx, { role: 'admin' });
    const handle = { id: open?.id ?? 0, by, note: 'Stripe corrects it.', at: clock() };
    await inTransaction(market.ctx.db, (trx) => markHandled(trx, handle));
    expect((await compare('stripe')).differences).toMatchObject([{ isHandled: true }]);
    await stripe.balanceTransactions.put({ ...booking, amount: 1_048 });
    expect((await compare('stripe')).differences).toMatchObject([{ isHandled: false, theirs: 1_048 }]);
    await stripe.balanceTransactions.put(booking);
    expect(await compare('stripe')).toMatchObject({ differences: [], closed: 1 });
  });
});

describe('our books and PayPal’s', () => {
  it('agree on captures, fees, refunds and disputes, once PayPal’s search shows them', async () => {
    const [plain, refunded, lost] = [
      await paidBid('paypal'),
      await paidBid('paypal'),
      await paidBid('paypal'),
    ];
    const captureOf = async (bid: AcceptedBid) => (await paymentOf(market.ctx, bid)).paypalCaptureId ?? '';
    await market.paypal.refund(await captureOf(refunded), { amount: 300 });
    await market.paypal.closeDispute(await market.paypal.openDispute(await captureOf(lost)), 'lost');
    await market.deliverAll();
    // The search is three hours behind.
    expect(await compare('paypal')).toMatchObject({ payments: 3, differences: [], undecided: 3 });
    await market.paypal.completeReports();
    expect(await compare('paypal')).toMatchObject({ payments: 3, differences: [], undecided: 0 });
    expect(await totalsOfBid(market.ctx, plain)).toMatchObject({ captured: 1_050, providerFees: 60 });
  });

  it('differ to the cent, and money of something else on our account is listed apart', async () => {
    const bid = await paidBid('paypal');
    await market.paypal.payElsewhere(5_500);
    expect(await market.deliverAll()).not.toContain(400);
    await market.paypal.completeReports();
    const { publicId, paypalOrderId } = await paymentOf(market.ctx, bid);
    const order = await paypal.orders.find(paypalOrderId ?? '');
    const refundId = await market.paypal.refund(order.captureId ?? '', { amount: 200 });
    await market.deliverAll();
    await paypal.refunds.put({
      ...(await paypal.refunds.find(refundId)),
      createTime: new Date(Date.now() - 90 * 86_400_000).toISOString(),
    });
    await market.paypal.completeReports();
    const { differences, foreign } = await compare('paypal', 40);
    expect(differences).toMatchObject([
      { kind: 'refund', ours: 200, theirs: 0, ref: `${publicId}:refund`, provider: 'paypal' },
    ]);
    expect(foreign).toMatchObject([{ kind: 'capture', amount: 5_500 }, { kind: 'provider_fee' }]);
  });
});
