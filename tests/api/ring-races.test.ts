import { afterEach, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/texts.ts';
import { AppError } from '#server/core/errors.ts';
import { lapseDeadlines } from '#server/domains/deals/endings.ts';
import { proposeRing } from '#server/domains/exchanges/proposing.ts';
import { setUserStatus } from '#server/domains/moderation/status.ts';
import { bidOn, moveBid } from '#server/testing/bids.ts';
import { actingAs, createCoupon, createUser } from '#server/testing/builders.ts';
import { createRing, move, propose } from '#server/testing/exchanges.ts';
import {
  expectSoundBooks,
  itInRounds,
  loserOf,
  race,
  refusalOf,
  setUpRaces,
  statusOf,
} from '#server/testing/races.ts';

const races = setUpRaces();
const { ctx, admin } = races;

describe('of two acts on a ring at once, one wins and the other gets the true state', () => {
  afterEach(() => expectSoundBooks(ctx));

  itInRounds('the last consents of two rings over one coupon', async (round) => {
    const first = await createRing(ctx, { consents: 1 });
    const [author, middle] = [await createUser(ctx), await createUser(ctx)];
    const [own, other] = [await createCoupon(ctx, author), await createCoupon(ctx, middle)];
    const { actor: last, coupon } = first.third;
    const second = await proposeRing(actingAs(ctx, author), {
      legs: [
        { couponId: own.id, receiverId: middle.id },
        { couponId: other.id, receiverId: last.id },
        { couponId: coupon.id, receiverId: author.id },
      ],
      message: null,
    });
    await move(ctx, middle, second.id, 'accepted');
    const refusal = loserOf(
      ...(await race(
        round,
        () => move(ctx, last, first.id, 'accepted'),
        () => move(ctx, last, second.id, 'accepted'),
      )),
    );
    expect(refusal.message).toBe(TEXTS.exchanges.reserved);
    const statuses = [
      await statusOf(ctx, 'exchanges', first.id),
      await statusOf(ctx, 'exchanges', second.id),
    ];
    expect(statuses.sort()).toEqual(['accepted', 'pending']);
  });

  itInRounds('the last two consents of one ring', async (round) => {
    const { id, second, third } = await createRing(ctx);
    const results = await race(
      round,
      () => move(ctx, second.actor, id, 'accepted'),
      () => move(ctx, third.actor, id, 'accepted'),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await statusOf(ctx, 'exchanges', id)).toBe('accepted');
  });

  itInRounds('a ring against a swap of one of its coupons', async (round) => {
    const { id, third } = await createRing(ctx, { consents: 1 });
    const rival = await createUser(ctx);
    const swap = await propose(ctx, rival, {
      offered: await createCoupon(ctx, rival),
      requested: third.coupon,
    });
    const refusal = loserOf(
      ...(await race(
        round,
        () => move(ctx, third.actor, id, 'accepted'),
        () => move(ctx, third.actor, swap.id, 'accepted'),
      )),
    );
    expect(refusal.code).toBe('coupon_reserved');
  });

  itInRounds('a ring against a bid on one of its coupons', async (round) => {
    const { id, third } = await createRing(ctx, { consents: 1 });
    const bid = await bidOn(ctx, await createUser(ctx), third.coupon);
    const refusal = loserOf(
      ...(await race(
        round,
        () => move(ctx, third.actor, id, 'accepted'),
        () => moveBid(ctx, third.actor, bid.id, 'accepted'),
      )),
    );
    expect(refusal.code).toBe('coupon_reserved');
  });

  itInRounds('the last consent against withdrawal', async (round) => {
    const { id, author, third } = await createRing(ctx, { consents: 1 });
    const [consent, withdrawal] = await race(
      round,
      () => move(ctx, third.actor, id, 'accepted'),
      () => move(ctx, author.actor, id, 'cancelled'),
    );
    // What everybody has agreed to may be cancelled, so the author succeeds either way.
    expect(withdrawal.status).toBe('fulfilled');
    if (consent.status === 'rejected')
      expect(refusalOf(consent).message).toBe('This exchange is already cancelled.');
    expect(await statusOf(ctx, 'exchanges', id)).toBe('cancelled');
  });

  itInRounds('the last consent against the deadline', async (round) => {
    const { id, third } = await createRing(ctx, { consents: 1 });
    ctx.clock.advanceDays(2);
    const [consent] = await race(
      round,
      () => move(ctx, third.actor, id, 'accepted'),
      () => lapseDeadlines(ctx),
    );
    expect(await statusOf(ctx, 'exchanges', id)).toBe(
      consent.status === 'fulfilled' ? 'accepted' : 'cancelled',
    );
  });

  itInRounds('completion against the ban of somebody in it', async (round) => {
    const { id, author, second, third } = await createRing(ctx, { consents: 2 });
    const [completion, ban] = await race(
      round,
      () => move(ctx, author.actor, id, 'completed'),
      () =>
        setUserStatus(actingAs(ctx, admin), {
          id: third.actor.id,
          status: 'banned',
          reason: 'Three people complained.',
        }),
    );
    if (ban.status === 'rejected') throw ban.reason;
    if (completion.status === 'rejected') {
      expect(completion.reason).toBeInstanceOf(AppError);
      expect(completion.reason).toMatchObject({ status: 409 });
    }
    const isMoved = completion.status === 'fulfilled';
    expect(await statusOf(ctx, 'exchanges', id)).toBe(isMoved ? 'completed' : 'cancelled');
    const owners = await ctx.db
      .selectFrom('coupons')
      .select('ownerId')
      .where('id', 'in', [author.coupon.id, second.coupon.id, third.coupon.id])
      .orderBy('id')
      .execute();
    const ids = [author, second, third].map(({ actor }) => actor.id);
    const [first = 0, ...rest] = ids;
    expect(owners.map(({ ownerId }) => ownerId)).toEqual(isMoved ? [...rest, first] : ids);
  });
});

it('met no deadlock, not even one that a retry solved', () => races.expectNoDeadlock());
