import { beforeAll, describe, expect, it } from 'vitest';
import { centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import type { PageRef } from '#contract/base/primitives.ts';
import { DEFAULT_FEE_RATES, type FeeBreakdown, feesOf } from '#contract/money/fees.ts';
import type { FeeRows } from '#contract/money/payments.ts';
import type { Actor } from '#server/context/context.ts';
import { answerClaim, listClaims } from '#server/money/claims/claims.ts';
import { confirmReceipt, decideClaim, openClaim } from '#server/money/claims/sale-claims.ts';
import { resumeSales } from '#server/money/claims/sale-stop.ts';
import { refundByAdmin } from '#server/money/payments/admin.ts';
import { createPaymentIntent } from '#server/money/payments/service.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { type AcceptedBid, paymentOf, setUpMarket } from '#tests/support/payments.ts';
import { adminStats, feeRows, listFeeLogs, listPlatformFees, weeklyFees } from './service.ts';

/** Amounts whose fees round up and down. */
const AMOUNTS = [300, 309, 310, 999, 1_250, 33_333];
const EVERYTHING = { period: 'all', page: 1, limit: 100 } as const;

const market = setUpMarket();
let admin: Actor;
let moderator: Actor;
let seller: Actor;
const sales: AcceptedBid[] = [];

beforeAll(async () => {
  admin = await createUser(market.ctx, { role: 'admin' });
  moderator = await createUser(market.ctx, { role: 'moderator' });
  seller = await market.readySeller();
  for (const [index, amount] of AMOUNTS.entries()) {
    sales.push(await market.paidBid({ amount, seller, by: index % 2 === 0 ? 'stripe' : 'paypal' }));
  }
});

const me = () => actingAs(market.ctx, admin);
const sumOf = (of: keyof FeeBreakdown, amounts: readonly number[]) =>
  centsToDecimal(amounts.reduce((sum, amount) => sum + feesOf(amount, DEFAULT_FEE_RATES)[of], 0));

async function refund(bid: AcceptedBid) {
  await openClaim(actingAs(market.ctx, bid.buyer), { bidId: bid.id, reason: 'The code does not work.' });
  const staff = actingAs(market.ctx, moderator);
  const { items } = await listClaims(staff, { onlyOpen: true, page: 1, limit: 10 });
  const id = items.find(({ bidId }) => bidId === bid.id)?.id ?? 0;
  await answerClaim(actingAs(market.ctx, bid.seller), { id, answer: 'It worked for me.' });
  await decideClaim(staff, { id, decision: 'refund', note: 'It is so.' });
}

describe("ClipSwap's fees", () => {
  it('are both fees of every paid sale, to the cent, and none of an unpaid one', async () => {
    const begun = await market.acceptedBid({ seller });
    await createPaymentIntent(actingAs(market.ctx, begun.buyer), { bidId: begun.id, keepCard: false });
    expect(await adminStats(me())).toEqual({
      platformFees: sumOf('platformFee', AMOUNTS),
      processedTransactions: AMOUNTS.length,
      feeRates: DEFAULT_FEE_RATES,
      reserve: { balance: '0.00', paidIn: '0.00', laidOut: '0.00', cameBack: '0.00' },
    });
    const { items, total } = await listPlatformFees(me(), EVERYTHING);
    expect(total).toBe(AMOUNTS.length);
    expect(items.map(({ amount, fee }) => [amount, fee])).toEqual(
      AMOUNTS.toReversed().map((amount) => [
        centsToDecimal(amount),
        centsToDecimal(feesOf(amount, DEFAULT_FEE_RATES).platformFee),
      ]),
    );
    expect(items.at(-1)).toEqual({
      id: expect.any(Number),
      createdAt: market.ctx.clock().toISOString(),
      couponTitle: sales[0]?.coupon.title,
      buyerUsername: sales[0]?.buyer.username,
      sellerUsername: seller.username,
      amount: '3.00',
      fee: '0.30',
      status: 'held',
    });
  });

  it('stay when the seller is paid and are returned with a refund', async () => {
    const [first, second, third] = sales;
    if (!first || !second || !third) throw new Error('Nothing was sold');
    await confirmReceipt(actingAs(market.ctx, first.buyer), first.id);
    await refund(second);
    await refund(third);
    const kept = [300, 999, 1_250, 33_333];
    expect(await adminStats(me())).toMatchObject({
      platformFees: sumOf('platformFee', kept),
      processedTransactions: kept.length,
    });
    const { items } = await listPlatformFees(me(), EVERYTHING);
    expect(items.map(({ status }) => status).sort()).toEqual(
      ['completed', 'held', 'held', 'held', 'refunded', 'refunded'].sort(),
    );
  });

  it('are the same in the table, the weeks and the total after a part of a payment is refunded', async () => {
    // Two granted claims have stopped the seller's sales.
    await resumeSales(actingAs(market.ctx, moderator), seller.id);
    const bid = await market.paidBid({ amount: 2_000, seller });
    const { id: paymentId } = await paymentOf(market.ctx, bid);
    const before = decimalToCents((await adminStats(me())).platformFees);
    const reason = 'The till took half of it.';
    await refundByAdmin(me(), { paymentId, amount: '10.50', returned: '0.00', reason });
    const { platformFees } = await adminStats(me());
    expect(decimalToCents(platformFees)).toBe(before - 100);
    const { items } = await listPlatformFees(me(), EVERYTHING);
    expect(items.find(({ id }) => id === paymentId)).toMatchObject({ fee: '1.00', status: 'held' });
    const [rows, weeks] = [items.map(({ fee }) => fee), await weeklyFees(me(), { weeks: 1 })];
    for (const fees of [rows, weeks.map((week) => week.fees)])
      expect(centsToDecimal(fees.reduce((sum, fee) => sum + decimalToCents(fee), 0))).toBe(platformFees);
  });

  it.each([
    ['day', 1],
    ['week', 7],
    ['month', 30],
    ['year', 365],
  ] as const)('can be listed by the %s', async (period, days) => {
    const start = market.ctx.clock();
    const inPeriod = async () => (await listPlatformFees(me(), { ...EVERYTHING, period })).total;
    const before = await inPeriod();
    const { id } = await market.paidBid({ seller: await market.readySeller(['stripe']) });
    expect(await inPeriod()).toBe(before + 1);
    market.ctx.clock.set(new Date(start.getTime() + days * 86_400_000));
    const { items } = await listPlatformFees(me(), { ...EVERYTHING, period });
    expect(items.length).toBeGreaterThanOrEqual(1);
    market.ctx.clock.set(new Date(start.getTime() + days * 86_400_000 + 1));
    expect(await inPeriod()).toBe(0);
    expect(id).toBeGreaterThan(0);
  });

  it("are summed per week from Monday to Monday, with empty weeks, and equal the ledger's total [spec/3 2.84]", async () => {
    const weeks = await weeklyFees(me(), { weeks: 104 });
    const { platformFees, processedTransactions } = await adminStats(me());
    const days = weeks.map(({ week }) => Date.parse(week));
    expect(days.every((day) => new Date(day).getUTCDay() === 1)).toBe(true);
    expect(days.slice(1).map((day, i) => day - (days[i] ?? 0))).toEqual(Array(103).fill(7 * 86_400_000));
    const now = market.ctx.clock().getTime();
    expect(now - (days.at(-1) ?? 0)).toBeLessThan(7 * 86_400_000);
    const sum = weeks.reduce((cents, { fees }) => cents + decimalToCents(fees), 0);
    expect(centsToDecimal(sum)).toBe(platformFees);
    expect(weeks.reduce((count, { sales: sold }) => count + sold, 0)).toBe(processedTransactions);
    expect(weeks[0]).toMatchObject({ fees: '0.00', sales: 0 });
    expect(await weeklyFees(me(), { weeks: 1 })).toEqual(weeks.slice(-1));
  });

  it('are exported in portions, each sale once and in order', async () => {
    const { items: all } = await listPlatformFees(me(), EVERYTHING);
    const exported = [];
    for (let page: PageRef | null = 1; page !== null; ) {
      const portion: FeeRows = await feeRows(me(), { period: 'all', limit: 3, page });
      expect(portion.items.length).toBeLessThanOrEqual(3);
      exported.push(...portion.items);
      page = portion.nextCursor;
    }
    expect(exported).toEqual(all);
  });

  it('have a history, newest first [spec/3 2.69]', async () => {
    const { items } = await listFeeLogs(me(), { page: 1, limit: 100 });
    const ids = items.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    expect(new Set(items.map(({ action }) => action))).toEqual(new Set(['payment', 'refund']));
    expect(items.map(({ details }) => details)).toContain(
      `You paid $3.15 CAD for “${sales[0]?.coupon.title}”. Try the code now: we hold the seller’s money for 72 hours.`,
    );
    const page = await listFeeLogs(me(), { page: 2, limit: 3 });
    expect(page.items).toEqual(items.slice(3, 6));
  });
});

it('claims are for moderators and admins [spec/1 6.3]', async () => {
  const answers = await Promise.all(
    [seller, moderator, admin].map((who) => market.call(who, { method: 'GET', url: '/api/claims' })),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 200, 200]);
});
