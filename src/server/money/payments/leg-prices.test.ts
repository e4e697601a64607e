import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { bidById, listBids } from '#server/deals/bids/service.ts';
import { counterExchange, proposeExchange, reviseExchange } from '#server/deals/exchanges/proposing.ts';
import { exchangeById, setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { listDeals } from '#server/deals/list/service.ts';
import { bidsWithProtection } from '#server/money/claims/protection.ts';
import { setUserStatus } from '#server/oversight/moderation/status.ts';
import { actingAs, createCoupon } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import {
  acceptedRing,
  acceptedSwap,
  agreeToPrices,
  ownersOf,
  type PricedExchange,
} from '#tests/support/leg-prices.ts';
import { CARDS, setUpMarket } from '#tests/support/payments.ts';
import { settling } from '#tests/support/settling.ts';
import { checkout } from './service.ts';

const market = setUpMarket();
const { stateOf: stateOfPayment } = settling(market);
const staff = setUpStaff(market);

const as = (actor: Actor | undefined) => {
  if (!actor) throw new Error('There is no such person');
  return actingAs(market.ctx, actor);
};

/** The exchange's status, and who owns its coupons, by their place among its people. */
async function stateOf(exchange: PricedExchange) {
  const { status, reason } = await exchangeById(as(exchange.people[0]), exchange.id);
  return { status, reason, owners: await ownersOf(market.ctx, exchange) };
}

const untouched = { owners: [0, 1] };
const swapped = { status: 'completed', owners: [1, 0] };

describe('a swap with money', () => {
  it('is completed by the payment, whose money is held and paid out like that of a sale', async () => {
    const swap = await acceptedSwap(market);
    expect(await stateOf(swap)).toMatchObject({ status: 'accepted', ...untouched });
    expect(await checkout(as(swap.bid.buyer), swap.bid.id)).toMatchObject({
      amount: '20.00',
      buyerTotal: '21.00',
    });
    await market.payByCard(swap.bid);
    expect(await stateOf(swap)).toMatchObject(swapped);
    expect(await market.statusOf(swap.bid)).toBe('held');
    await market.passDays(3);
    expect(await market.statusOf(swap.bid)).toBe('completed');
    expect(await market.textsFor(swap.bid.seller)).toContainEqual(
      expect.stringContaining('You have been paid $19.00 CAD'),
    );
    expect(await market.broken()).toEqual([]);
  });

  it('can have the other person pay, by PayPal', async () => {
    const swap = await acceptedSwap(market, { payer: 'other' });
    expect(swap.bid.buyer.id).toBe(swap.people[1]?.id);
    await market.payByPaypal(swap.bid);
    expect(await stateOf(swap)).toMatchObject(swapped);
    expect(await market.broken()).toEqual([]);
  });

  it('is not completed by hand: it says who has to pay, and until when', async () => {
    const swap = await acceptedSwap(market);
    const { requesterUsername } = await exchangeById(as(swap.people[0]), swap.id);
    const refused = setExchangeStatus(as(swap.people[1]), { id: swap.id, status: 'completed' });
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`${requesterUsername} ($20.00`),
    });
  });

  it('is on no list of bids, but in the deals as what it is: the payer pays', async () => {
    const swap = await acceptedSwap(market);
    expect(await bidById(as(swap.bid.buyer), swap.bid.id)).toMatchObject({ exchangeId: swap.id });
    for (const person of swap.people) {
      const me = as(person);
      expect((await listBids(me, { role: 'all', onlyOpen: false, page: 1, limit: 10 })).items).toEqual([]);
    }
    const dealsOf = async (who: Actor | undefined) => {
      const page = { page: 1, limit: 10, only: 'all' } as const;
      const found = await listDeals(
        as(who),
        page,
        async (me, bids) =>
          (
            await bidsWithProtection(
              me,
              Promise.resolve({ items: [...bids], total: 0, page: 1, limit: 10 } as never),
            )
          ).items,
      );
      return found.items.map(({ dealType, stage, nextAct }) => ({ dealType, stage, nextAct }));
    };
    expect(await dealsOf(swap.bid.buyer)).toEqual([{ dealType: 'exchange', stage: 'yours', nextAct: 'pay' }]);
    expect(await dealsOf(swap.bid.seller)).toEqual([
      { dealType: 'exchange', stage: 'others', nextAct: null },
    ]);
  });

  it('is accepted only at the money that the person has seen', async () => {
    const [ann, ben] = [await market.readySeller(), await market.readySeller()];
    const [offered, requested] = [await createCoupon(market.ctx, ann), await createCoupon(market.ctx, ben)];
    const sides = { offeredCouponIds: [offered.id], requestedCouponIds: [requested.id] };
    const first = await proposeExchange(as(ann), {
      ...sides,
      money: { payer: 'author', amount: '20' },
      message: null,
    });
    const accept = (prices?: { couponId: number; amount: string }[]) =>
      setExchangeStatus(as(ben), { id: first.id, status: 'accepted', prices });
    await expect(accept()).rejects.toMatchObject({ code: 'bad_input' });
    await reviseExchange(as(ann), { id: first.id, money: { payer: 'author', amount: '15' } });
    await expect(accept([{ couponId: requested.id, amount: '20.00' }])).rejects.toMatchObject({
      code: 'deal_changed',
    });
    await expect(accept([])).rejects.toMatchObject({ code: 'deal_changed' });
    const mirrored = { offeredCouponIds: [requested.id], requestedCouponIds: [offered.id], message: null };
    const counter = (amount: string) =>
      counterExchange(as(ben), { id: first.id, ...mirrored, money: { payer: 'other', amount } });
    await expect(counter('15')).rejects.toMatchObject({ code: 'bad_input' });
    const answer = await counter('18');
    expect(answer.legs.map(({ price }) => price?.amount ?? null)).toEqual([null, '18.00']);
    await agreeToPrices(market, answer.id, [ben, ann]);
    const { legs } = await exchangeById(as(ann), answer.id);
    expect(legs[1]?.price).toMatchObject({
      amount: '18.00',
      buyerTotal: '18.90',
      netAmount: '17.10',
      paidAt: null,
    });
  });
});

describe('a ring with money', () => {
  it('goes on after its time to pay while a payment is in process', async () => {
    const ring = await acceptedRing(market);
    const [paid, inProcess] = ring.bids;
    if (!paid || !inProcess) throw new Error('Two people pay');
    await market.payByCard(paid);
    await market.payByCard(inProcess, CARDS.processing);
    await market.passDays(2);
    expect(await market.statusOf(inProcess)).toBe('processing');
    expect(await stateOf(ring)).toMatchObject({ status: 'accepted', owners: [0, 1, 2] });
  });

  it('waits until everybody has paid, and then moves all coupons', async () => {
    const ring = await acceptedRing(market);
    const [first, second] = ring.bids;
    if (!first || !second) throw new Error('Two people pay');
    await market.payByCard(first);
    expect(await stateOf(ring)).toMatchObject({ status: 'accepted', owners: [0, 1, 2] });
    await expect(market.payByCard(first)).rejects.toMatchObject({ code: 'deal_changed' });
    await market.passDays(1);
    expect(await market.statusOf(first)).toBe('held');
    await market.payByPaypal(second);
    expect(await stateOf(ring)).toMatchObject({ status: 'completed', owners: [1, 2, 0] });
    await market.passDays(3);
    expect([await market.statusOf(first), await market.statusOf(second)]).toEqual(['completed', 'completed']);
    expect(await market.broken()).toEqual([]);
  });

  it.each<[string, string | null, (ring: PricedExchange) => Promise<unknown>]>([
    ['the time to pay is over', 'deadline', () => market.passDays(2)],
    [
      'a coupon of it expires',
      'coupon_expired',
      async (ring) => {
        const expiryDate = utcDay(addDays(market.ctx.clock(), -2));
        const couponId = ring.coupons[2]?.id ?? 0;
        await market.ctx.db.updateTable('coupons').set({ expiryDate }).where('id', '=', couponId).execute();
        await market.passDays(0);
      },
    ],
    [
      'somebody is banned',
      'party_banned',
      (ring) =>
        setUserStatus(as(staff.admin), {
          id: ring.people[2]?.id ?? 0,
          status: 'banned',
          reason: 'So be it.',
        }),
    ],
    [
      'somebody cancels it',
      'by_party',
      (ring) => setExchangeStatus(as(ring.people[2]), { id: ring.id, status: 'cancelled' }),
    ],
  ])('gives back what was paid, and moves nothing, when %s', async (_, reason, end) => {
    const ring = await acceptedRing(market);
    const [paid, unpaid] = ring.bids;
    if (!paid || !unpaid) throw new Error('Two people pay');
    await market.payByCard(paid);
    const { clientSecret } = await market.intentOf(unpaid);
    await end(ring);
    expect(await stateOf(ring)).toMatchObject({ status: 'cancelled', reason, owners: [0, 1, 2] });
    await market.passDays(0);
    expect(await market.statusOf(paid)).toBe('refunded');
    // The other's payment is given up at the provider, or what arrives goes straight back.
    await market.stripe.confirmWithCard(clientSecret, CARDS.good).catch(() => undefined);
    market.ctx.clock.advanceDays(1);
    await market.passDays(0);
    expect(['refunded', 'cancelled']).toContain(await market.statusOf(unpaid));
    expect(await market.broken()).toEqual([]);
  });
});

describe('while a ring waits for the others', () => {
  /** A ring in which the first of two has paid. */
  async function halfPaid() {
    const ring = await acceptedRing(market);
    const [paid, unpaid] = ring.bids;
    if (!paid || !unpaid) throw new Error('Two people pay');
    await market.payByCard(paid);
    return { ring, paid, unpaid };
  }

  it('a bank that disputes a payment holds it up until it confirms the payment', async () => {
    const { ring, paid, unpaid } = await halfPaid();
    const dispute = await market.stripe.openDispute((await stateOfPayment(paid, 'stripe')).ref);
    await market.deliverAll();
    await market.payByCard(unpaid);
    expect(await stateOf(ring)).toMatchObject({ status: 'accepted', owners: [0, 1, 2] });
    const byHand = setExchangeStatus(as(ring.people[1]), { id: ring.id, status: 'completed' });
    await expect(byHand).rejects.toMatchObject({
      message: expect.stringContaining('A bank disputes a payment'),
    });
    await market.stripe.closeDispute(dispute, 'won');
    await market.deliverAll();
    expect(await stateOf(ring)).toMatchObject({ status: 'completed', owners: [1, 2, 0] });
    expect(await market.broken()).toEqual([]);
  });

  it('a payment that the bank takes back has to be made again', async () => {
    const { ring, paid, unpaid } = await halfPaid();
    const dispute = await market.stripe.openDispute((await stateOfPayment(paid, 'stripe')).ref);
    await market.stripe.closeDispute(dispute, 'lost');
    await market.deliverAll();
    await market.payByCard(unpaid);
    expect(await stateOf(ring)).toMatchObject({ status: 'accepted', owners: [0, 1, 2] });
    await market.payByPaypal(paid);
    expect(await stateOf(ring)).toMatchObject({ status: 'completed', owners: [1, 2, 0] });
    expect(await market.broken()).toEqual([]);
  });
});

it('a coupon that has expired when the last one pays ends the exchange, and the money goes back', async () => {
  const swap = await acceptedSwap(market, { columns: { expiryDate: utcDay(market.ctx.clock()) } });
  const { clientSecret } = await market.intentOf(swap.bid);
  market.ctx.clock.advanceDays(1);
  await market.stripe.confirmWithCard(clientSecret, CARDS.good);
  await market.passDays(0);
  expect(await stateOf(swap)).toMatchObject({ status: 'cancelled', reason: 'coupon_expired', ...untouched });
  expect(await market.statusOf(swap.bid)).toBe('refunded');
  expect(await market.broken()).toEqual([]);
});
