import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimalToCents } from '#contract/money.ts';
import type { PaymentProviderName } from '#contract/sellers.ts';
import { AppError } from '#server/core/errors.ts';
import type { Actor } from '#server/domains/context.ts';
import { confirmReceipt, decideClaim, listClaims, openClaim } from '#server/domains/payments/protection.ts';
import { type Reconciliation, reconcilePayments } from '#server/domains/payments/reconcile.ts';
import {
  capturePaypalOrder,
  createPaymentIntent,
  createPaypalOrder,
  refreshPayment,
} from '#server/domains/payments/service.ts';
import { ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';
import type { Fault, Sandbox } from '#server/sandbox/server.ts';
import { actingAs, createUser, type TestContext } from '#server/testing/builders.ts';
import { type AcceptedBid, CARDS, type Market, openMarket } from '#server/testing/payments.ts';
import { createRandom, pick, type Random } from '#server/testing/random.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { createMemoryStore } from '#server/testing/sandbox-store.ts';
import { Crashed, createCrashingContext } from './crashes.ts';
import { readPaypal, readStripe } from './provider-books.ts';

/** The same seed gives the same choices; only the interleaving differs. */
const SEED = Number(process.env.FAULT_SEED ?? 20_261_121);
const PAYMENTS = shortOrLong(100, 500);
const LANES = 24;
const PEOPLE = 12;

const FAULT_ONE_IN = 18;
const CRASH_ONE_IN = 12;
const FAULTS = ['error-before', 'error-after', 'stall-after', 'cut-before', 'cut-after'] as const;

const store = createMemoryStore();
const faultDice = createRandom(SEED);
let isFaulty = false;
let market: Market;
let sellers: Actor[];
let buyers: Actor[];
let moderator: Actor;
const bids: AcceptedBid[] = [];
/** Errors in the log: no fault may cause one. */
const loggedErrors: unknown[] = [];
const outcomes = { faults: 0, crashes: 0, refusals: 0 };

function faultOf(): Fault | null {
  if (!isFaulty || faultDice(FAULT_ONE_IN) > 0) return null;
  outcomes.faults += 1;
  return pick(faultDice, FAULTS);
}

beforeAll(async () => {
  market = await openMarket({ sandbox: { store, fault: faultOf } });
  moderator = await createUser(market.ctx, { role: 'moderator' });
  sellers = await Promise.all(Array.from({ length: PEOPLE }, () => market.readySeller()));
  buyers = await Promise.all(Array.from({ length: PEOPLE }, () => createUser(market.ctx)));
});
afterAll(() => market.close());

/** A context of a new process that may crash. */
function startProcess(random: Random): TestContext {
  const log = Object.create(market.ctx.log, {
    error: { value: (given: { err?: unknown }) => given.err instanceof Crashed || loggedErrors.push(given) },
  });
  return createCrashingContext({ ...market.ctx, log }, random, CRASH_ONE_IN);
}

/** Runs an action whose outcome is unknown when it fails. */
async function attempt<Result>(act: () => Promise<Result>): Promise<Result | null> {
  try {
    return await act();
  } catch (error) {
    const isExpected =
      error instanceof Crashed ||
      error instanceof ProviderUnreachable ||
      error instanceof ProviderRefusal ||
      (error instanceof AppError && error.code !== 'internal');
    if (!isExpected) throw error;
    if (error instanceof Crashed) outcomes.crashes += 1;
    else outcomes.refusals += 1;
    return null;
  }
}

/** Retries with a new process, a while later. */
async function retry<Result>(
  random: Random,
  act: (ctx: TestContext) => Promise<Result>,
): Promise<Result | null> {
  for (let tries = 1; tries <= 4; tries += 1) {
    const result = await attempt(() => act(startProcess(random)));
    if (result !== null) return result;
    if (random(3) === 0) await attempt(() => reconcilePayments(startProcess(random)));
  }
  return null;
}

async function payByCard(bid: AcceptedBid, random: Random): Promise<void> {
  const intent = await retry(random, (ctx) =>
    createPaymentIntent(actingAs(ctx, bid.buyer), { bidId: bid.id, keepCard: random(10) === 0 }),
  );
  if (!intent || random(20) === 0) return;
  const cards = pick(random, [[CARDS.good], [CARDS.good], [CARDS.declined, CARDS.good], [CARDS.processing]]);
  for (const card of cards) await market.stripe.confirmWithCard(intent.clientSecret, card).catch(unpayable);
  if (random(2) === 0) await attempt(() => refreshPayment(actingAs(startProcess(random), bid.buyer), bid.id));
}

async function payByPaypal(bid: AcceptedBid, random: Random): Promise<void> {
  const order = await retry(random, (ctx) => createPaypalOrder(actingAs(ctx, bid.buyer), bid.id));
  if (!order || random(20) === 0) return;
  const funding = pick(random, ['balance', 'balance', 'balance', 'pending']);
  await market.paypal.approveOrder(order.orderId, funding).catch(unpayable);
  await retry(random, (ctx) => capturePaypalOrder(actingAs(ctx, bid.buyer), bid.id));
}

/** The payment was given up or paid meanwhile; the provider's page refuses. */
function unpayable(): void {
  outcomes.refusals += 1;
}

async function protect(bid: AcceptedBid, random: Random): Promise<void> {
  const what = random(5);
  if (what < 2) await retry(random, (ctx) => confirmReceipt(actingAs(ctx, bid.buyer), bid.id));
  if (what !== 2) return;
  const reason = 'The till does not take the code.';
  await retry(random, (ctx) => openClaim(actingAs(ctx, bid.buyer), { bidId: bid.id, reason }));
  const { items } = await listClaims(actingAs(market.ctx, moderator), {
    onlyOpen: true,
    page: 1,
    limit: 100,
  });
  const claim = items.find(({ bidId }) => bidId === bid.id);
  if (!claim) return;
  const decision = pick(random, ['refund', 'refund', 'release']);
  await retry(random, (ctx) =>
    decideClaim(actingAs(ctx, moderator), { id: claim.id, decision, note: 'I have tried it.' }),
  );
}

/** Delivers some waiting events late, twice and out of order. */
async function deliverSome(sandbox: Sandbox, random: Random): Promise<void> {
  const waiting = sandbox.waiting();
  for (let count = 0; count < Math.min(4, waiting.length); count += 1) {
    const event = waiting[random(waiting.length)];
    if (!event) continue;
    await sandbox.deliver(event);
    if (random(3) === 0) await sandbox.deliver(event);
  }
}

async function trade(index: number): Promise<void> {
  const random = createRandom(SEED + index);
  const [seller, buyer] = [sellers[random(PEOPLE)], buyers[random(PEOPLE)]];
  if (!seller || !buyer) throw new Error('There is nobody');
  const bid = await market.acceptedBid({ seller, buyer, amount: 300 + random(20_000) });
  bids.push(bid);
  const pay = random(4) === 0 ? payByPaypal : payByCard;
  await pay(bid, random);
  // Some buyers change their minds about how to pay.
  if (random(8) === 0) await (pay === payByCard ? payByPaypal : payByCard)(bid, random);
  if (random(2) === 0) await deliverSome(market.stripe, random);
  if (random(4) === 0) await deliverSome(market.paypal, random);
  if (random(6) === 0) await attempt(() => reconcilePayments(startProcess(random)));
  await protect(bid, random);
  // Advance a minute for every five payments, so that retries come due.
  if (index % 5 === 0) market.ctx.clock.advanceDays(1 / 1_440);
}

const isQuiet = (done: Reconciliation) => Object.values(done).every((count) => count === 0);

/** Ends all faults, delivers what waits, and runs the job until nothing is left to do. */
async function settleEverything(): Promise<void> {
  const random = createRandom(SEED);
  for (const sandbox of [market.stripe, market.paypal]) {
    // Most events never arrive; nothing may depend on them.
    for (const event of sandbox.waiting()) if (random(4) > 0) sandbox.drop(event);
  }
  for (const { ref, isCard } of await waitingAtProviders()) {
    if (isCard) await market.stripe.finishProcessing(ref);
    else await market.paypal.settlePending(ref);
  }
  for (let rounds = 0, quiet = 0; quiet < 3; rounds += 1) {
    if (rounds > 60) throw new Error('It does not come to rest');
    await market.deliverAll();
    market.ctx.clock.advanceDays(1 / 24 + 1 / 1_440);
    quiet = isQuiet(await reconcilePayments(market.ctx)) ? quiet + 1 : 0;
  }
}

async function waitingAtProviders(): Promise<{ ref: string; isCard: boolean }[]> {
  const idsOf = async (kind: string, status: string) =>
    (await store.list(kind)).flatMap((value) => {
      const known = value as { id: string; status: string };
      return known.status === status ? [known.id] : [];
    });
  return [
    ...(await idsOf('stripe.payment_intent', 'processing')).map((ref) => ({ ref, isCard: true })),
    ...(await idsOf('paypal.capture', 'PENDING')).map((ref) => ({ ref, isCard: false })),
  ];
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

async function clearingOf(provider: PaymentProviderName): Promise<number> {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(e.amount), 0.00)::text as sum from ledger_entries e
    join ledger_accounts a on a.id = e.account_id
    where a.kind = 'provider_clearing' and a.provider = ${provider}`.execute(market.ctx.db);
  const sum = rows[0]?.sum ?? '0';
  return sum.startsWith('-') ? -decimalToCents(sum.slice(1)) : decimalToCents(sum);
}

describe(`${PAYMENTS} payments under faults (seed ${SEED})`, () => {
  beforeAll(async () => {
    isFaulty = true;
    let next = 0;
    const lane = async () => {
      for (let index = next++; index < PAYMENTS; index = next++) await trade(index);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    isFaulty = false;
    await settleEverything();
    // Orders that the server has captured may have been pending until now; their hold ends after that.
    for (let rounds = 0; rounds < 2; rounds += 1) {
      market.ctx.clock.advanceDays(4);
      await settleEverything();
    }
  });

  it('met many faults and crashes, and all reached a final state', async () => {
    expect(bids).toHaveLength(PAYMENTS);
    expect(outcomes.faults, JSON.stringify(outcomes)).toBeGreaterThan(PAYMENTS / 5);
    expect(outcomes.crashes, JSON.stringify(outcomes)).toBeGreaterThan(PAYMENTS / 5);
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
    expect(counts.refunded).toBeGreaterThan(PAYMENTS / 50);
    expect(counts.cancelled).toBeGreaterThan(PAYMENTS / 50);
  });

  it('logged no unexpected errors', () => {
    expect(loggedErrors).toEqual([]);
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
    const { movements: byCard } = await readStripe(store);
    const { movements: byPaypal } = await readPaypal(store);
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
    expect(await clearingOf('stripe')).toBe((await readStripe(store)).balance);
    expect(await clearingOf('paypal')).toBe((await readPaypal(store)).balance);
  });

  it('left the books sound', async () => {
    expect(await market.broken()).toEqual([]);
  });
});
