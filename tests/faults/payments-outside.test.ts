import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimalToCents } from '#contract/money.ts';
import { PAYMENT_PROVIDERS, type PaymentProviderName } from '#contract/sellers.ts';
import { openStored as openPaypal } from '#sandbox/paypal/objects.ts';
import { openStored as openStripe } from '#sandbox/stripe/objects.ts';
import { addDays } from '#server/core/clock.ts';
import { compareBooks } from '#server/domains/books/comparison.ts';
import type { Actor } from '#server/domains/context.ts';
import { setUserStatus } from '#server/domains/moderation/status.ts';
import { confirmReceipt } from '#server/domains/payments/protection.ts';
import { reconcilePayments } from '#server/domains/payments/reconcile.ts';
import { actingAs, createTestClock, createUser } from '#server/testing/builders.ts';
import type { AcceptedBid } from '#server/testing/payments.ts';
import { createRandom, pick, type Random } from '#server/testing/random.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { openPaymentsWorld, type PaymentsWorld } from './payments-world.ts';
import { readPaypal, readStripe } from './provider-books.ts';

/** The same seed gives the same choices; only the interleaving differs. */
const SEED = Number(process.env.FAULT_SEED ?? 20_261_122);
const PAYMENTS = shortOrLong(24, 1_000);
const START = new Date();

let world: PaymentsWorld;
let market: PaymentsWorld['market'];
let admin: Actor;
/** How often each thing happened outside. */
const played: Record<string, number> = {};

beforeAll(async () => {
  // The providers' clocks are real.
  world = await openPaymentsWorld(SEED, createTestClock(START));
  market = world.market;
  admin = await createUser(market.ctx, { role: 'admin' });
});
afterAll(() => market.close());

type Play = (random: Random) => Promise<unknown>;

/** What people and banks do at Stripe, to one payment. */
function playsAtStripe(ref: string, account: string): Record<string, Play> {
  const { stripe } = market;
  const dispute = async () => (await stripe.payments()).find(({ id }) => id === ref)?.dispute?.id ?? 'none';
  const refund = async () => (await stripe.payments()).find(({ id }) => id === ref)?.refund?.id ?? 'none';
  return {
    'refund a part': (random) => stripe.refund(ref, { amount: 1 + random(300) }),
    'refund all': () => stripe.refund(ref),
    'fail a refund': async () => stripe.settleRefund(await refund(), 'failed'),
    dispute: () => stripe.openDispute(ref),
    'dispute a part': (random) => stripe.openDispute(ref, { amount: 1 + random(300) }),
    inquire: () => stripe.openDispute(ref, { kind: 'inquiry' }),
    prevent: () => stripe.openDispute(ref, { kind: 'prevented' }),
    escalate: async () => stripe.escalateInquiry(await stripe.openDispute(ref, { kind: 'inquiry' })),
    win: async () => stripe.closeDispute(await dispute(), 'won'),
    lose: async () => stripe.closeDispute(await dispute(), 'lost'),
    appeal: async () => {
      const id = await stripe.openDispute(ref);
      await stripe.closeDispute(id, 'lost');
      await stripe.appealDispute(id);
    },
    restrict: () => stripe.setAccountState(account, 'incomplete'),
    allow: () => stripe.setAccountState(account, 'done'),
    'empty the balance, so that reversals are refused': () => stripe.payOutToBank(account),
    'pay elsewhere': (random) => stripe.payElsewhere(100 + random(5_000)),
  };
}

/** What people and banks do at PayPal, to one payment. */
function playsAtPaypal(ref: string, account: string): Record<string, Play> {
  const { paypal } = market;
  const dispute = async () => (await paypal.payments()).find(({ id }) => id === ref)?.dispute?.id ?? 'none';
  return {
    'refund a part': (random) => paypal.refund(ref, { amount: 1 + random(300) }),
    'refund all': () => paypal.refund(ref),
    claim: () => paypal.openDispute(ref),
    'charge back': () => paypal.openDispute(ref, { channel: 'EXTERNAL' }),
    inquire: () => paypal.openDispute(ref, { stage: 'INQUIRY' }),
    escalate: async () => paypal.escalateDispute(await dispute()),
    win: async () => paypal.closeDispute(await dispute(), 'won'),
    lose: async () => paypal.closeDispute(await dispute(), 'lost'),
    restrict: () => paypal.changeMerchant(account, { isReceivable: false }),
    allow: () => paypal.changeMerchant(account, { isReceivable: true, payouts: 'succeed' }),
    'let payouts wait': () => paypal.changeMerchant(account, { payouts: 'pend' }),
    'pay as on day 28': () => paypal.disburse(ref),
    'pay elsewhere': (random) => paypal.payElsewhere(100 + random(5_000)),
  };
}

/** The payments of a bid that have reached a provider, with the id by which its pages name them. */
async function paymentsOf(bid: AcceptedBid) {
  const rows = await market.ctx.db
    .selectFrom('paymentTransactions')
    .select(['provider', 'stripePaymentIntentId', 'paypalCaptureId', 'receiverAccount'])
    .where('bidId', '=', bid.id)
    .$narrowType<{ provider: PaymentProviderName }>()
    .execute();
  return rows.flatMap(({ provider, stripePaymentIntentId, paypalCaptureId, receiverAccount }) => {
    const ref = provider === 'stripe' ? stripePaymentIntentId : paypalCaptureId;
    return ref === null ? [] : [{ provider, ref, account: receiverAccount }];
  });
}

async function playOutside(bid: AcceptedBid, random: Random): Promise<void> {
  for (const { provider, ref, account } of await paymentsOf(bid)) {
    const plays = (provider === 'stripe' ? playsAtStripe : playsAtPaypal)(ref, account);
    for (let count = random(4); count > 0; count -= 1) {
      const names = Object.keys(plays);
      const name = names[random(names.length)] ?? '';
      const play = plays[name];
      if (!play) continue;
      // The provider refuses what cannot be: to win a dispute that there is not.
      const isDone = await world.attempt(async () => {
        await play(random);
        return true;
      });
      if (isDone) played[`${provider}: ${name}`] = (played[`${provider}: ${name}`] ?? 0) + 1;
      if (random(2) === 0) await world.deliverSome(market[provider], random);
    }
  }
}

/** A seller is banned or suspended, and another one comes. */
async function expel(seller: Actor, random: Random): Promise<void> {
  const place = world.sellers.findIndex(({ id }) => id === seller.id);
  const successor = await world.retry(random, () => market.readySeller());
  if (place < 0 || !successor) return;
  world.sellers[place] = successor;
  const status = pick(random, ['banned', 'suspended'] as const);
  const given = {
    id: seller.id,
    status,
    reason: 'Codes that do not work.',
    days: status === 'banned' ? null : 2,
  };
  await world.attempt(() => setUserStatus(actingAs(market.ctx, admin), given));
  played[status] = (played[status] ?? 0) + 1;
}

async function trade(index: number): Promise<void> {
  const random = createRandom(SEED + index);
  // The seller may be expelled while the deal is made.
  const bid = await world.attempt(() => world.acceptBid(random));
  if (!bid) return;
  await (random(3) === 0 ? world.payByPaypal : world.payByCard)(bid, random);
  if (random(2) === 0) await world.deliverSome(market.stripe, random);
  if (random(2) === 0) {
    await world.retry(random, (ctx) => confirmReceipt(actingAs(ctx, bid.buyer), bid.id));
  }
  await playOutside(bid, random);
  if (random(3) === 0) await world.attempt(() => reconcilePayments(world.startProcess(random)));
  await playOutside(bid, random);
  if (random(25) === 0) await expel(bid.seller, random);
  if (index % 5 === 0) market.ctx.clock.advanceDays(1 / 1_440);
}

/** The outside decides what is still open there. */
async function closeOutside(random: Random): Promise<void> {
  const { stripe, paypal } = market;
  for (const { id, status } of await openStripe(world.store).disputes.list()) {
    if (status.startsWith('warning_') && status !== 'warning_closed')
      await stripe.closeDispute(id, 'warning_closed');
    else if (/_review$|_response$/.test(status))
      await stripe.closeDispute(id, pick(random, ['won', 'lost'] as const));
  }
  const stored = openPaypal(world.store);
  for (const { id, status } of await stored.disputes.list()) {
    if (status !== 'RESOLVED') await paypal.closeDispute(id, pick(random, ['won', 'lost'] as const));
  }
  for (const { id, status } of await stored.refunds.list()) {
    if (status === 'PENDING') await paypal.settleRefund(id, 'COMPLETED');
  }
  for (const { id, status } of await stored.payoutItems.list()) {
    if (status === 'PENDING') await paypal.settlePayout(id, 'SUCCESS');
  }
}

/** Days pass. Most events are lost; the comparison with the providers finds what has moved without one. */
async function settleEverything(): Promise<void> {
  const random = createRandom(SEED);
  // The long form lasts until acts that are refused are given up.
  for (let day = 0; day < shortOrLong(6, 14); day += 1) {
    if (day < 3) await world.dropMostEvents();
    await closeOutside(random);
    await market.deliverAll();
    market.ctx.clock.advanceDays(1);
    await reconcilePayments(market.ctx);
    if (day % 5 === 4) for (const name of PAYMENT_PROVIDERS) await compare(name);
  }
  // On day 28 PayPal pays by itself, and says so when it is asked.
  market.ctx.clock.advanceDays(28);
  for (let hour = 0; hour < 3; hour += 1) {
    await reconcilePayments(market.ctx);
    market.ctx.clock.advanceDays(1 / 24);
  }
}

/**
 * Public ids of the PayPal payments that went back to the buyer while our books knew of no payout. PayPal may have paid
 * the seller; then it took the money back from there, and nothing is left to book.
 */
async function undoneWithoutPayout(): Promise<string[]> {
  const rows = await market.ctx.db
    .selectFrom('paymentTransactions as payment')
    .select('publicId')
    .where('provider', '=', 'paypal')
    .where('status', 'in', ['refunding', 'refunded', 'charged_back'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ledgerJournals')
            .select('id')
            .whereRef('paymentId', '=', 'payment.id')
            .where('kind', '=', 'payout'),
        ),
      ),
    )
    .execute();
  return rows.map(({ publicId }) => publicId);
}

async function compare(provider: PaymentProviderName) {
  await market.paypal.completeReports();
  const to = addDays(market.ctx.clock(), 1);
  return compareBooks(market.ctx, provider, { from: addDays(START, -1), to });
}

describe(`${PAYMENTS} payments under faults, while people and banks act outside (seed ${SEED})`, () => {
  beforeAll(async () => {
    await world.tradeInLanes(PAYMENTS, trade);
    await settleEverything();
  });

  it('met faults, crashes and outside acts of every kind', () => {
    const seen = JSON.stringify({ ...world.outcomes, played });
    expect(world.outcomes.faults, seen).toBeGreaterThan(PAYMENTS / 5);
    expect(world.outcomes.crashes, seen).toBeGreaterThan(PAYMENTS / 5);
    const kinds = [...Object.keys(playsAtStripe('', '')), ...Object.keys(playsAtPaypal('', ''))].length + 2;
    expect(Object.keys(played).length, seen).toBeGreaterThanOrEqual(shortOrLong(kinds / 3, kinds));
  });

  it('left our ledger equal to the providers’ own balances, to the cent', async () => {
    const foreign = { stripe: 0, paypal: 0 };
    for (const name of PAYMENT_PROVIDERS) {
      const found = await compare(name);
      expect(found?.differences).toEqual([]);
      for (const { kind, amount } of found?.foreign ?? []) {
        foreign[name] += kind === 'capture' ? amount : -amount;
      }
    }
    expect(await world.clearingOf('stripe')).toBe((await readStripe(world.store)).balance - foreign.stripe);
    const { balance, movements } = await readPaypal(world.store);
    const undone = new Set(await undoneWithoutPayout());
    const unheard = movements.filter(({ kind, publicId }) => kind === 'payout' && undone.has(publicId));
    const unheardOf = unheard.reduce((sum, { amount }) => sum + amount, 0);
    expect(await world.clearingOf('paypal')).toBe(balance - foreign.paypal + unheardOf);
  });

  it('left each coupon with one owner: where the money is kept, the buyer', async () => {
    const { rows } = await sql`
      select b.id, b.status, c.owner_id from bids b join coupons c on c.id = b.coupon_id
      where c.owner_id <> case
        when exists (select from coupon_transfers t where t.bid_id = b.id and not t.is_return)
          and not exists (select from coupon_transfers t where t.bid_id = b.id and t.is_return)
        then b.bidder_id else b.owner_id end`.execute(market.ctx.db);
    expect(rows).toEqual([]);
    const kept = await sql`
      select p.id, p.status from payment_transactions p join bids b on b.id = p.bid_id
      where p.status in ('held', 'releasing', 'completed') and (
        select count(*) from payment_transactions other
        where other.bid_id = p.bid_id and other.status in ('held', 'releasing', 'completed')) > 1`.execute(
      market.ctx.db,
    );
    expect(kept.rows).toEqual([]);
  });

  it('paid nothing twice: no payout above the seller’s part, no refund above the payment', async () => {
    const movements = [
      ...(await readStripe(world.store)).movements,
      ...(await readPaypal(world.store)).movements,
    ];
    const payments = await market.ctx.db
      .selectFrom('paymentTransactions')
      .select(['publicId', 'amount', 'buyerFee', 'netAmount', 'receiverAccount'])
      .execute();
    const wrong = payments.flatMap(({ publicId, amount, buyerFee, netAmount, receiverAccount }) => {
      const own = movements.filter((movement) => movement.publicId === publicId);
      const sumOf = (kind: string) =>
        own.filter((movement) => movement.kind === kind).reduce((sum, one) => sum + one.amount, 0);
      const total = decimalToCents(amount) + decimalToCents(buyerFee);
      const isRight =
        own.filter(({ kind }) => kind === 'charge').length <= 1 &&
        sumOf('refund') <= total &&
        sumOf('payout') - sumOf('reversal') <= decimalToCents(netAmount) &&
        own.every(({ receiver }) => receiver === null || receiver === receiverAccount);
      return isRight ? [] : [{ publicId, total, netAmount, own }];
    });
    expect(wrong).toEqual([]);
  });

  it('left the books sound', async () => {
    expect(await market.broken()).toEqual([]);
  });
});
