import { afterEach, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/texts.ts';
import type { Actor } from '#server/domains/context.ts';
import { removeCoupon } from '#server/domains/coupons/service.ts';
import { lapseDeadlines } from '#server/domains/deals/endings.ts';
import { reviseExchange } from '#server/domains/exchanges/proposing.ts';
import { exchangeById } from '#server/domains/exchanges/service.ts';
import { actingAs, createCoupon, createUser, type TestCoupon } from '#server/testing/builders.ts';
import { createDeal, move, propose } from '#server/testing/exchanges.ts';
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

interface Party {
  readonly actor: Actor;
  readonly coupon: TestCoupon;
}

async function createParty(): Promise<Party> {
  const actor = await createUser(ctx);
  return { actor, coupon: await createCoupon(ctx, actor) };
}

describe('of two calls at once, one wins and the other gets the true state', () => {
  afterEach(() => expectSoundBooks(ctx));

  /** Three people with a coupon each: requester and owner of the first and of the second request. */
  it.each([
    ['the requested coupon', [1, 0], [2, 0]],
    ['the offered coupon', [0, 1], [0, 2]],
    ['both coupons, crosswise', [0, 1], [1, 0]],
  ] as const)('two accepts that need %s [spec/2 4.2]', (_, firstPair, secondPair) =>
    inRounds(async (round) => {
      const parties = await Promise.all([createParty(), createParty(), createParty()]);
      const request = async ([from, to]: readonly [0 | 1 | 2, 0 | 1 | 2]) => {
        const [requester, owner] = [parties[from], parties[to]];
        const coupons = { offered: requester.coupon, requested: owner.coupon };
        const { id } = await propose(ctx, requester.actor, coupons);
        return { id, accept: () => move(ctx, owner.actor, id, 'accepted') };
      };
      const [first, second] = [await request(firstPair), await request(secondPair)];
      const refusal = loserOf(...(await race(round, first.accept, second.accept)));
      expect(refusal.code).toBe('coupon_reserved');
      expect(refusal.message).toBe(TEXTS.exchanges.reserved);
      const statuses = [
        await statusOf(ctx, 'exchanges', first.id),
        await statusOf(ctx, 'exchanges', second.id),
      ];
      expect(statuses.sort()).toEqual(['accepted', 'pending']);
    }),
  );

  itInRounds('the same accept twice', async (round) => {
    const { id, owner } = await createDeal(ctx);
    const accept = () => move(ctx, owner, id, 'accepted');
    expect(loserOf(...(await race(round, accept, accept))).message).toBe(
      'This exchange is already accepted.',
    );
  });

  itInRounds('complete against cancel', async (round) => {
    const { id, requester, owner } = await createDeal(ctx, 'accepted');
    const results = await race(
      round,
      () => move(ctx, requester, id, 'completed'),
      () => move(ctx, owner, id, 'cancelled'),
    );
    const refusal = loserOf(...results);
    expect(refusal.code).toBe('deal_changed');
    expect(refusal.message).toBe(`This exchange is already ${await statusOf(ctx, 'exchanges', id)}.`);
  });

  itInRounds('the same complete twice, by one party or by both', async (round) => {
    const { id, requester, owner } = await createDeal(ctx, 'accepted');
    const second = round % 4 < 2 ? owner : requester;
    const results = await race(
      round,
      () => move(ctx, requester, id, 'completed'),
      () => move(ctx, second, id, 'completed'),
    );
    expect(loserOf(...results).message).toBe('This exchange is already completed.');
    const exchange = await exchangeById(actingAs(ctx, requester), id);
    expect(exchange.requestedCoupon.ownerId).toBe(requester.id);
    expect(exchange.offeredCoupon.ownerId).toBe(owner.id);
  });

  itInRounds('accept against cancel by the requester', async (round) => {
    const { id, requester, owner } = await createDeal(ctx);
    const [accept, cancel] = await race(
      round,
      () => move(ctx, owner, id, 'accepted'),
      () => move(ctx, requester, id, 'cancelled'),
    );
    // An accepted exchange may be cancelled, so the cancel succeeds either way.
    expect(cancel.status).toBe('fulfilled');
    if (accept.status === 'rejected') {
      expect(refusalOf(accept).message).toBe('This exchange is already cancelled.');
    }
    expect(await statusOf(ctx, 'exchanges', id)).toBe('cancelled');
  });

  itInRounds('revise against accept: nobody gets another coupon than agreed', async (round) => {
    const { id, requester, owner, offered } = await createDeal(ctx);
    const other = await createCoupon(ctx, requester);
    const [revise, accept] = await race(
      round,
      () =>
        reviseExchange(actingAs(ctx, requester), {
          id,
          offeredCouponId: other.id,
          message: undefined,
        }),
      () => move(ctx, owner, id, 'accepted'),
    );
    if (accept.status === 'rejected') {
      expect(revise.status).toBe('fulfilled');
      expect(refusalOf(accept).message).toBe('The offer has just been changed. Please look at it again.');
      expect(await statusOf(ctx, 'exchanges', id)).toBe('pending');
      return;
    }
    if (revise.status === 'rejected') {
      expect(refusalOf(revise).message).toBe('This exchange is already accepted.');
    }
    // Both succeed only when the accept began after the change: its answer shows the changed offer.
    const agreed = revise.status === 'fulfilled' ? other.id : offered.id;
    expect(accept.value.offeredCoupon.id).toBe(agreed);
  });

  itInRounds('two requests of one person for one coupon', async (round) => {
    const [requester, owner] = await Promise.all([createParty(), createParty()]);
    const other = await createCoupon(ctx, requester.actor);
    const results = await race(
      round,
      () => propose(ctx, requester.actor, { offered: requester.coupon, requested: owner.coupon }),
      () => propose(ctx, requester.actor, { offered: other, requested: owner.coupon }),
    );
    const refusal = loserOf(...results);
    expect(refusal.code).toBe('exchange_exists');
    expect(refusal.message).toBe(TEXTS.exchanges.alreadySubmitted);
  });

  itInRounds('delete against accept, for either coupon', async (round) => {
    const { id, requester, owner, offered, requested } = await createDeal(ctx);
    const [deleter, coupon] = round % 4 < 2 ? [requester, offered] : [owner, requested];
    const results = await race(
      round,
      () => removeCoupon(actingAs(ctx, deleter), coupon.id),
      () => move(ctx, owner, id, 'accepted'),
    );
    const refusal = loserOf(...results);
    const isAccepted = (await statusOf(ctx, 'exchanges', id)) === 'accepted';
    expect(refusal.message).toMatch(
      isAccepted ? /^This coupon is part of an accepted exchange/ : /^This exchange is already cancelled\.$/,
    );
  });

  itInRounds('delete against a request', async (round) => {
    const [requester, owner] = await Promise.all([createParty(), createParty()]);
    const { actor: deleter, coupon } = round % 4 < 2 ? requester : owner;
    const [asking, deletion] = await race(
      round,
      () => propose(ctx, requester.actor, { offered: requester.coupon, requested: owner.coupon }),
      () => removeCoupon(actingAs(ctx, deleter), coupon.id),
    );
    expect(deletion.status).toBe('fulfilled');
    if (asking.status === 'fulfilled')
      expect(await statusOf(ctx, 'exchanges', asking.value.id)).toBe('cancelled');
    else expect(asking.reason).toMatchObject({ code: 'not_found', message: 'Coupon not found' });
  });

  itInRounds('a request for a coupon against the end of its exchange', async (round) => {
    const { id, requester, owner, requested } = await createDeal(ctx, 'accepted');
    const third = await createParty();
    const [asking, completion] = await race(
      round,
      () => propose(ctx, third.actor, { offered: third.coupon, requested }),
      () => move(ctx, owner, id, 'completed'),
    );
    expect(completion.status).toBe('fulfilled');
    if (asking.status === 'rejected') {
      expect(refusalOf(asking).message).toBe(TEXTS.exchanges.reserved);
    } else {
      expect(asking.value.requestedCouponOwnerId).toBe(requester.id);
    }
  });

  itInRounds('complete against the deadline job', async (round) => {
    const { id, owner } = await createDeal(ctx, 'accepted');
    ctx.clock.advanceDays(14);
    const [lapse, complete] = await race(
      round,
      () => lapseDeadlines(ctx),
      () => move(ctx, owner, id, 'completed'),
    );
    if (complete.status === 'rejected') {
      expect(refusalOf(complete).message).toBe('This exchange is already cancelled.');
    }
    expect(lapse.status).toBe('fulfilled');
    expect(await statusOf(ctx, 'exchanges', id)).toBe(
      complete.status === 'fulfilled' ? 'completed' : 'cancelled',
    );
  });
});

describe('many calls at once', () => {
  it('six people swap twelve coupons: refusals, no failures, and sound books', async () => {
    const known: number[] = [];
    await runRandomActs(ctx, 'exchanges', async ({ random, person, one, two }) => {
      const kind = random(10);
      const id = pickRecent(random, known);
      if (kind < 4 || id === undefined) {
        known.push((await propose(ctx, person, { offered: one, requested: two })).id);
      } else if (kind === 9) {
        await reviseExchange(actingAs(ctx, person), { id, offeredCouponId: one.id, message: undefined });
      } else {
        const moves = ['accepted', 'accepted', 'completed', 'completed', 'cancelled'] as const;
        await move(ctx, person, id, moves[kind - 4] ?? 'completed');
      }
    });
  });

  it('met no deadlock, not even one that a retry solved', () => races.expectNoDeadlock());
});
