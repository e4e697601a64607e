import { afterEach, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/texts.ts';
import { addDays } from '#server/core/clock.ts';
import { buyCoupon } from '#server/domains/bids/placing.ts';
import { cancelUnpaidBid, setBidStatus } from '#server/domains/bids/service.ts';
import type { Actor } from '#server/domains/context.ts';
import { removeCoupon, updateCoupon } from '#server/domains/coupons/service.ts';
import { lapseDeadlines } from '#server/domains/deals/endings.ts';
import {
  bidOn,
  counter,
  createBid,
  createReadySeller,
  moveBid,
  paySale,
  setPrices,
  withBidLocked,
} from '#server/testing/bids.ts';
import { actingAs, createCoupon, createUser } from '#server/testing/builders.ts';
import { move, propose } from '#server/testing/exchanges.ts';
import {
  expectSoundBooks,
  inRounds,
  itInRounds,
  loserOf,
  pickRecent,
  race,
  refusalOf,
  runRandomActs,
  setUpRaces,
  statusOf,
} from '#server/testing/races.ts';

const races = setUpRaces();
const { ctx } = races;

/** A bid and an exchange on the same coupon, which the exchange requests or offers. `acceptor` can accept the latter. */
async function bidAndExchange(side: 'requested' | 'offered') {
  const { id: bidId, owner, coupon } = await createBid(ctx);
  const other = await createUser(ctx);
  const theirs = await createCoupon(ctx, other);
  const [requester, acceptor] = side === 'requested' ? [other, owner] : [owner, other];
  const [offered, requested] = side === 'requested' ? [theirs, coupon] : [coupon, theirs];
  const { id: exchangeId } = await propose(ctx, requester, { offered, requested });
  return { bidId, exchangeId, owner, acceptor, other };
}

describe('of two calls at once, one wins and the other gets the true state', () => {
  afterEach(() => expectSoundBooks(ctx));

  itInRounds('two accepts of two bids on one coupon', async (round) => {
    const { id, owner, coupon } = await createBid(ctx);
    const rival = await bidOn(ctx, await createUser(ctx), coupon, '20');
    const results = await race(
      round,
      () => moveBid(ctx, owner, id, 'accepted'),
      () => moveBid(ctx, owner, rival.id, 'accepted'),
    );
    const refusal = loserOf(...results);
    expect(refusal.code).toBe('deal_changed');
    expect(refusal.message).toBe('This bid is already rejected.');
    const statuses = [await statusOf(ctx, 'bids', id), await statusOf(ctx, 'bids', rival.id)];
    expect(statuses.sort()).toEqual(['accepted', 'rejected']);
  });

  itInRounds('a bid of the asking price and the withdrawal of that price', async (round) => {
    const [bidder, owner] = [await createUser(ctx), await createReadySeller(ctx)];
    const coupon = await createCoupon(ctx, owner, { askingPrice: '20.00' });
    const withdraw = () => setPrices(ctx, owner, coupon, { askingPrice: null });
    const [placed, withdrawn] = await race(round, () => bidOn(ctx, bidder, coupon, '20'), withdraw);
    if (placed.status === 'rejected') throw placed.reason;
    // Nobody is sold to at a price that was withdrawn; and whoever is, is sold to by the price of then.
    const { status } = placed.value;
    expect(status).toBe(withdrawn.status === 'fulfilled' ? 'pending' : 'accepted');
    if (status === 'accepted') expect(refusalOf(withdrawn).code).toBe('coupon_reserved');
  });

  itInRounds('two who buy at the asking price', async () => {
    const [one, two, owner] = [await createUser(ctx), await createUser(ctx), await createReadySeller(ctx)];
    const { id } = await createCoupon(ctx, owner, { askingPrice: '20.00' });
    const buy = (who: Actor) => () => buyCoupon(actingAs(ctx, who), { couponId: id, expectedAmount: '20' });
    expect(loserOf(...(await race(0, buy(one), buy(two)))).code).toBe('coupon_reserved');
  });

  itInRounds('a counter-offer and the withdrawal of the bid', async (round) => {
    const { id, owner, bidder } = await createBid(ctx);
    const [, withdrawn] = await race(
      round,
      () => counter(ctx, owner, id, '20'),
      () => moveBid(ctx, bidder, id, 'cancelled'),
    );
    expect(withdrawn.status).toBe('fulfilled');
    expect(await statusOf(ctx, 'bids', id)).toBe('cancelled');
  });

  itInRounds('a counter-offer and the accepting of that bid, or of a rival', async (round) => {
    const { id, owner, coupon } = await createBid(ctx);
    const rival = await bidOn(ctx, await createUser(ctx), coupon, '20');
    const accepted = round % 4 < 2 ? id : rival.id;
    const results = await race(
      round,
      () => counter(ctx, owner, id, '15'),
      () => moveBid(ctx, owner, accepted, 'accepted'),
    );
    if (accepted === id) expect(loserOf(...results).code).toBe('deal_changed');
    else expect(results[1].status).toBe('fulfilled');
  });

  itInRounds('a counter-offer and the edit of the asking price to less', async (round) => {
    const { id, owner, coupon } = await createBid(ctx);
    await setPrices(ctx, owner, coupon, { askingPrice: '20.00' });
    const [countered, edited] = await race(
      round,
      () => counter(ctx, owner, id, '18'),
      () => setPrices(ctx, owner, coupon, { askingPrice: '16.00' }),
    );
    expect(edited.status).toBe('fulfilled');
    // The edit leaves a round that came before it, and refuses one above the price that comes after.
    const code = countered.status === 'rejected' ? 'bad_input' : 'deal_changed';
    if (countered.status === 'rejected') expect(countered.reason).toMatchObject({ code });
    await expect(counter(ctx, owner, id, '17')).rejects.toMatchObject({ code });
  });

  itInRounds('the answer to a counter-offer and its deadline', async (round) => {
    const { id, owner, bidder } = await createBid(ctx);
    await counter(ctx, owner, id, '20');
    const late = { ...ctx, clock: () => addDays(ctx.clock(), 3) };
    const answer = { id, status: 'accepted', expectedAmount: '20.00' } as const;
    const [accepted] = await race(
      round,
      () => setBidStatus(actingAs(ctx, bidder), answer),
      () => lapseDeadlines(late),
    );
    expect(await statusOf(ctx, 'bids', id)).toBe(accepted.status === 'fulfilled' ? 'accepted' : 'cancelled');
  });

  itInRounds('the same accept twice', async (round) => {
    const { id, owner } = await createBid(ctx);
    const accept = () => moveBid(ctx, owner, id, 'accepted');
    expect(loserOf(...(await race(round, accept, accept))).message).toBe('This bid is already accepted.');
  });

  it.each(['requested', 'offered'] as const)(
    'accepting a bid against accepting an exchange in which its coupon is %s',
    (side) =>
      inRounds(async (round) => {
        const { bidId, exchangeId, owner, acceptor } = await bidAndExchange(side);
        const results = await race(
          round,
          () => moveBid(ctx, owner, bidId, 'accepted'),
          () => move(ctx, acceptor, exchangeId, 'accepted'),
        );
        const refusal = loserOf(...results);
        expect(refusal.code).toBe('coupon_reserved');
        expect(refusal.message).toBe(TEXTS.exchanges.reserved);
        const statuses = [await statusOf(ctx, 'bids', bidId), await statusOf(ctx, 'exchanges', exchangeId)];
        expect(statuses.sort()).toEqual(['accepted', 'pending']);
      }),
  );

  itInRounds('accepting a bid against the end of the exchange that moves its coupon', async (round) => {
    const { bidId, exchangeId, owner, acceptor, other } = await bidAndExchange(
      round % 4 < 2 ? 'requested' : 'offered',
    );
    await move(ctx, acceptor, exchangeId, 'accepted');
    const [accept, complete] = await race(
      round,
      () => moveBid(ctx, owner, bidId, 'accepted'),
      () => move(ctx, other, exchangeId, 'completed'),
    );
    expect(complete.status).toBe('fulfilled');
    expect(['coupon_reserved', 'deal_changed']).toContain(refusalOf(accept).code);
    expect(await statusOf(ctx, 'bids', bidId)).toBe('cancelled');
  });

  itInRounds('accept against cancel by the bidder: an accepted bid is binding', async (round) => {
    const { id, bidder, owner } = await createBid(ctx);
    const results = await race(
      round,
      () => moveBid(ctx, owner, id, 'accepted'),
      () => moveBid(ctx, bidder, id, 'cancelled'),
    );
    const refusal = loserOf(...results);
    expect(refusal.code).toBe('deal_changed');
    expect(refusal.message).toMatch(
      (await statusOf(ctx, 'bids', id)) === 'accepted'
        ? /^This bid is already accepted\. Bids are binding/
        : /^This bid is already cancelled\.$/,
    );
  });

  itInRounds('accept against the 7 days', async (round) => {
    const { id, owner } = await createBid(ctx);
    ctx.clock.advanceDays(7);
    const [lapse, accept] = await race(
      round,
      () => lapseDeadlines(ctx),
      () => moveBid(ctx, owner, id, 'accepted'),
    );
    expect(lapse.status).toBe('fulfilled');
    if (accept.status === 'rejected') {
      expect(refusalOf(accept).message).toBe('This bid is already cancelled.');
    }
    expect(await statusOf(ctx, 'bids', id)).toBe(accept.status === 'fulfilled' ? 'accepted' : 'cancelled');
  });

  itInRounds('the payment against the 48 hours', async (round) => {
    const { id, bidder, owner } = await createBid(ctx, 'accepted');
    const results = await race(
      round,
      () => paySale(ctx, id),
      () => withBidLocked(ctx, id, (trx, bid) => cancelUnpaidBid(trx, bid, ctx.clock())),
    );
    loserOf(...results);
    const status = await statusOf(ctx, 'bids', id);
    const { ownerId } = await ctx.db
      .selectFrom('bids')
      .innerJoin('coupons', 'coupons.id', 'bids.couponId')
      .select('coupons.ownerId')
      .where('bids.id', '=', id)
      .executeTakeFirstOrThrow();
    expect([status, ownerId]).toEqual(
      results[0].status === 'fulfilled' ? ['completed', bidder.id] : ['cancelled', owner.id],
    );
  });

  itInRounds('a bid against the deletion of its coupon', async (round) => {
    const [owner, bidder] = [await createUser(ctx), await createUser(ctx)];
    const coupon = await createCoupon(ctx, owner);
    const [placing, deletion] = await race(
      round,
      () => bidOn(ctx, bidder, coupon),
      () => removeCoupon(actingAs(ctx, owner), coupon.id),
    );
    expect(deletion.status).toBe('fulfilled');
    if (placing.status === 'fulfilled')
      expect(await statusOf(ctx, 'bids', placing.value.id)).toBe('cancelled');
    else expect(placing.reason).toMatchObject({ code: 'not_found', message: 'Coupon not found' });
  });

  itInRounds(
    'a bid against an edit of the coupon: no bid is kept for what the bidder has not seen',
    async (round) => {
      const [owner, bidder] = [await createUser(ctx), await createUser(ctx)];
      const coupon = await createCoupon(ctx, owner);
      const [placing, edit] = await race(
        round,
        () => bidOn(ctx, bidder, coupon),
        () => editValue(owner, coupon),
      );
      expect(edit.status).toBe('fulfilled');
      if (placing.status === 'rejected') throw placing.reason;
      // The edit ends a bid that was placed before it.
      const status = await statusOf(ctx, 'bids', placing.value.id);
      expect(status).toBe(placing.value.coupon.value === 1_000 ? 'cancelled' : 'pending');
    },
  );

  itInRounds('accept against deletion or edit of the coupon', async (round) => {
    const { id, owner, coupon } = await createBid(ctx);
    const results = await race<unknown, unknown>(
      round,
      () => moveBid(ctx, owner, id, 'accepted'),
      () => (round % 4 < 2 ? removeCoupon(actingAs(ctx, owner), coupon.id) : editValue(owner, coupon)),
    );
    const isAccepted = (await statusOf(ctx, 'bids', id)) === 'accepted';
    expect(loserOf(...results).message).toMatch(
      isAccepted ? /^You accepted a bid on this coupon/ : /^This bid is already cancelled\.$/,
    );
  });

  itInRounds('two bids of one person on one coupon [spec/2 7.8]', async (round) => {
    const [owner, bidder] = [await createUser(ctx), await createUser(ctx)];
    const coupon = await createCoupon(ctx, owner);
    const results = await race(
      round,
      () => bidOn(ctx, bidder, coupon, '10'),
      () => bidOn(ctx, bidder, coupon, '11'),
    );
    const refusal = loserOf(...results);
    expect(refusal.code).toBe('bid_exists');
    expect(refusal.message).toBe(TEXTS.bids.alreadyPending);
  });
});

function editValue(owner: Actor, { id, title, merchant }: { id: number; title: string; merchant: string }) {
  return updateCoupon(actingAs(ctx, owner), {
    id,
    title,
    merchant,
    description: 'A coupon that a test has changed.',
    value: 2_000,
    discountType: 'fixed',
    category: 'food',
    hasNoExpiry: false,
    expiryDate: '2036-12-31',
    terms: null,
    sourceUrl: null,
    code: null,
    codeValue: null,
  });
}

describe('many calls at once', () => {
  it('six people sell and swap twelve coupons: refusals, no failures', async () => {
    const [bids, exchanges]: [number[], number[]] = [[], []];
    await runRandomActs(ctx, 'bids', async ({ random, person, one, two }) => {
      const kind = random(12);
      const [bidId, exchangeId] = [pickRecent(random, bids), pickRecent(random, exchanges)];
      if (kind < 3 || bidId === undefined) {
        bids.push((await bidOn(ctx, person, one, `${3 + random(50)}`)).id);
      } else if (kind < 5 || exchangeId === undefined) {
        exchanges.push((await propose(ctx, person, { offered: one, requested: two })).id);
      } else if (kind < 8) {
        const moves = ['accepted', 'accepted', 'cancelled'] as const;
        await moveBid(ctx, person, bidId, moves[kind - 5] ?? 'rejected');
      } else if (kind < 9) {
        await paySale(ctx, bidId);
      } else {
        const moves = ['accepted', 'completed', 'cancelled'] as const;
        await move(ctx, person, exchangeId, moves[kind - 9] ?? 'completed');
      }
    });
  });

  it('met no deadlock, not even one that a retry solved', () => races.expectNoDeadlock());
});
