import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/texts.ts';
import type { DatabaseHandle } from '#server/database/client.ts';
import { cancelUnpaidBid } from '#server/domains/bids/service.ts';
import type { Actor } from '#server/domains/context.ts';
import { removeCoupon, updateCoupon } from '#server/domains/coupons/service.ts';
import { lapseDeadlines } from '#server/domains/deals/endings.ts';
import { bidOn, createBid, moveBid, paySale, withBidLocked } from '#server/testing/bids.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  type TestContext,
} from '#server/testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import type { Dice } from '#server/testing/dice.ts';
import { move, propose } from '#server/testing/exchanges.ts';
import { checkInvariants } from '#server/testing/invariants.ts';
import { expectNoDeadlock, loserOf, openRacers, race, refusalOf, storm } from '#server/testing/races.ts';
import { ROUNDS } from '#server/testing/rounds.ts';

let testDatabase: TestDatabase;
/** The racers' own connections, closed before the deadlocks are counted. */
let racers: DatabaseHandle;
let ctx: TestContext;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  racers = await openRacers(testDatabase);
  ctx = createTestContext(racers);
});
afterAll(() => testDatabase.close());

async function statusOf(kind: 'bids' | 'exchanges', id: number): Promise<string> {
  const row = await racers.db
    .selectFrom(kind)
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.status;
}

/** A bid, and an exchange on the same coupon: asked for, or offered. Whoever accepts the exchange is `acceptor`. */
async function bidAndExchange(side: 'requested' | 'offered') {
  const { id: bidId, owner, coupon } = await createBid(ctx);
  const other = await createUser(ctx);
  const theirs = await createCoupon(ctx, other);
  const [requester, acceptor] = side === 'requested' ? [other, owner] : [owner, other];
  const [offered, requested] = side === 'requested' ? [theirs, coupon] : [coupon, theirs];
  const { id: exchangeId } = await propose(ctx, requester, { offered, requested });
  return { bidId, exchangeId, owner, acceptor, other };
}

async function expectNobodyCheated(): Promise<void> {
  expect(await checkInvariants(racers.db)).toEqual([]);
}

describe('of two at once, one wins and the other is told the truth', () => {
  it('two accepts of two bids on one coupon', async () => {
    for (const round of ROUNDS) {
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
      const statuses = [await statusOf('bids', id), await statusOf('bids', rival.id)];
      expect(statuses.sort()).toEqual(['accepted', 'rejected']);
    }
    await expectNobodyCheated();
  });

  it('the same accept twice', async () => {
    for (const round of ROUNDS) {
      const { id, owner } = await createBid(ctx);
      const accept = () => moveBid(ctx, owner, id, 'accepted');
      expect(loserOf(...(await race(round, accept, accept))).message).toBe('This bid is already accepted.');
    }
    await expectNobodyCheated();
  });

  it.each(['requested', 'offered'] as const)(
    'accepting a bid against accepting an exchange in which its coupon is %s',
    async (side) => {
      for (const round of ROUNDS) {
        const { bidId, exchangeId, owner, acceptor } = await bidAndExchange(side);
        const results = await race(
          round,
          () => moveBid(ctx, owner, bidId, 'accepted'),
          () => move(ctx, acceptor, exchangeId, 'accepted'),
        );
        const refusal = loserOf(...results);
        expect(refusal.code).toBe('coupon_reserved');
        expect(refusal.message).toBe(TEXTS.exchanges.reserved);
        const statuses = [await statusOf('bids', bidId), await statusOf('exchanges', exchangeId)];
        expect(statuses.sort()).toEqual(['accepted', 'pending']);
      }
      await expectNobodyCheated();
    },
  );

  it('accepting a bid against the end of the exchange that moves its coupon', async () => {
    for (const round of ROUNDS) {
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
      expect(await statusOf('bids', bidId)).toBe('cancelled');
    }
    await expectNobodyCheated();
  });

  it('accept against the bidder’s cancel: an accepted bid binds', async () => {
    for (const round of ROUNDS) {
      const { id, bidder, owner } = await createBid(ctx);
      const results = await race(
        round,
        () => moveBid(ctx, owner, id, 'accepted'),
        () => moveBid(ctx, bidder, id, 'cancelled'),
      );
      const refusal = loserOf(...results);
      expect(refusal.code).toBe('deal_changed');
      expect(refusal.message).toMatch(
        (await statusOf('bids', id)) === 'accepted'
          ? /^This bid is already accepted\. Bids are binding/
          : /^This bid is already cancelled\.$/,
      );
    }
    await expectNobodyCheated();
  });

  it('accept against the 7 days', async () => {
    for (const round of ROUNDS) {
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
      expect(await statusOf('bids', id)).toBe(accept.status === 'fulfilled' ? 'accepted' : 'cancelled');
    }
    await expectNobodyCheated();
  });

  it('the payment against the 48 hours', async () => {
    for (const round of ROUNDS) {
      const { id, bidder, owner } = await createBid(ctx, 'accepted');
      const results = await race(
        round,
        () => paySale(ctx, id),
        () => withBidLocked(ctx, id, (trx, bid) => cancelUnpaidBid(trx, bid, ctx.clock())),
      );
      loserOf(...results);
      const status = await statusOf('bids', id);
      const { ownerId } = await racers.db
        .selectFrom('bids')
        .innerJoin('coupons', 'coupons.id', 'bids.couponId')
        .select('coupons.ownerId')
        .where('bids.id', '=', id)
        .executeTakeFirstOrThrow();
      expect([status, ownerId]).toEqual(
        results[0].status === 'fulfilled' ? ['completed', bidder.id] : ['cancelled', owner.id],
      );
    }
    await expectNobodyCheated();
  });

  it('a bid against the deletion of its coupon', async () => {
    for (const round of ROUNDS) {
      const [owner, bidder] = [await createUser(ctx), await createUser(ctx)];
      const coupon = await createCoupon(ctx, owner);
      const [placing, deletion] = await race(
        round,
        () => bidOn(ctx, bidder, coupon),
        () => removeCoupon(actingAs(ctx, owner), coupon.id),
      );
      expect(deletion.status).toBe('fulfilled');
      if (placing.status === 'fulfilled') expect(await statusOf('bids', placing.value.id)).toBe('cancelled');
      else expect(placing.reason).toMatchObject({ code: 'not_found', message: 'Coupon not found' });
    }
    await expectNobodyCheated();
  });

  it('a bid against an edit of what is bargained for: nobody is held to what they have not seen', async () => {
    for (const round of ROUNDS) {
      const [owner, bidder] = [await createUser(ctx), await createUser(ctx)];
      const coupon = await createCoupon(ctx, owner);
      const [placing, edit] = await race(
        round,
        () => bidOn(ctx, bidder, coupon),
        () => editValue(owner, coupon),
      );
      expect(edit.status).toBe('fulfilled');
      if (placing.status === 'rejected') throw placing.reason;
      // Placed before the edit, it ended with it; placed after it, it stands.
      const status = await statusOf('bids', placing.value.id);
      expect(status).toBe(placing.value.coupon.value === 1_000 ? 'cancelled' : 'pending');
    }
    await expectNobodyCheated();
  });

  it('accept against deletion or edit of the coupon', async () => {
    for (const round of ROUNDS) {
      const { id, owner, coupon } = await createBid(ctx);
      const results = await race<unknown, unknown>(
        round,
        () => moveBid(ctx, owner, id, 'accepted'),
        () => (round % 4 < 2 ? removeCoupon(actingAs(ctx, owner), coupon.id) : editValue(owner, coupon)),
      );
      const isAccepted = (await statusOf('bids', id)) === 'accepted';
      expect(loserOf(...results).message).toMatch(
        isAccepted ? /^You accepted a bid on this coupon/ : /^This bid is already cancelled\.$/,
      );
    }
    await expectNobodyCheated();
  });

  it('two bids of one person on one coupon', async () => {
    for (const round of ROUNDS) {
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
    }
    await expectNobodyCheated();
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

describe('everything at once', () => {
  it('six people sell and swap twelve coupons with both hands: refusals, never failures', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => createUser(ctx)));
    const coupons = await Promise.all(
      people.flatMap((person) => [createCoupon(ctx, person), createCoupon(ctx, person)]),
    );
    const [bids, exchanges]: [number[], number[]] = [[], []];
    const recent = (ids: number[], dice: Dice) =>
      ids[ids.length - 1 - dice(Math.min(12, Math.max(1, ids.length)))];

    async function act(dice: Dice): Promise<void> {
      const person = people[dice(people.length)] ?? people[0];
      const [one, two] = [coupons[dice(coupons.length)], coupons[dice(coupons.length)]];
      if (!person || !one || !two) return;
      const kind = dice(12);
      const [bidId, exchangeId] = [recent(bids, dice), recent(exchanges, dice)];
      if (kind < 3 || bidId === undefined) bids.push((await bidOn(ctx, person, one, `${3 + dice(50)}`)).id);
      else if (kind < 5 || exchangeId === undefined) {
        exchanges.push((await propose(ctx, person, { offered: one, requested: two })).id);
      } else if (kind < 8) {
        await moveBid(
          ctx,
          person,
          bidId,
          (['accepted', 'accepted', 'cancelled'] as const)[kind - 5] ?? 'rejected',
        );
      } else if (kind < 9) await paySale(ctx, bidId);
      else {
        const moves = ['accepted', 'completed', 'cancelled'] as const;
        await move(ctx, person, exchangeId, moves[kind - 9] ?? 'completed');
      }
    }

    const outcomes = await storm(act);
    await expectNobodyCheated();
    const ended = await racers.db
      .selectFrom('bids')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('status', '=', 'completed')
      .where(
        'bidderId',
        'in',
        people.map(({ id }) => id),
      )
      .executeTakeFirstOrThrow();
    // Otherwise nothing was at stake.
    expect(ended.count, JSON.stringify(outcomes)).toBeGreaterThan(0);
  });

  it('has met no deadlock, not even one that a retry hid', async () => {
    await racers.close();
    await testDatabase.db.destroy();
    await expectNoDeadlock(testDatabase);
  });
});
