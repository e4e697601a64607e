import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/texts.ts';
import type { DatabaseHandle } from '#server/database/client.ts';
import type { Actor } from '#server/domains/context.ts';
import { removeCoupon } from '#server/domains/coupons/service.ts';
import { lapseDeadlines } from '#server/domains/deals/endings.ts';
import { exchangeById, reviseExchange } from '#server/domains/exchanges/service.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  type TestContext,
  type TestCoupon,
} from '#server/testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import type { Dice } from '#server/testing/dice.ts';
import { createDeal, move, propose } from '#server/testing/exchanges.ts';
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

interface Party {
  readonly actor: Actor;
  readonly coupon: TestCoupon;
}

async function createParty(): Promise<Party> {
  const actor = await createUser(ctx);
  return { actor, coupon: await createCoupon(ctx, actor) };
}

async function statusOf(id: number): Promise<string> {
  const row = await racers.db
    .selectFrom('exchanges')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.status;
}

async function expectNobodyCheated(): Promise<void> {
  expect(await checkInvariants(racers.db)).toEqual([]);
}

describe('of two at once, one wins and the other is told the truth', () => {
  it.each([
    ['the requested coupon', 'requested'],
    ['the offered coupon', 'offered'],
    ['both coupons, crosswise', 'both'],
  ] as const)('two accepts that need %s', async (_, shared) => {
    for (const round of ROUNDS) {
      const [one, two, three] = await Promise.all([createParty(), createParty(), createParty()]);
      const deals =
        shared === 'requested'
          ? [
              {
                owner: one,
                id: (await propose(ctx, two.actor, { offered: two.coupon, requested: one.coupon })).id,
              },
              {
                owner: one,
                id: (await propose(ctx, three.actor, { offered: three.coupon, requested: one.coupon })).id,
              },
            ]
          : [
              {
                owner: two,
                id: (await propose(ctx, one.actor, { offered: one.coupon, requested: two.coupon })).id,
              },
              shared === 'offered'
                ? {
                    owner: three,
                    id: (await propose(ctx, one.actor, { offered: one.coupon, requested: three.coupon })).id,
                  }
                : {
                    owner: one,
                    id: (await propose(ctx, two.actor, { offered: two.coupon, requested: one.coupon })).id,
                  },
            ];
      const accept =
        (deal = deals[0]) =>
        async () =>
          move(ctx, deal?.owner.actor ?? one.actor, deal?.id ?? 0, 'accepted');
      const refusal = loserOf(...(await race(round, accept(deals[0]), accept(deals[1]))));
      expect(refusal.code).toBe('coupon_reserved');
      expect(refusal.message).toBe(TEXTS.exchanges.reserved);
      const statuses = await Promise.all(deals.map(({ id }) => statusOf(id)));
      expect(statuses.sort()).toEqual(['accepted', 'pending']);
    }
    await expectNobodyCheated();
  });

  it('the same accept twice', async () => {
    for (const round of ROUNDS) {
      const { id, owner } = await createDeal(ctx);
      const accept = () => move(ctx, owner, id, 'accepted');
      expect(loserOf(...(await race(round, accept, accept))).message).toBe(
        'This exchange is already accepted.',
      );
    }
    await expectNobodyCheated();
  });

  it('complete against cancel', async () => {
    for (const round of ROUNDS) {
      const { id, requester, owner } = await createDeal(ctx, 'accepted');
      const results = await race(
        round,
        () => move(ctx, requester, id, 'completed'),
        () => move(ctx, owner, id, 'cancelled'),
      );
      const refusal = loserOf(...results);
      expect(refusal.code).toBe('deal_changed');
      expect(refusal.message).toBe(`This exchange is already ${await statusOf(id)}.`);
    }
    await expectNobodyCheated();
  });

  it('the same complete twice, by one party or by both', async () => {
    for (const round of ROUNDS) {
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
    }
    await expectNobodyCheated();
  });

  it('accept against the requester’s cancel', async () => {
    for (const round of ROUNDS) {
      const { id, requester, owner } = await createDeal(ctx);
      const [accept, cancel] = await race(
        round,
        () => move(ctx, owner, id, 'accepted'),
        () => move(ctx, requester, id, 'cancelled'),
      );
      // An accepted exchange may be cancelled, so that the cancel stands either way.
      expect(cancel.status).toBe('fulfilled');
      if (accept.status === 'rejected') {
        expect(refusalOf(accept).message).toBe('This exchange is already cancelled.');
      }
      expect(await statusOf(id)).toBe('cancelled');
    }
    await expectNobodyCheated();
  });

  it('revise against accept: nobody gets another coupon than the one they agreed to', async () => {
    for (const round of ROUNDS) {
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
        expect(await statusOf(id)).toBe('pending');
        continue;
      }
      if (revise.status === 'rejected') {
        expect(refusalOf(revise).message).toBe('This exchange is already accepted.');
      }
      // Both stand only where the accept began after the change: its answer shows what was agreed to.
      const agreed = revise.status === 'fulfilled' ? other.id : offered.id;
      expect(accept.value.offeredCoupon.id).toBe(agreed);
    }
    await expectNobodyCheated();
  });

  it('two requests of one person for one coupon', async () => {
    for (const round of ROUNDS) {
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
    }
    await expectNobodyCheated();
  });

  it('delete against accept, of either coupon', async () => {
    for (const round of ROUNDS) {
      const { id, requester, owner, offered, requested } = await createDeal(ctx);
      const [deleter, coupon] = round % 4 < 2 ? [requester, offered] : [owner, requested];
      const results = await race(
        round,
        () => removeCoupon(actingAs(ctx, deleter), coupon.id),
        () => move(ctx, owner, id, 'accepted'),
      );
      const refusal = loserOf(...results);
      const isAccepted = (await statusOf(id)) === 'accepted';
      expect(refusal.message).toMatch(
        isAccepted
          ? /^This coupon is part of an accepted exchange/
          : /^This exchange is already cancelled\.$/,
      );
    }
    await expectNobodyCheated();
  });

  it('delete against a request', async () => {
    for (const round of ROUNDS) {
      const [requester, owner] = await Promise.all([createParty(), createParty()]);
      const { actor: deleter, coupon } = round % 4 < 2 ? requester : owner;
      const [asking, deletion] = await race(
        round,
        () => propose(ctx, requester.actor, { offered: requester.coupon, requested: owner.coupon }),
        () => removeCoupon(actingAs(ctx, deleter), coupon.id),
      );
      expect(deletion.status).toBe('fulfilled');
      if (asking.status === 'fulfilled') expect(await statusOf(asking.value.id)).toBe('cancelled');
      else expect(asking.reason).toMatchObject({ code: 'not_found', message: 'Coupon not found' });
    }
    await expectNobodyCheated();
  });

  it('a request for a coupon against the end of its exchange', async () => {
    for (const round of ROUNDS) {
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
    }
    await expectNobodyCheated();
  });

  it('the deadline against complete', async () => {
    for (const round of ROUNDS) {
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
      expect(await statusOf(id)).toBe(complete.status === 'fulfilled' ? 'completed' : 'cancelled');
    }
    await expectNobodyCheated();
  });
});

describe('everything at once', () => {
  it('six people swap twelve coupons with both hands: refusals, never failures, and the books are right', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => createUser(ctx)));
    const coupons = await Promise.all(
      people.flatMap((person) => [createCoupon(ctx, person), createCoupon(ctx, person)]),
    );
    const known: number[] = [];

    async function act(dice: Dice): Promise<void> {
      const person = people[dice(people.length)] ?? people[0];
      const [one, two] = [coupons[dice(coupons.length)], coupons[dice(coupons.length)]];
      if (!person || !one || !two) return;
      const kind = dice(10);
      const id = known[known.length - 1 - dice(Math.min(12, Math.max(1, known.length)))];
      if (kind < 4 || id === undefined) {
        known.push((await propose(ctx, person, { offered: one, requested: two })).id);
      } else if (kind === 9) {
        await reviseExchange(actingAs(ctx, person), { id, offeredCouponId: one.id, message: undefined });
      } else {
        const moves = ['accepted', 'accepted', 'completed', 'completed', 'cancelled'] as const;
        await move(ctx, person, id, moves[kind - 4] ?? 'completed');
      }
    }

    const outcomes = await storm(act);
    await expectNobodyCheated();
    const completed = await racers.db
      .selectFrom('exchanges')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('status', '=', 'completed')
      .where(
        'requesterId',
        'in',
        people.map(({ id }) => id),
      )
      .executeTakeFirstOrThrow();
    // Otherwise nothing was at stake.
    expect(completed.count, JSON.stringify(outcomes)).toBeGreaterThan(0);
  });

  it('has met no deadlock, not even one that a retry hid', async () => {
    await racers.close();
    await testDatabase.db.destroy();
    await expectNoDeadlock(testDatabase);
  });
});
