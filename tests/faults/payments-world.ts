import { sql } from 'kysely';
import { decimalToCents } from '#contract/money.ts';
import type { PaymentProviderName } from '#contract/sellers.ts';
import { type Fault, Refusal, type Sandbox } from '#sandbox/server.ts';
import { openStore } from '#sandbox/store.ts';
import { AppError } from '#server/core/errors.ts';
import { reconcilePayments } from '#server/domains/payments/reconcile.ts';
import {
  capturePaypalOrder,
  createPaymentIntent,
  createPaypalOrder,
  refreshPayment,
} from '#server/domains/payments/service.ts';
import { ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';
import { actingAs, createUser, type TestClock, type TestContext } from '#server/testing/builders.ts';
import { MANY_CONNECTIONS } from '#server/testing/database.ts';
import { type AcceptedBid, CARDS, openMarket } from '#server/testing/payments.ts';
import { createRandom, pick, type Random } from '#server/testing/random.ts';
import { Crashed, createCrashingContext } from './crashes.ts';

const LANES = 24;
const PEOPLE = 12;

const FAULT_ONE_IN = 18;
const CRASH_ONE_IN = 12;
const FAULTS = ['error-before', 'error-after', 'stall-after', 'cut-before', 'cut-after'] as const;

export type PaymentsWorld = Awaited<ReturnType<typeof openPaymentsWorld>>;

/** A market whose providers fail and whose processes crash, at random. The same seed gives the same choices. */
export async function openPaymentsWorld(seed: number, clock?: TestClock) {
  const store = openStore();
  const faultDice = createRandom(seed);
  let isFaulty = false;
  /** Errors in the log: no fault may cause one. */
  const loggedErrors: unknown[] = [];
  const outcomes = { faults: 0, crashes: 0, refusals: 0 };
  const bids: AcceptedBid[] = [];

  const faultOf = (): Fault | null => {
    if (!isFaulty || faultDice(FAULT_ONE_IN) > 0) return null;
    outcomes.faults += 1;
    return pick(faultDice, FAULTS);
  };
  const market = await openMarket({
    ...(clock && { clock }),
    sandbox: { store, fault: faultOf },
    connections: MANY_CONNECTIONS,
  });
  const { ctx } = market;
  const sellers = await Promise.all(Array.from({ length: PEOPLE }, () => market.readySeller()));
  const buyers = await Promise.all(Array.from({ length: PEOPLE }, () => createUser(ctx)));

  /** A context of a new process that may crash. */
  function startProcess(random: Random): TestContext {
    const log = Object.create(ctx.log, {
      error: {
        value: (given: { err?: unknown }) => given.err instanceof Crashed || loggedErrors.push(given),
      },
    });
    return createCrashingContext({ ...ctx, log }, random, CRASH_ONE_IN);
  }

  /** Runs an action whose outcome is unknown when it fails. */
  async function attempt<Result>(act: () => Promise<Result>): Promise<Result | null> {
    try {
      return await act();
    } catch (error) {
      const isExpected =
        error instanceof Crashed ||
        error instanceof Refusal ||
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
    act: (own: TestContext) => Promise<Result>,
  ): Promise<Result | null> {
    for (let tries = 1; tries <= 4; tries += 1) {
      const result = await attempt(() => act(startProcess(random)));
      if (result !== null) return result;
      if (random(3) === 0) await attempt(() => reconcilePayments(startProcess(random)));
    }
    return null;
  }

  /** An accepted bid between two of the people. */
  async function acceptBid(random: Random): Promise<AcceptedBid> {
    const [seller, buyer] = [sellers[random(PEOPLE)], buyers[random(PEOPLE)]];
    if (!seller || !buyer) throw new Error('There is nobody');
    const bid = await market.acceptedBid({ seller, buyer, amount: 300 + random(20_000) });
    bids.push(bid);
    return bid;
  }

  async function payByCard(bid: AcceptedBid, random: Random): Promise<void> {
    const intent = await retry(random, (own) =>
      createPaymentIntent(actingAs(own, bid.buyer), { bidId: bid.id, keepCard: random(10) === 0 }),
    );
    if (!intent || random(20) === 0) return;
    const cards = pick(random, [
      [CARDS.good],
      [CARDS.good],
      [CARDS.declined, CARDS.good],
      [CARDS.processing],
    ]);
    for (const card of cards) {
      // The payment was given up or paid meanwhile; the provider's page refuses.
      await attempt(() => market.stripe.confirmWithCard(intent.clientSecret, card));
    }
    if (random(2) === 0) {
      await attempt(() => refreshPayment(actingAs(startProcess(random), bid.buyer), bid.id));
    }
  }

  async function payByPaypal(bid: AcceptedBid, random: Random): Promise<void> {
    const order = await retry(random, (own) => createPaypalOrder(actingAs(own, bid.buyer), bid.id));
    if (!order || random(20) === 0) return;
    const funding = pick(random, ['balance', 'balance', 'balance', 'pending']);
    await attempt(() => market.paypal.approveOrder(order.orderId, funding));
    await retry(random, (own) => capturePaypalOrder(actingAs(own, bid.buyer), bid.id));
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

  /** Drops most of the waiting events: nothing may depend on them. Lets what is processing end. */
  async function dropMostEvents(): Promise<void> {
    const random = createRandom(seed);
    for (const sandbox of [market.stripe, market.paypal]) {
      for (const event of sandbox.waiting()) if (random(4) > 0) sandbox.drop(event);
    }
    for (const { ref, isCard } of await waitingAtProviders()) {
      if (isCard) await market.stripe.finishProcessing(ref);
      else await market.paypal.settlePending(ref);
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

  return {
    market,
    ctx,
    store,
    sellers,
    buyers,
    bids,
    loggedErrors,
    outcomes,
    startProcess,
    attempt,
    retry,
    acceptBid,
    payByCard,
    payByPaypal,
    deliverSome,
    dropMostEvents,
    /** Trades many times, several at once, while providers fail. */
    async tradeInLanes(count: number, trade: (index: number) => Promise<void>): Promise<void> {
      isFaulty = true;
      let next = 0;
      const lane = async () => {
        for (let index = next++; index < count; index = next++) await trade(index);
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      isFaulty = false;
    },
    /** What our books say that a provider has of ours, in cents. */
    async clearingOf(provider: PaymentProviderName): Promise<number> {
      const { rows } = await sql<{ sum: string }>`
        select coalesce(sum(e.amount), 0.00)::text as sum from ledger_entries e
        join ledger_accounts a on a.id = e.account_id
        where a.kind = 'provider_clearing' and a.provider = ${provider}`.execute(ctx.db);
      const sum = rows[0]?.sum ?? '0';
      return sum.startsWith('-') ? -decimalToCents(sum.slice(1)) : decimalToCents(sum);
    },
  };
}
