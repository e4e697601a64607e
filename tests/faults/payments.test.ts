import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimalToCents } from '#contract/money.ts';
import { listClaims } from '#server/domains/claims/service.ts';
import type { Actor } from '#server/domains/context.ts';
import { confirmReceipt, decideClaim, openClaim } from '#server/domains/payments/protection.ts';
import { type Reconciliation, reconcilePayments } from '#server/domains/payments/reconcile.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import type { AcceptedBid } from '#server/testing/payments.ts';
import { createRandom, pick, type Random } from '#server/testing/random.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { openPaymentsWorld, type PaymentsWorld } from './payments-world.ts';
import { readPaypal, readStripe } from './provider-books.ts';

/** The same seed gives the same choices; only the interleaving differs. */
const SEED = Number(process.env.FAULT_SEED ?? 20_261_121);
const PAYMENTS = shortOrLong(40, 500);

let world: PaymentsWorld;
let market: PaymentsWorld['market'];
let moderator: Actor;

beforeAll(async () => {
  world = await openPaymentsWorld(SEED);
  market = world.market;
  moderator = await createUser(market.ctx, { role: 'moderator' });
});
afterAll(() => market.close());

async function protect(bid: AcceptedBid, random: Random): Promise<void> {
  const what = random(5);
  if (what < 2) await world.retry(random, (ctx) => confirmReceipt(actingAs(ctx, bid.buyer), bid.id));
  if (what !== 2) return;
  const reason = 'The till does not take the code.';
  await world.retry(random, (ctx) => openClaim(actingAs(ctx, bid.buyer), { bidId: bid.id, reason }));
  const { items } = await listClaims(actingAs(market.ctx, moderator), {
    onlyOpen: true,
    page: 1,
    limit: 100,
  });
  const claim = items.find(({ bidId }) => bidId === bid.id);
  if (!claim) return;
  const decision = pick(random, ['refund', 'refund', 'release']);
  await world.retry(random, (ctx) =>
    decideClaim(actingAs(ctx, moderator), { id: claim.id, decision, note: 'I have tried it.' }),
  );
}

async function trade(index: number): Promise<void> {
  const random = createRandom(SEED + index);
  const bid = await world.acceptBid(random);
  const pay = random(4) === 0 ? world.payByPaypal : world.payByCard;
  await pay(bid, random);
  // Some buyers change their minds about how to pay.
  if (random(8) === 0) await (pay === world.payByCard ? world.payByPaypal : world.payByCard)(bid, random);
  if (random(2) === 0) await world.deliverSome(market.stripe, random);
  if (random(4) === 0) await world.deliverSome(market.paypal, random);
  if (random(6) === 0) await world.attempt(() => reconcilePayments(world.startProcess(random)));
  await protect(bid, random);
  // Advance a minute for every five payments, so that retries come due.
  if (index % 5 === 0) market.ctx.clock.advanceDays(1 / 1_440);
}

const isQuiet = (done: Reconciliation) => Object.values(done).every((count) => count === 0);

/** Ends all faults, delivers what waits, and runs the job until nothing is left to do. */
async function settleEverything(): Promise<void> {
  await world.dropMostEvents();
  for (let rounds = 0, quiet = 0; quiet < 3; rounds += 1) {
    if (rounds > 60) throw new Error('It does not come to rest');
    await market.deliverAll();
    market.ctx.clock.advanceDays(1 / 24 + 1 / 1_440);
    quiet = isQuiet(await reconcilePayments(market.ctx)) ? quiet + 1 : 0;
  }
}

function paymentsByBid() {
  return market.ctx.db
    .selectFrom('paymentTransactions')
    .innerJoin('bids', 'bids.id', 'paymentTransactions.bidId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .select(['paymentTransactions.id', 'paymentTransactions.publicId', 'paymentTransactions.bidId'])
    .select(['paymentTransactions.provider'])
    .select(['paymentTransactions.status', 'paymentTransactions.receiverAccount', 'coupons.ownerId'])
    .select(['paymentTransactions.senderId', 'paymentTransactions.receiverId', 'bids.status as bidStatus'])
    .select(['paymentTransactions.amount', 'paymentTransactions.buyerFee', 'paymentTransactions.netAmount'])
    .select('paymentTransactions.providerFee')
    .orderBy('paymentTransactions.id')
    .execute();
}

describe(`${PAYMENTS} payments under faults (seed ${SEED})`, () => {
  beforeAll(async () => {
    await world.tradeInLanes(PAYMENTS, trade);
    await settleEverything();
    // Orders that the server has captured may have been pending until now; their hold ends after that.
    for (let rounds = 0; rounds < 2; rounds += 1) {
      market.ctx.clock.advanceDays(4);
      await settleEverything();
    }
  });

  it('met many faults and crashes, and all reached a final state', async () => {
    expect(world.bids).toHaveLength(PAYMENTS);
    expect(world.outcomes.faults, JSON.stringify(world.outcomes)).toBeGreaterThan(PAYMENTS / 5);
    expect(world.outcomes.crashes, JSON.stringify(world.outcomes)).toBeGreaterThan(PAYMENTS / 5);
    const { rows } = await sql<{ status: string; count: number }>`
      select status, count(*) as count from payment_transactions group by status order by status`.execute(
      market.ctx.db,
    );
    const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    expect(
      Object.keys(counts).filter(
        (status) => !['cancelled', 'completed', 'failed', 'refunded'].includes(status),
      ),
      JSON.stringify(counts),
    ).toEqual([]);
    expect(counts.completed).toBeGreaterThan(PAYMENTS / 2);
    expect(counts.refunded).toBeGreaterThanOrEqual(PAYMENTS / 50);
    expect(counts.cancelled).toBeGreaterThanOrEqual(PAYMENTS / 50);
  });

  it('logged no unexpected errors', () => {
    expect(world.loggedErrors).toEqual([]);
  });

  it('left each coupon with the owner that its sale says', async () => {
    const wrong = (await paymentsByBid()).filter(({ status, ownerId, senderId, receiverId, bidStatus }) => {
      if (status === 'completed') return ownerId !== senderId || bidStatus !== 'completed';
      return (
        status === 'refunded' && bidStatus !== 'completed' && ownerId !== receiverId && ownerId !== senderId
      );
    });
    expect(wrong).toEqual([]);
    const { rows } = await sql`
      select b.id, b.status, c.owner_id from bids b join coupons c on c.id = b.coupon_id
      where c.owner_id <> case when exists (
        select from payment_transactions p where p.bid_id = b.id and p.status = 'completed')
        then b.bidder_id else b.owner_id end`.execute(market.ctx.db);
    expect(rows).toEqual([]);
    const open = await sql`
      select id, status from bids where status in ('pending', 'accepted')`.execute(market.ctx.db);
    expect(open.rows).toEqual([]);
    const held = await sql`select * from coupon_reservations`.execute(market.ctx.db);
    expect(held.rows).toEqual([]);
  });

  it('were charged, refunded and paid out once each at the providers', async () => {
    const { movements: byCard } = await readStripe(world.store);
    const { movements: byPaypal } = await readPaypal(world.store);
    const movements = [...byCard, ...byPaypal];
    const wrong = [];
    const paidFor = new Map<number, number>();
    for (const payment of await paymentsByBid()) {
      const of = (kind: string) =>
        movements.filter((one) => one.kind === kind && one.publicId === payment.publicId);
      const total = decimalToCents(payment.amount) + decimalToCents(payment.buyerFee);
      const fee = payment.provider === 'paypal' ? decimalToCents(payment.providerFee ?? '0.00') : 0;
      const net = decimalToCents(payment.netAmount) - fee;
      const isPaid = payment.status === 'completed' || payment.status === 'refunded';
      const expected = {
        charges: isPaid ? [total] : [],
        refunds: payment.status === 'refunded' ? [total] : [],
        payouts: payment.status === 'completed' ? [[net, payment.receiverAccount]] : [],
      };
      const found = {
        charges: of('charge').map(({ amount }) => amount),
        refunds: of('refund').map(({ amount }) => amount),
        payouts: of('payout').map(({ amount, receiver }) => [amount, receiver]),
      };
      if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push({ payment, found, expected });
      const isKept = payment.status === 'completed' ? 1 : 0;
      paidFor.set(payment.bidId, (paidFor.get(payment.bidId) ?? 0) + isKept);
    }
    expect(wrong).toEqual([]);
    // No buyer has paid twice for one coupon.
    expect([...paidFor].filter(([, count]) => count > 1)).toEqual([]);
  });

  it('left the same sums in our books as at the providers', async () => {
    expect(await world.clearingOf('stripe')).toBe((await readStripe(world.store)).balance);
    expect(await world.clearingOf('paypal')).toBe((await readPaypal(world.store)).balance);
  });

  it('left the books sound', async () => {
    expect(await market.broken()).toEqual([]);
  });
});
