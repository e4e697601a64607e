import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { centsToDecimal, decimalToCents } from '#contract/money.ts';
import { openStore } from '#sandbox/store.ts';
import { openStored as openStripe } from '#sandbox/stripe/objects.ts';
import { AppError } from '#server/core/errors.ts';
import { actingAs, createCoupon, createTestClock, createUser } from '#server/testing/builders.ts';
import { move, propose, swapAway } from '#server/testing/exchanges.ts';
import { acceptedSwap } from '#server/testing/leg-prices.ts';
import { HANGS_MS } from '#server/testing/patience.ts';
import { type AcceptedBid, paymentOf, setUpMarket, totalsOfBid } from '#server/testing/payments.ts';
import { createRandom } from '#server/testing/random.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { compareBooks } from '../books/comparison.ts';
import { listDebts } from '../books/debts.ts';
import { sumReserve } from '../books/reserve-store.ts';
import { waitingAward } from '../books/service.ts';
import { decideLegClaim, openLegClaim, withdrawLegClaim } from '../claims/legs.ts';
import { answerClaim } from '../claims/service.ts';
import type { Actor } from '../context.ts';
import { markUsed } from '../coupons/using.ts';
import { setUserStatus } from '../moderation/status.ts';
import { refundByAdmin, settleDebt } from './admin.ts';
import { settleClaimedPrice } from './price-refunds.ts';
import {
  confirmReceipt,
  decideClaim,
  listClaims,
  openClaim,
  protectionOf,
  withdrawClaim,
} from './protection.ts';
import { reconcilePayments } from './reconcile.ts';

/** The providers' clocks are real. */
const clock = createTestClock(new Date());
const store = openStore();
const market = setUpMarket({
  clock,
  sandbox: { store },
  config: { guarantee: { days: 7, reservePercent: 20 } },
});
const stripe = openStripe(store);
const as = (actor: Actor) => actingAs(market.ctx, actor);
const SALES = shortOrLong(24, 1_000);
/** What so few sales need not have. */
const RARE: readonly string[] = shortOrLong(['refusedClaims'], []);

/** The balance of an account of the ledger, in cents. */
async function balanceOf(kind: string, provider: string | null = null): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select (100 * coalesce(sum(e.amount), 0))::integer as cents from ledger_entries e
    join ledger_accounts a on a.id = e.account_id
    where a.kind = ${kind} and (a.provider = ${provider} or ${provider}::text is null)`.execute(
    market.ctx.db,
  );
  return rows[0]?.cents ?? 0;
}

/** What the money of the guarantee must satisfy after every step. */
async function checkReserve(bid: AcceptedBid): Promise<void> {
  const { balance, paidIn, laidOut, cameBack } = await sumReserve(market.ctx.db);
  const [holds, paid, out, back] = [balance, paidIn, laidOut, cameBack].map(decimalToCents);
  if (holds === undefined || paid === undefined || out === undefined || back === undefined) throw new Error();
  expect(holds).toBeGreaterThanOrEqual(0);
  expect(holds).toBe(paid - out + back);
  const { cover } = await protectionOf(as(bid.buyer), bid.id);
  if (cover) expect(decimalToCents(cover.fromReserve)).toBeLessThanOrEqual(holds);
}

it(`the ledger equals the providers and the reserve after ${SALES} sales with late claims`, {
  timeout: shortOrLong(HANGS_MS, 3_600_000),
}, async () => {
  const random = createRandom(20_261_127);
  const moderator = await createUser(market.ctx, { role: 'moderator' });
  const admin = await createUser(market.ctx, { role: 'admin' });
  const sellers = await Promise.all(Array.from({ length: 8 }, () => market.readySeller()));
  const buyers = await Promise.all(Array.from({ length: shortOrLong(8, 40) }, () => createUser(market.ctx)));
  const counts = { claims: 0, refusedClaims: 0, granted: 0, covered: 0, waited: 0, settled: 0 };
  const granted: AcceptedBid[] = [];
  const one = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;

  for (let sale = 0; sale < SALES; sale += 1) {
    const bid = await market.acceptedBid({
      seller: one(sellers),
      buyer: one(buyers),
      amount: 300 + random(random(8) === 0 ? 40_000 : 3_000),
    });
    await (random(4) === 0 ? market.payByPaypal(bid) : market.payByCard(bid));
    await confirmReceipt(as(bid.buyer), bid.id);
    const payment = await paymentOf(market.ctx, bid);
    // Sellers take their money out, so that Stripe cannot take it back.
    if (payment.provider === 'stripe' && random(3) > 0)
      await market.stripe.payOutToBank(payment.receiverAccount).catch(() => undefined);
    if (random(3) === 0) {
      const promised = (await protectionOf(as(bid.buyer), bid.id)).cover?.fromReserve ?? '0.00';
      const given = { bidId: bid.id, reason: 'The till refuses it.', shopAnswer: 'It was cancelled.' };
      const isOpen = await openClaim(as(bid.buyer), given).then(
        () => true,
        () => false,
      );
      counts[isOpen ? 'claims' : 'refusedClaims'] += 1;
      const { items } = await listClaims(as(moderator), { onlyOpen: true, page: 1, limit: 100 });
      const id = items.find(({ bidId }) => bidId === bid.id)?.id;
      if (isOpen && id !== undefined) {
        await answerClaim(as(bid.seller), { id, answer: 'It worked for me.' });
        const decision = random(5) === 0 ? 'release' : 'refund';
        // PayPal's refund takes the seller's part by itself.
        const { transferred, offset } = await totalsOfBid(market.ctx, bid);
        const sellersPart = payment.provider === 'stripe' ? transferred + offset : 0;
        await decideClaim(as(moderator), { id, decision, note: 'So it is.' });
        if (decision === 'refund') {
          granted.push(bid);
          counts.granted += 1;
          const totals = await totalsOfBid(market.ctx, bid);
          if (totals.covered > 0) counts.covered += 1;
          if (waitingAward(totals) > 0) counts.waited += 1;
          // What was promised as payable was paid: the fee, and of the seller's part at least the promise.
          const laidOut = Math.min(sellersPart, decimalToCents(promised));
          expect(totals.refunded).toBeGreaterThanOrEqual(totals.captured - sellersPart + laidOut);
        }
      }
    }
    await checkReserve(bid);
    if (random(12) === 0) {
      const [debt] = await listDebts(as(admin));
      const how = debt?.provider === 'paypal' && random(2) === 0 ? 'collected' : 'written_off';
      // Not while it is being reversed.
      if (debt && debt.way !== 'reversal') {
        await settleDebt(as(admin), { paymentId: debt.paymentId, how, reason: 'Seen.' });
        counts.settled += 1;
      }
      await reconcilePayments(market.ctx);
    }
    if (random(6) === 0) await market.deliverAll();
  }
  await market.deliverAll();
  await market.passDays(1);
  clock.set(new Date());
  expect(counts.granted).toBeGreaterThan(SALES / 10);
  for (const [name, count] of Object.entries(counts))
    expect([name, count > 0 || RARE.includes(name)]).toEqual([name, true]);

  // Nobody waits for more than sellers still owe, and nobody has got more than was paid.
  let waiting = 0;
  for (const bid of granted) {
    const totals = await totalsOfBid(market.ctx, bid);
    waiting += waitingAward(totals);
    expect(totals.refunded).toBeLessThanOrEqual(totals.captured);
  }
  expect(await balanceOf('awards')).toBe(0 - waiting);
  expect(await balanceOf('reserve')).toBe(0 - decimalToCents((await sumReserve(market.ctx.db)).balance));
  const booked = await stripe.balanceTransactions.list();
  expect(await balanceOf('provider_clearing', 'stripe')).toBe(booked.reduce((sum, { net }) => sum + net, 0));
  await market.paypal.completeReports();
  const now = Date.now();
  for (const provider of ['stripe', 'paypal'] as const) {
    const period = { from: new Date(now - 86_400_000), to: new Date(now + 86_400_000) };
    expect(await compareBooks(market.ctx, provider, period)).toMatchObject({ differences: [], undecided: 0 });
  }
  expect(await market.broken()).toEqual([]);
});

/** What was bought: by a sale, or by the price of a leg. */
interface Bought {
  readonly bid: AcceptedBid;
  readonly exchangeId: number | null;
}

const HISTORIES = shortOrLong(24, 200);
/** What so few histories need not have. */
const RARE_ACTS: readonly string[] = shortOrLong(
  ['refund there', 'withdraw', 'promise', 'refuse', 'use'],
  [],
);

describe('money and its coupon', () => {
  let [moderator, admin]: Actor[] = [];
  beforeAll(async () => {
    moderator = await createUser(market.ctx, { role: 'moderator' });
    admin = await createUser(market.ctx, { role: 'admin' });
  });
  const by = (actor: Actor | undefined) => as(actor as Actor);

  const claimIdOf = async ({ bid }: Bought) => {
    const claims = market.ctx.db.selectFrom('claims').select('id').where('paidBidId', '=', bid.id);
    return (await claims.executeTakeFirst())?.id ?? 0;
  };
  const decide = async (bought: Bought, isUpheld: boolean) => {
    const [id, note] = [await claimIdOf(bought), 'So it is.'];
    return bought.exchangeId === null
      ? decideClaim(by(moderator), { id, decision: isUpheld ? 'refund' : 'release', note })
      : decideLegClaim(
          by(moderator),
          { id, decision: isUpheld ? 'upheld' : 'refused', note },
          settleClaimedPrice,
        );
  };
  const refund = async ({ bid }: Bought, amountOf: (left: number) => number) => {
    const { refunded, withdrawn, captured } = await totalsOfBid(market.ctx, bid);
    const [returned, amount] = [refunded + withdrawn, amountOf(captured - refunded - withdrawn)];
    const money = { amount: centsToDecimal(amount), returned: centsToDecimal(returned) };
    const { id: paymentId } = await paymentOf(market.ctx, bid);
    return refundByAdmin(by(admin), { paymentId, ...money, reason: 'So it is.' });
  };
  const setStatus = ({ id }: Actor, status: 'active' | 'banned') =>
    setUserStatus(by(admin), { id, status, reason: 'So it is.' });

  const ACTS: Record<string, (bought: Bought) => Promise<unknown>> = {
    confirm: ({ bid }) => confirmReceipt(as(bid.buyer), bid.id),
    claim: ({ bid, exchangeId }) => {
      const reason = 'The till refuses it.';
      return exchangeId === null
        ? openClaim(as(bid.buyer), { bidId: bid.id, reason, shopAnswer: 'It was cancelled.' })
        : openLegClaim(as(bid.buyer), { exchangeId, couponId: bid.coupon.id, reason });
    },
    answer: async (bought) =>
      answerClaim(as(bought.bid.seller), { id: await claimIdOf(bought), answer: 'It worked for me.' }),
    withdraw: async (bought) =>
      bought.exchangeId === null
        ? withdrawClaim(as(bought.bid.buyer), bought.bid.id)
        : withdrawLegClaim(as(bought.bid.buyer), await claimIdOf(bought), settleClaimedPrice),
    uphold: (bought) => decide(bought, true),
    refuse: (bought) => decide(bought, false),
    'pass on': ({ bid }) => swapAway(market.ctx, bid.buyer, bid.coupon),
    promise: async ({ bid }) => {
      const other = await createUser(market.ctx);
      const requested = await createCoupon(market.ctx, other);
      const { id } = await propose(market.ctx, bid.buyer, { requested, offered: bid.coupon });
      return move(market.ctx, other, id, 'accepted');
    },
    use: ({ bid }) => markUsed(as(bid.buyer), bid.coupon.id),
    'refund all': (bought) => refund(bought, (left) => left),
    'refund a part': (bought) => refund(bought, (left) => Math.ceil(left / 3)),
    'refund there': async ({ bid }) => {
      const { stripePaymentIntentId: ref } = await paymentOf(market.ctx, bid);
      const { captured, refunded } = await totalsOfBid(market.ctx, bid);
      if (ref !== null)
        await market.stripe.refund(ref, { amount: captured - refunded }).catch(() => undefined);
    },
    'ban the buyer': ({ bid }) => setStatus(bid.buyer, 'banned'),
    'ban the seller': ({ bid }) => setStatus(bid.seller, 'banned'),
    'lift the bans': async ({ bid }) => {
      for (const person of [bid.buyer, bid.seller]) await setStatus(person, 'active');
    },
    'wait a day': () => market.passDays(1),
    'wait the hold': () => market.passDays(4),
    'hear news': () => market.deliverAll(),
  };
  const NAMES = Object.keys(ACTS);

  it(`are never with one person, after ${HISTORIES} histories of claims, refunds, swaps and bans`, {
    timeout: shortOrLong(HANGS_MS, 3_600_000),
  }, async () => {
    const random = createRandom(20_281_128);
    const one = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
    const sellers = [await market.readySeller(), await market.readySeller()];
    const counts = new Map<string, { done: number; refused: number }>();
    const play = async (bought: Bought, name: string) => {
      const count = counts.get(name) ?? { done: 0, refused: 0 };
      counts.set(name, count);
      try {
        await ACTS[name]?.(bought);
        count.done += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        count.refused += 1;
      }
    };
    for (let history = 0; history < HISTORIES; history += 1) {
      const bought =
        random(3) === 0
          ? await acceptedSwap(market).then(({ id, bid }) => ({ bid, exchangeId: id }))
          : { bid: await market.acceptedBid({ seller: one(sellers) }), exchangeId: null };
      await (random(2) === 0 ? market.payByCard(bought.bid) : market.payByPaypal(bought.bid));
      const begin = one([['claim'], ['confirm', 'claim'], ['wait the hold', 'claim'], ['confirm']]);
      const then = Array.from({ length: 6 }, () =>
        one(random(3) === 0 ? ['answer', 'uphold', 'pass on'] : NAMES),
      );
      const told = [...begin, ...then, 'lift the bans', 'hear news', 'wait a day'];
      for (const name of told) await play(bought, name);
      expect([history, told, await market.broken()]).toEqual([history, told, []]);
    }
    for (const name of NAMES) {
      const isSeen = (counts.get(name)?.done ?? 0) > 0 || RARE_ACTS.includes(name);
      expect([name, isSeen]).toEqual([name, true]);
    }
    expect(counts.get('pass on')?.refused).toBeGreaterThan(0);
  });
});
