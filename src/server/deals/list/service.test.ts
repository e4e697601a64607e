import { describe, expect, it } from 'vitest';
import type { PageRef } from '#contract/base/primitives.ts';
import type { Deal, DealFilter } from '#contract/deals/deal-list.ts';
import type { Actor } from '#server/context/context.ts';
import { answerClaim } from '#server/money/claims/claims.ts';
import { withProtection } from '#server/money/claims/protection.ts';
import { openClaim } from '#server/money/claims/sale-claims.ts';
import {
  bidOn,
  counter as counterBid,
  createBid,
  createReadySeller,
  makeReady,
  moveBid,
  paySale,
  setPrices,
} from '#tests/support/bids.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  setUpContext,
} from '#tests/support/builders.ts';
import { insertLegClaim } from '#tests/support/claims.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createCounter, createDeal, insertSwap, move } from '#tests/support/exchanges.ts';
import { genericPlanOf, recorded, rowsSeen, type Statement } from '#tests/support/plans.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { countDeals, dealsForCoupon, listDeals } from './service.ts';
import { countYours, countYoursOfEach } from './store.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);

function listOf(actor: Actor, given: { only?: DealFilter; page?: PageRef; limit?: number } = {}) {
  const input = { only: 'all', page: 1, limit: 50, ...given } as const;
  return listDeals(actingAs(ctx, actor), input, withProtection);
}

const idOf = (deal: Deal) => (deal.dealType === 'bid' ? deal.bid.id : deal.exchange.id);
const placesOf = async (actor: Actor) =>
  (await listOf(actor)).items.map((deal) => [deal.dealType, idOf(deal), deal.stage, deal.nextAct]);

describe('whose turn it is', () => {
  it('in a swap: the owner answers, either party completes, and nobody once it has ended', async () => {
    const { requester, owner, id } = await createDeal(ctx);
    expect(await placesOf(owner)).toEqual([['exchange', id, 'yours', 'answer']]);
    expect(await placesOf(requester)).toEqual([['exchange', id, 'others', null]]);
    await move(ctx, owner, id, 'accepted');
    for (const party of [owner, requester]) {
      expect(await placesOf(party)).toEqual([['exchange', id, 'yours', 'complete']]);
    }
    await move(ctx, owner, id, 'completed');
    expect(await placesOf(owner)).toEqual([['exchange', id, 'ended', null]]);
  });

  it('of a negotiation only the last round is a deal', async () => {
    const { requester, owner, answer } = await createCounter(ctx);
    expect(await placesOf(requester)).toEqual([['exchange', answer.id, 'yours', 'answer']]);
    expect(await placesOf(owner)).toEqual([['exchange', answer.id, 'others', null]]);
  });

  it('in a bid: the seller and the bidder answer in turns, and the bidder pays a seller who can be paid', async () => {
    const { bidder, owner, id } = await createBid(ctx);
    expect(await placesOf(owner)).toEqual([['bid', id, 'yours', 'answer']]);
    expect(await placesOf(bidder)).toEqual([['bid', id, 'others', null]]);
    await counterBid(ctx, owner, id, '20.00');
    expect(await placesOf(bidder)).toEqual([['bid', id, 'yours', 'answer']]);
    await counterBid(ctx, bidder, id, '15.00');
    expect(await placesOf(bidder)).toEqual([['bid', id, 'others', null]]);
    expect(await placesOf(owner)).toEqual([['bid', id, 'yours', 'answer']]);
    await moveBid(ctx, owner, id, 'rejected');
    expect(await placesOf(owner)).toEqual([['bid', id, 'ended', null]]);
    const accepted = await createBid(ctx, 'accepted');
    expect(await placesOf(accepted.owner)).toEqual([['bid', accepted.id, 'yours', 'set_up_payments']]);
    expect(await placesOf(accepted.bidder)).toEqual([['bid', accepted.id, 'others', null]]);
    await makeReady(ctx, accepted.owner);
    expect(await placesOf(accepted.owner)).toEqual([['bid', accepted.id, 'others', null]]);
    expect(await placesOf(accepted.bidder)).toEqual([['bid', accepted.id, 'yours', 'pay']]);
  });

  it('what was bought waits for the buyer’s word until the hold ends, unless they claim or a bank disputes it', async () => {
    const bought = async () => {
      const bid = await createBid(ctx, 'accepted');
      const paymentId = await paySale(ctx, bid.id);
      const holdUntil = new Date(ctx.clock().getTime() + 72 * HOUR);
      const held = { status: 'held', holdUntil, isDisputed: false } as const;
      const set = (columns: object) =>
        database.db.updateTable('paymentTransactions').set(columns).where('id', '=', paymentId).execute();
      await set(held);
      return { ...bid, set, deadlineAt: holdUntil.toISOString() };
    };
    const { bidder, owner, id, set, deadlineAt } = await bought();
    expect((await listOf(bidder)).items).toMatchObject([{ stage: 'yours', nextAct: 'try_code', deadlineAt }]);
    expect(await placesOf(owner)).toEqual([['bid', id, 'ended', null]]);
    await set({ status: 'releasing' });
    expect(await placesOf(bidder)).toEqual([['bid', id, 'ended', null]]);

    const disputed = await bought();
    await disputed.set({ isDisputed: true, disputedAt: ctx.clock() });
    expect(await placesOf(disputed.bidder)).toEqual([['bid', disputed.id, 'ended', null]]);

    const claimed = await bought();
    await openClaim(actingAs(ctx, claimed.bidder), {
      bidId: claimed.id,
      reason: 'The till did not take it.',
    });
    expect(await placesOf(claimed.bidder)).toEqual([['bid', claimed.id, 'others', null]]);
  });

  it('a bid below the lowest price waits for nobody’s attention', async () => {
    const [owner, bidder] = [await createReadySeller(ctx), await createUser(ctx)];
    const coupon = await createCoupon(ctx, owner);
    await setPrices(ctx, owner, coupon, { askingPrice: '20.00', priceFloor: '15.00' });
    const { id } = await bidOn(ctx, bidder, coupon, '9.00');
    expect(await placesOf(owner)).toEqual([['bid', id, 'others', null]]);
    expect(await countDeals(actingAs(ctx, owner))).toEqual({ yours: 0 });
  });

  it('a claim waits for the word of whoever gave the code, and then for a moderator', async () => {
    const [requester, owner] = [await createUser(ctx), await createUser(ctx)];
    const id = await insertLegClaim(ctx, requester, owner);
    const [deal] = (await listOf(owner)).items;
    expect(deal).toMatchObject({ stage: 'yours', nextAct: 'answer_claim', hasOpenClaim: true });
    const hoursLeft = (Date.parse(deal?.deadlineAt ?? '') - ctx.clock().getTime()) / 3_600_000;
    expect(hoursLeft).toBe(72);
    expect((await listOf(requester)).items).toMatchObject([{ stage: 'others', deadlineAt: null }]);
    expect((await listOf(requester, { only: 'claims' })).items).toHaveLength(1);
    await answerClaim(actingAs(ctx, owner), { id, answer: 'It worked for me at the till.' });
    expect((await listOf(owner)).items).toMatchObject([{ stage: 'others', nextAct: null }]);
    await database.db
      .updateTable('claims')
      .set({ status: 'withdrawn', decidedAt: ctx.clock() })
      .where('id', '=', id)
      .execute();
    for (const only of ['all', 'claims'] as const) {
      expect((await listOf(owner, { only })).items).toMatchObject([{ stage: 'ended', hasOpenClaim: false }]);
    }
  });
});

const HOUR = 3_600_000;

it('what waits for the caller comes first by its deadline, then what waits for others, then what has ended, in pages of any size', async () => {
  const [me, other] = [await createUser(ctx), await createUser(ctx)];
  const at = ctx.clock().getTime();
  const swap = async (hoursAgo: number, status: 'pending' | 'accepted' | 'rejected', asked = true) => {
    const pair = asked
      ? { requesterId: other.id, ownerId: me.id }
      : { requesterId: me.id, ownerId: other.id };
    const [own, foreign] = [await createCoupon(ctx, me), await createCoupon(ctx, other)];
    return insertSwap(ctx, {
      ...pair,
      requestedCouponId: asked ? own.id : foreign.id,
      offeredCouponId: asked ? foreign.id : own.id,
      status,
      createdAt: new Date(at - hoursAgo * HOUR),
    });
  };
  const bid = async (hoursAgo: number, columns: object = {}, received = true) => {
    const createdAt = new Date(at - hoursAgo * HOUR);
    const [bidder, seller] = received ? [other, me] : [me, other];
    const coupon = await createCoupon(ctx, seller);
    const values = { couponId: coupon.id, bidderId: bidder.id, ownerId: seller.id, amount: '5.00' };
    const row = await database.db
      .insertInto('bids')
      .values({ ...values, createdAt, updatedAt: createdAt, ...columns })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
  // Two have the same deadline, and two have ended at the same moment.
  const expected = [
    ['bid', await bid(1, { round: 3, answerBy: new Date(at + 10 * HOUR) })],
    ['bid', await bid(100)],
    ['exchange', await swap(14 * 24 - 68, 'pending')],
    ['exchange', await swap(20, 'pending')],
    ['exchange', await swap(10, 'accepted')],
    ['bid', await bid(2, {}, false)],
    ['exchange', await swap(3, 'pending', false)],
    ['bid', await bid(1, { status: 'rejected', reason: 'by_owner' })],
    ['exchange', await swap(5, 'rejected')],
    ['bid', await bid(5, { status: 'cancelled', reason: 'deadline' }, false)],
    ['exchange', await swap(6, 'rejected', false)],
  ];

  const whole = await listOf(me);
  const inOrder = whole.items.map((deal) => [deal.dealType, idOf(deal)]);
  const sorted = (rows: unknown[]) => rows.map(String).toSorted();
  expect(sorted(inOrder)).toEqual(sorted(expected));
  const stages = whole.items.map(({ stage }) => stage);
  expect(stages).toEqual([...Array(5).fill('yours'), ...Array(2).fill('others'), ...Array(4).fill('ended')]);
  expect(inOrder[0]).toEqual(expected[0]);
  expect(sorted(inOrder.slice(1, 3))).toEqual(sorted(expected.slice(1, 3)));
  expect(inOrder.slice(3, 8)).toEqual(expected.slice(3, 8));
  expect(inOrder.at(-1)).toEqual(expected.at(-1));
  expect(whole.total).toBe(11);
  expect(await countDeals(actingAs(ctx, me))).toEqual({ yours: 5 });

  for (const limit of [1, 2, 3]) {
    const walked: Deal[] = [];
    let [page, previous]: [PageRef | null, PageRef | null] = [1, null];
    while (page !== null) {
      const read: Awaited<ReturnType<typeof listOf>> = await listOf(me, { page, limit });
      walked.push(...read.items);
      [page, previous] = [read.nextCursor, read.previousCursor];
    }
    expect(walked.map(idOf), `forth by ${limit}`).toEqual(whole.items.map(idOf));
    const back: Deal[] = [];
    while (previous !== null) {
      const read: Awaited<ReturnType<typeof listOf>> = await listOf(me, { page: previous, limit });
      back.unshift(...read.items);
      previous = read.previousCursor;
    }
    expect(back.map(idOf), `back by ${limit}`).toEqual(whole.items.map(idOf).slice(0, back.length));
    expect(back.length).toBeGreaterThan(6);
  }
  expect((await listOf(me, { only: 'bids' })).items.every(({ dealType }) => dealType === 'bid')).toBe(true);
  expect((await listOf(me, { only: 'exchanges' })).items).toHaveLength(6);
});

it('a stranger sees nothing, and nobody a code', async () => {
  const { owner, requester } = await createDeal(ctx);
  const { bidder, coupon } = await createBid(ctx);
  expect((await listOf(await createUser(ctx))).items).toEqual([]);
  const text = JSON.stringify(await Promise.all([owner, requester, bidder].map((who) => listOf(who))));
  expect(text).toContain(coupon.title);
  expect(text).not.toContain('SECRET');
});

it('counts for many at once what each is told', async () => {
  const people = await ctx.db.selectFrom('users').select('id').execute();
  const ids = people.map(({ id }) => id);
  const alone = new Map<number, number>();
  for (const id of ids) alone.set(id, await countYours(ctx.db, id));
  expect([...alone.values()].filter((yours) => yours > 0).length).toBeGreaterThan(5);
  expect(await countYoursOfEach(ctx.db, ids)).toEqual(alone);
});

/** Bids on coupons of a seller: as many that wait for them as have ended. */
const BIDS_SQL = `
  with many as (
    insert into coupons (owner_id, title, description, value, merchant, category, has_no_expiry, created_at, updated_at)
    select $1, 'One of many', 'A coupon of a shop.', 1000, 'Shop', 'food', true, now(), now()
    from generate_series(1, $3::integer) returning id)
  insert into bids (coupon_id, bidder_id, owner_id, amount, status, reason, created_at, updated_at)
  select id, $2, $1, 5, case when id % 2 = 0 then 'pending' else 'rejected' end,
    case when id % 2 = 0 then null else 'by_owner' end, now() - id * interval '1 second', now() - id * interval '1 second'
  from many`;

it('a page and the count read a few rows of a seller who has thousands of bids', async () => {
  const sent: Statement[] = [];
  const watched = createTestContext({ db: recorded(database, sent) });
  const [seller, bidder] = [await createUser(ctx), await createUser(ctx)];
  await database.pool.query(BIDS_SQL, [seller.id, bidder.id, shortOrLong(7_000, 60_000)]);
  await database.pool.query('vacuum analyze bids, coupons, exchange_parties, claims');
  const me = actingAs(watched, seller);
  const input = { only: 'all', limit: 20 } as const;
  const { nextCursor } = await listDeals(me, { ...input, page: 1 }, withProtection);
  // The ended ones begin after everything that waits.
  const [list, , , due, tie, type] = JSON.parse(Buffer.from(nextCursor ?? '', 'base64url').toString());
  const ended = Buffer.from(JSON.stringify([list, 'after', 2, due, tie, type])).toString('base64url');
  for (const page of [1, nextCursor ?? 1, ended]) {
    sent.length = 0;
    const { items } = await listDeals(me, { ...input, page }, withProtection);
    expect(items.map(({ stage }) => stage)).toEqual(Array(20).fill(page === ended ? 'ended' : 'yours'));
    await countDeals(me);
    await countYoursOfEach(watched.db, [seller.id]);
    const plans = [];
    // Named statements get the plan for all values.
    for (const statement of sent) plans.push(await genericPlanOf(database, statement));
    const ofBids = plans.flat().filter((node) => node['Relation Name'] === 'bids');
    const rows = ofBids.reduce((sum, node) => sum + rowsSeen(node), 0);
    expect(rows).toBeGreaterThan(60);
    // The counts read 201 rows each.
    expect(rows).toBeLessThan(900);
  }
});

describe('of one coupon', () => {
  const forCoupon = (actor: Actor, couponId: number) =>
    dealsForCoupon(actingAs(ctx, actor), couponId, withProtection);

  it('a person sees what they have under way to get it, until it has ended, and how its owner can be paid', async () => {
    const { requester, owner, requested, offered, id } = await createDeal(ctx);
    expect(await forCoupon(requester, requested.id)).toMatchObject({ bid: null, exchange: { id } });
    expect(await forCoupon(owner, offered.id)).toMatchObject({ exchange: { id } });
    const nothing = { bid: null, exchange: null, payBy: [] };
    expect(await forCoupon(owner, requested.id)).toEqual(nothing);
    expect(await forCoupon(await createUser(ctx), requested.id)).toEqual(nothing);
    const bid = await bidOn(ctx, requester, requested, '9.00');
    await makeReady(ctx, owner);
    expect(await forCoupon(requester, requested.id)).toMatchObject({
      bid: { id: bid.id, status: 'pending' },
      payBy: ['stripe'],
    });
    await move(ctx, owner, id, 'rejected');
    expect((await forCoupon(requester, requested.id)).exchange).toBeNull();
  });
});
