import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { centsToDecimal } from '#contract/base/money.ts';
import type { Protection } from '#contract/money/payments.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Sandbox } from '#sandbox/main.ts';
import type { Actor, MemberContext } from '#server/context/context.ts';
import { placeBid, setBidStatus } from '#server/deals/bids/service.ts';
import { checkLedger, readTotals, type Totals } from '#server/money/books/ledger.ts';
import { protectionOf } from '#server/money/claims/protection.ts';
import {
  capturePaypalOrder,
  createPaymentIntent,
  createPaypalOrder,
  refreshPayment,
} from '#server/money/payments/service.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import {
  connectAccountStatus,
  createAccountLink,
  createPaypalOnboardingLink,
  paypalSellerStatus,
} from '#server/people/sellers/service.ts';
import { trackingIdOf } from '#server/providers/paypal/onboarding.ts';
import { createTestApp, type TestApp } from './app.ts';
import { actingAs, createCoupon, createUser, type TestContext, type TestCoupon } from './builders.ts';
import { noticesOf } from './exchanges.ts';
import { checkInvariants } from './invariants.ts';

/** Test card numbers, by what happens when they pay. */
export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  challenge: '4000002500003155',
  processing: '4000000000003006',
} as const;

/** Stripe's signature of a webhook's body. @param secret the sandbox's own by default */
export function stripeSignature(
  body: string,
  { secret = 'whsec_clipswap_sandbox', at = Date.now() }: { secret?: string; at?: number } = {},
): string {
  const seconds = Math.floor(at / 1_000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}

/** An accepted bid with its participants. */
export interface AcceptedBid {
  readonly id: number;
  readonly amount: number;
  readonly seller: Actor;
  readonly buyer: Actor;
  readonly coupon: TestCoupon;
}

/** The application with both payment sandboxes, and helpers for trading. */
export interface Market extends TestApp {
  readonly stripe: Sandbox['stripe'];
  readonly paypal: Sandbox['paypal'];
  /** Creates a person who has completed the set-up of these providers. */
  readySeller(providers?: readonly PaymentProviderName[]): Promise<Actor>;
  /** Creates an accepted bid. @param amount in CAD cents, by default 10.00 */
  acceptedBid(given?: {
    amount?: number;
    seller?: Actor;
    buyer?: Actor;
    ctx?: TestContext;
  }): Promise<AcceptedBid>;
  /** Begins to pay by card. */
  intentOf(bid: AcceptedBid): ReturnType<typeof createPaymentIntent>;
  /** Begins to pay by PayPal. */
  orderOf(bid: AcceptedBid): ReturnType<typeof createPaypalOrder>;
  /** The status of the bid's one payment. */
  statusOf(bid: AcceptedBid): Promise<string>;
  /** Pays as the browser does: intent, confirmation, and reading the status. */
  payByCard(bid: AcceptedBid, number?: string): Promise<Protection>;
  /** Answers the buyer's bank's challenge. @returns the payment intent's status afterwards */
  answerChallenge(clientSecret: string, hasPassed?: boolean): Promise<string>;
  /** Pays by PayPal: order, approval on PayPal's pages, capture. */
  payByPaypal(bid: AcceptedBid): Promise<Protection>;
  /** Creates a paid bid. */
  paidBid(given?: { amount?: number; seller?: Actor; by?: PaymentProviderName }): Promise<AcceptedBid>;
  /** Delivers every held webhook, oldest first. @returns the answers' status codes */
  deliverAll(): Promise<number[]>;
  /** Moves the clock and runs the jobs of payments: twice, as one may open what the next does. */
  passDays(days: number): Promise<void>;
  /** The texts of a person's notifications, oldest first. */
  textsFor(who: Actor): Promise<string[]>;
  /** The broken invariants and ledger rules; empty if all hold. */
  broken(): Promise<unknown[]>;
}

/** Opens the market. Webhooks are held until a test delivers them. */
export async function openMarket(given: Parameters<typeof createTestApp>[0] = {}): Promise<Market> {
  const app = await createTestApp({
    standIns: ['stripe', 'paypal'],
    ...given,
  });
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  return marketOf(app);
}

/** Reads a payment from its provider. @returns what the buyer sees afterwards */
export async function refreshed(ctx: MemberContext, bidId: number): Promise<Protection> {
  await refreshPayment(ctx, bidId);
  return protectionOf(ctx, bidId);
}

/** Captures an approved order. @returns what the buyer sees afterwards */
export async function captured(ctx: MemberContext, bidId: number): Promise<Protection> {
  await capturePaypalOrder(ctx, bidId);
  return protectionOf(ctx, bidId);
}

/** The market of an application with both payment sandboxes that listens. */
export function marketOf(app: TestApp): Market {
  const { ctx, sandbox } = app;
  if (!sandbox) throw new Error('A market needs the sandbox');
  const { stripe, paypal } = sandbox;

  const readySeller: Market['readySeller'] = async (providers = ['stripe', 'paypal']) => {
    const seller = await createUser(ctx);
    if (providers.includes('stripe')) await setUpStripeSeller(ctx, seller, stripe);
    if (providers.includes('paypal')) {
      const me = actingAs(ctx, seller);
      await createPaypalOnboardingLink(me);
      await paypal.finishOnboarding(trackingIdOf(seller.id));
      await paypalSellerStatus(me);
    }
    return seller;
  };

  const acceptedBid: Market['acceptedBid'] = async ({
    amount = 1_000,
    seller,
    buyer,
    ctx: own = ctx,
  } = {}) => {
    const from = seller ?? (await readySeller());
    const to = buyer ?? (await createUser(own));
    const coupon = await createCoupon(own, from);
    const bid = await placeBid(actingAs(own, to), {
      couponId: coupon.id,
      amount: centsToDecimal(amount),
      message: null,
    });
    await setBidStatus(actingAs(own, from), { id: bid.id, status: 'accepted' });
    return { id: bid.id, amount, seller: from, buyer: to, coupon };
  };

  const intentOf: Market['intentOf'] = (bid) =>
    createPaymentIntent(actingAs(ctx, bid.buyer), { bidId: bid.id, keepCard: false });
  const orderOf: Market['orderOf'] = (bid) => createPaypalOrder(actingAs(ctx, bid.buyer), bid.id);

  const payByCard: Market['payByCard'] = async (bid, number = CARDS.good) => {
    const { clientSecret } = await intentOf(bid);
    await stripe.confirmWithCard(clientSecret, number);
    return refreshed(actingAs(ctx, bid.buyer), bid.id);
  };

  const payByPaypal: Market['payByPaypal'] = async (bid) => {
    const { orderId } = await orderOf(bid);
    await paypal.approveOrder(orderId);
    return captured(actingAs(ctx, bid.buyer), bid.id);
  };

  return {
    ...app,
    stripe,
    paypal,
    readySeller,
    acceptedBid,
    intentOf,
    orderOf,
    statusOf: async (bid) => (await paymentOf(ctx, bid)).status,
    payByCard,
    async answerChallenge(clientSecret, hasPassed = true) {
      const [id] = clientSecret.split('_secret_');
      const answer = await fetch(`${sandbox.url}/sandbox/stripe/browser/payment_intents/${id}/challenge`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_secret: clientSecret, outcome: hasPassed ? 'pass' : 'fail' }),
      });
      return z.object({ status: z.string() }).parse(await answer.json()).status;
    },
    payByPaypal,
    async paidBid({ by = 'stripe', ...bid } = {}) {
      const accepted = await acceptedBid(bid);
      await (by === 'stripe' ? payByCard(accepted) : payByPaypal(accepted));
      return accepted;
    },
    async deliverAll() {
      const answers: number[] = [];
      for (const provider of [stripe, paypal]) {
        for (const event of provider.waiting()) answers.push(await provider.deliver(event));
      }
      return answers;
    },
    async passDays(days) {
      ctx.clock.advanceDays(days);
      for (let runs = 0; runs < 2; runs += 1) await reconcilePayments(ctx);
    },
    textsFor: async (who) => (await noticesOf(ctx, who)).map(({ content }) => content),
    async broken() {
      const books = await checkLedger(ctx);
      return [...books.broken, ...(await checkInvariants(ctx.db))];
    },
  };
}

/** The market of one test file. Its data and its books are checked after the tests. */
export function setUpMarket(given?: Parameters<typeof openMarket>[0]): Market {
  const market = {} as Market;
  beforeAll(async () => {
    Object.assign(market, await openMarket(given));
  });
  afterAll(async () => {
    expect(await market.broken()).toEqual([]);
    await market.close();
  });
  return market;
}

/** The market of one test file, in which the providers refuse some requests. */
export function setUpRefusingMarket(): {
  readonly market: Market;
  /** Refuses the requests that match from now on, like 'POST /v1/transfers'; null refuses none. */
  readonly refuse: (requests: RegExp | null) => void;
} {
  let refused: RegExp | null = null;
  const market = setUpMarket({
    sandbox: { fault: ({ method, path }) => (refused?.test(`${method} ${path}`) ? 'error-before' : null) },
  });
  const refuse = (requests: RegExp | null) => {
    refused = requests;
  };
  return { market, refuse };
}

/** Goes through Stripe's set-up pages, by the rules. */
export async function setUpStripeSeller(
  ctx: TestContext,
  seller: Actor,
  stripe: Pick<Sandbox['stripe'], 'finishOnboarding'>,
): Promise<void> {
  const me = actingAs(ctx, seller);
  await createAccountLink(me);
  await stripe.finishOnboarding(await accountRefOf(ctx, seller));
  await connectAccountStatus(me);
}

/** The seller's Stripe account, as stored when the set-up started. */
async function accountRefOf(ctx: TestContext, seller: Actor): Promise<string> {
  const row = await ctx.db
    .selectFrom('sellerAccounts')
    .select('accountRef')
    .where('userId', '=', seller.id)
    .where('provider', '=', 'stripe')
    .executeTakeFirstOrThrow();
  if (row.accountRef === null) throw new Error('Stripe has given this seller no account');
  return row.accountRef;
}

/** The stored payments of a bid, oldest first. */
export function paymentsOf(ctx: TestContext, { id }: Pick<AcceptedBid, 'id'>) {
  return ctx.db.selectFrom('paymentTransactions').selectAll().where('bidId', '=', id).orderBy('id').execute();
}

/** The only payment of a bid. */
export async function paymentOf(ctx: TestContext, bid: Pick<AcceptedBid, 'id'>) {
  const [payment, ...others] = await paymentsOf(ctx, bid);
  if (!payment || others.length > 0)
    throw new Error(`The bid has ${others.length + (payment ? 1 : 0)} payments`);
  return payment;
}

/** The ledger entries of a bid's payments (journal, account, decimal amount), in booking order. */
export function bookedOf(ctx: TestContext, { id }: Pick<AcceptedBid, 'id'>) {
  return ctx.db
    .selectFrom('ledgerEntries')
    .innerJoin('ledgerJournals', 'ledgerJournals.id', 'ledgerEntries.journalId')
    .innerJoin('ledgerAccounts', 'ledgerAccounts.id', 'ledgerEntries.accountId')
    .innerJoin('paymentTransactions', 'paymentTransactions.id', 'ledgerJournals.paymentId')
    .select(['ledgerJournals.kind as journal', 'ledgerAccounts.kind as account', 'ledgerEntries.amount'])
    .where('paymentTransactions.bidId', '=', id)
    .orderBy('ledgerEntries.id')
    .execute();
}

/** The owner of a bid's coupon, whether it is listed, and which bid holds it. */
export async function couponOf(ctx: TestContext, { coupon }: Pick<AcceptedBid, 'coupon'>) {
  return ctx.db
    .selectFrom('coupons')
    .leftJoin('couponReservations', 'couponReservations.couponId', 'coupons.id')
    .select(['ownerId', 'isActive', 'couponReservations.bidId as heldBy'])
    .where('coupons.id', '=', coupon.id)
    .executeTakeFirstOrThrow();
}

/** The status of a bid. */
export async function bidStatusOf(ctx: TestContext, { id }: Pick<AcceptedBid, 'id'>): Promise<string> {
  const { status } = await ctx.db
    .selectFrom('bids')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return status;
}

/** The booked totals of a bid's only payment. */
export async function totalsOfBid(ctx: TestContext, bid: Pick<AcceptedBid, 'id'>): Promise<Totals> {
  return readTotals(ctx.db, (await paymentOf(ctx, bid)).id);
}
