import { expect, it } from 'vitest';
import { cancelUnpaidBid } from '#server/domains/bids/service.ts';
import { bidOn, createBid, moveBid, paySale, withBidLocked } from '#server/testing/bids.ts';
import { move, propose } from '#server/testing/exchanges.ts';
import {
  itInRounds,
  loserOf,
  pickRecent,
  race,
  runRandomActs,
  setUpRaces,
  statusOf,
} from '#server/testing/races.ts';

/** Calls at once that tests/model does not make: it races people, and the deadline job, but not the time to pay. */

const races = setUpRaces();
const { ctx } = races;

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

it('six people sell and swap twelve coupons: refusals, no failures', async () => {
  const [bids, exchanges]: [number[], number[]] = [[], []];
  await runRandomActs(ctx, async ({ random, person, one, two }) => {
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
