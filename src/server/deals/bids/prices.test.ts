import { afterAll, describe, expect, it } from 'vitest';
import { UNPAID_AT_ASKING_PRICE } from '#contract/base/limits.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { expireDeals } from '#server/deals/lifecycle/expiry.ts';
import { bidOn, createReadySeller, moveBid, paySale, setPrices, withBidLocked } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createTestContext, createUser } from '#tests/support/builders.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#tests/support/database.ts';
import { historyOf, move, noticesOf, propose } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { bidById, buyCoupon, cancelUnpaidBid } from './service.ts';

const database = setUpDatabase({ connections: MANY_CONNECTIONS });
afterAll(async () => expect(await checkInvariants(database.db)).toEqual([]));

/** A coupon of 20 dollars, at least 12, and its owner, whom a provider can pay. */
async function onOffer() {
  const ctx = createTestContext(database);
  const bidder = await createUser(ctx);
  const owner = await createReadySeller(ctx);
  const prices = { askingPrice: '20.00', priceFloor: '12.00' };
  const coupon = await createCoupon(ctx, owner, prices);
  const buy = (expectedAmount = '20') =>
    buyCoupon(actingAs(ctx, bidder), { couponId: coupon.id, expectedAmount });
  return { ctx, owner, bidder, coupon, buy };
}

describe('a bid of the asking price or more', () => {
  it('is accepted at once, as if its owner had: reserved, with the fees of now, rivals rejected [decisions 3.13.1]', async () => {
    const { ctx, owner, bidder, coupon } = await onOffer();
    const rival = await createUser(ctx);
    const lower = await bidOn(ctx, rival, coupon, '15');
    const bid = await bidOn(ctx, bidder, coupon, '20');
    expect(bid).toMatchObject({
      status: 'accepted',
      isAutomatic: true,
      amount: '20.00',
      deadlineAt: '2035-06-17T12:00:00.000Z',
    });
    expect(await bidById(actingAs(ctx, rival), lower.id)).toMatchObject({ reason: 'rival_accepted' });
    const title = `“${coupon.title}”`;
    const bidderText = `You buy ${title} from ${owner.username} for $20.00 CAD. Please pay $21.00 CAD within 48 hours.`;
    const ownerText = `${bidder.username} buys your ${title} for $20.00 CAD, which meets your asking price.`;
    expect((await noticesOf(ctx, bidder)).map(({ content }) => content)).toEqual([bidderText]);
    expect((await noticesOf(ctx, owner)).map(({ content }) => content)).toEqual([
      `${rival.username} bid $15.00 CAD on your ${title}.`,
      ownerText,
    ]);
    const accepted = { action: 'accepted', actorId: null };
    expect((await historyOf(ctx, owner)).slice(-2)).toEqual([
      {
        action: 'created',
        actorId: bidder.id,
        details: `${bidder.username} bid $20.00 CAD on your ${title}.`,
      },
      { ...accepted, details: ownerText },
    ]);
    expect((await historyOf(ctx, bidder)).at(-1)).toEqual({ ...accepted, details: bidderText });
  });

  it('waits if the bidder has coupons yet to pay, however many they buy at once', async () => {
    const { ctx, bidder } = await onOffer();
    const offers = await Promise.all(Array.from({ length: UNPAID_AT_ASKING_PRICE + 3 }, () => onOffer()));
    const bids = await Promise.all(offers.map(({ coupon }) => bidOn(ctx, bidder, coupon, '20')));
    const ofStatus = (status: string) => bids.filter((bid) => bid.status === status);
    expect(ofStatus('accepted')).toHaveLength(UNPAID_AT_ASKING_PRICE);
    expect(ofStatus('pending')).toHaveLength(3);
  });

  it('is bought at the price that the buyer has seen, or not at all [decisions 3.13.2]', async () => {
    const { ctx, owner, coupon, buy } = await onOffer();
    const set = (askingPrice: string | null) => setPrices(ctx, owner, coupon, { askingPrice });
    await expect(buy('19')).rejects.toMatchObject({
      code: 'conflict',
      issues: [
        { path: 'expectedAmount', message: `The asking price of “${coupon.title}” is now $20.00 CAD.` },
      ],
    });
    await set('15');
    await expect(buy('20')).rejects.toThrow('is now $15.00 CAD');
    await set(null);
    await expect(buy('15')).rejects.toThrow('no longer has an asking price');
    await set('15.00');
    expect(await buy('15')).toMatchObject({ status: 'accepted', amount: '15.00' });
  });

  it('waits if the bidder let this coupon lapse before', async () => {
    const other = await onOffer();
    const { id } = await other.buy();
    await withBidLocked(other.ctx, id, (trx, bid) => cancelUnpaidBid(trx, bid, other.ctx.clock()));
    expect(await other.buy()).toMatchObject({ status: 'pending' });
  });
});

describe('a bid below the lowest price', () => {
  it('tells its bidder nothing: all is as with a bid above it, up to its end', async () => {
    const { ctx, owner, bidder, coupon } = await onOffer();
    const above = await onOffer();
    const seen = async (
      who: typeof bidder,
      { id }: { id: number },
      sold: typeof coupon,
      of: typeof owner,
    ) => {
      const bid = await bidById(actingAs(ctx, who), id);
      const history = await historyOf(ctx, who);
      const notices = (await noticesOf(ctx, who)).map(({ content, type }) => ({ content, type }));
      const text = JSON.stringify({ bid: { ...bid, coupon: null }, history, notices });
      // What the two cases differ in by themselves.
      const own = [
        [sold.title, 'TITLE'],
        [who.username, 'BIDDER'],
        [of.username, 'OWNER'],
        ['12.00', 'AMOUNT'],
        ['11.99', 'AMOUNT'],
      ] as const;
      const plain = own.reduce((all, [name, word]) => all.replaceAll(name, word), text);
      return plain.replace(/"(id|couponId|bidderId|ownerId|actorId|dealId)":\d+/g, '"$1":0');
    };
    const low = await bidOn(ctx, bidder, coupon, '11.99');
    const high = await bidOn(ctx, above.bidder, above.coupon, '12');
    const both = () =>
      Promise.all([seen(bidder, low, coupon, owner), seen(above.bidder, high, above.coupon, above.owner)]);
    const [mine, theirs] = await both();
    expect(mine).toContain('"status":"pending"');
    expect(mine).toBe(theirs);

    ctx.clock.advanceDays(8);
    await expireDeals(ctx);
    const [ended, endedAbove] = await both();
    expect(ended).toContain('"reason":"deadline"');
    expect(ended).toBe(endedAbove);
  });

  it('is not announced to the owner, who finds it marked in the list and may accept it [decisions 3.13.3]', async () => {
    const { ctx, owner, bidder, coupon } = await onOffer();
    const { id } = await bidOn(ctx, bidder, coupon, '11.99');
    expect(await noticesOf(ctx, owner)).toEqual([]);
    expect((await historyOf(ctx, owner)).at(-1)).toMatchObject({
      details: `${bidder.username} bid $11.99 CAD on your “${coupon.title}”, below your lowest price.`,
    });
    expect(await bidById(actingAs(ctx, owner), id)).toMatchObject({ isBelowFloor: true });
    expect(await moveBid(ctx, owner, id, 'accepted')).toMatchObject({ status: 'accepted' });
  });
});

describe('the prices of a coupon', () => {
  it('concern later bids only, and leave those that wait alone [decisions 3.13.4]', async () => {
    const { ctx, owner, bidder, coupon } = await onOffer();
    const { id } = await bidOn(ctx, bidder, coupon, '15');
    await setPrices(ctx, owner, coupon, { askingPrice: '14', priceFloor: '14' });
    expect(await bidById(actingAs(ctx, bidder), id)).toMatchObject({ status: 'pending' });
  });

  it('are the lowest one at most the asking one, and go together', async () => {
    const { ctx, owner, coupon } = await onOffer();
    const set = (prices: { askingPrice?: string | null; priceFloor?: string | null }) =>
      setPrices(ctx, owner, coupon, prices);
    const refused = (message: string) => ({ code: 'bad_input', issues: [{ path: 'priceFloor', message }] });
    await expect(set({ priceFloor: '20.01' })).rejects.toMatchObject(
      refused('Must not be above the asking price'),
    );
    expect(await set({ askingPrice: null })).toMatchObject({ askingPrice: null, priceFloor: null });
    await expect(set({ priceFloor: '5' })).rejects.toMatchObject(
      refused('A lowest price needs an asking price'),
    );
    const update = ctx.db.updateTable('coupons').where('id', '=', coupon.id);
    await expect(update.set({ askingPrice: '5', priceFloor: '6' }).execute()).rejects.toThrow(
      'coupons_price_floor',
    );
  });

  it('end when the coupon changes hands, by a sale and by a swap [decisions 3.13.5]', async () => {
    const { ctx, bidder, owner, coupon, buy } = await onOffer();
    await paySale(ctx, (await buy()).id);
    const none = { askingPrice: null, priceFloor: null };
    expect(await couponById(actingAs(ctx, bidder), coupon.id)).toMatchObject({ ownerId: bidder.id, ...none });

    const offered = await createCoupon(ctx, owner, { askingPrice: '9.00', priceFloor: '8.00' });
    const { id } = await propose(ctx, owner, { offered, requested: await createCoupon(ctx, bidder) });
    await move(ctx, bidder, id, 'accepted');
    await move(ctx, bidder, id, 'completed');
    expect(await couponById(actingAs(ctx, bidder), offered.id)).toMatchObject({
      ownerId: bidder.id,
      ...none,
    });
  });
});
