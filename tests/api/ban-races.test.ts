import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { login } from '#server/domains/accounts/signing-in.ts';
import type { Actor } from '#server/domains/context.ts';
import { createCoupon as listCoupon } from '#server/domains/coupons/service.ts';
import { setUserStatus } from '#server/domains/moderation/status.ts';
import { bidOn, counter, createBid, moveBid, paySale } from '#server/testing/bids.ts';
import { actingAs, createCoupon, createUser, TEST_PASSWORD } from '#server/testing/builders.ts';
import { connectTo } from '#server/testing/database.ts';
import { createDeal, move, propose } from '#server/testing/exchanges.ts';
import { expectSoundBooks, inRounds, race, setUpRaces } from '#server/testing/races.ts';

const races = setUpRaces();
const { ctx, admin } = races;

const ban = ({ id }: { id: number }) =>
  setUserStatus(actingAs(ctx, admin), { id, status: 'banned', reason: 'Three people complained.' });

/** The ban always succeeds; the other action succeeds or is refused. */
async function raceBan(round: number, banned: Actor, act: () => Promise<unknown>): Promise<void> {
  const [banning, acting] = await race(round, () => ban(banned), act);
  if (banning.status === 'rejected') throw banning.reason;
  if (acting.status === 'rejected') {
    if (!(acting.reason instanceof AppError)) throw acting.reason;
    expect(acting.reason.status).toBeLessThan(500);
  }
}

const NEW_COUPON = {
  title: 'Two coffees for one',
  description: 'Valid at every branch, weekdays only.',
  value: 450,
  discountType: 'fixed',
  merchant: 'Corner Coffee',
  category: 'food',
  hasNoExpiry: true,
  expiryDate: null,
  regions: [] as string[],
  transferable: 'unknown',
  isOpenToOffers: true,
  askingPrice: null,
  priceFloor: null,
  terms: null,
  sourceUrl: null,
  code: null,
  codeValue: null,
  pin: null,
  qrCodeUrl: null,
  barcodeUrl: null,
  imageUrl: null,
} as const;

describe('a race against a ban leaves nothing of the banned person listed or open', () => {
  afterEach(() => expectSoundBooks(ctx));

  const rivals: Record<string, (round: number) => Promise<void>> = {
    'signing in': async (round) => {
      const person = await createUser(ctx);
      await raceBan(round, person, () =>
        login(ctx, { username: person.username, password: TEST_PASSWORD }, null),
      );
      const sessions = await ctx.db
        .selectFrom('sessions')
        .select('id')
        .where('userId', '=', person.id)
        .execute();
      expect(sessions).toEqual([]);
    },
    'accepting an exchange': async (round) => {
      const { id, requester, owner } = await createDeal(ctx);
      await raceBan(round, round % 4 < 2 ? requester : owner, () => move(ctx, owner, id, 'accepted'));
    },
    'accepting a bid': async (round) => {
      const { id, bidder, owner } = await createBid(ctx);
      await raceBan(round, round % 4 < 2 ? bidder : owner, () => moveBid(ctx, owner, id, 'accepted'));
    },
    'completing an exchange': async (round) => {
      const { id, requester, owner } = await createDeal(ctx, 'accepted');
      await raceBan(round, round % 4 < 2 ? requester : owner, () => move(ctx, requester, id, 'completed'));
    },
    'paying a bid': async (round) => {
      const { id, bidder, owner } = await createBid(ctx, 'accepted');
      await raceBan(round, round % 4 < 2 ? bidder : owner, () => paySale(ctx, id));
    },
    'proposing an exchange': async (round) => {
      const [requester, owner] = [await createUser(ctx), await createUser(ctx)];
      const [offered, requested] = [await createCoupon(ctx, requester), await createCoupon(ctx, owner)];
      const act = () => propose(ctx, requester, { offered, requested });
      await raceBan(round, round % 4 < 2 ? requester : owner, act);
    },
    bidding: async (round) => {
      const [bidder, owner] = [await createUser(ctx), await createUser(ctx)];
      const coupon = await createCoupon(ctx, owner);
      await raceBan(round, round % 4 < 2 ? bidder : owner, () => bidOn(ctx, bidder, coupon));
    },
    'countering a bid': async (round) => {
      const { id, bidder, owner } = await createBid(ctx);
      await raceBan(round, round % 4 < 2 ? bidder : owner, () => counter(ctx, owner, id, '20'));
    },
    'listing a coupon': async (round) => {
      const person = await createUser(ctx);
      await raceBan(round, person, () => listCoupon(actingAs(ctx, person), NEW_COUPON));
    },
    'the end of that very ban': async (round) => {
      const person = await createUser(ctx);
      for (let i = 0; i < 3; i += 1) await createCoupon(ctx, person);
      await ban(person);
      const end = { id: person.id, status: 'active', reason: 'It was a mistake.' } as const;
      await raceBan(round, person, () => setUserStatus(actingAs(ctx, admin), end));
    },
  };

  it.each(Object.entries(rivals))('%s', (_act, run) => inRounds(run));
});

it('a ban waits for transactions begun before it, and ends the bid of one of them', async () => {
  const [bidder, owner] = [await createUser(ctx), await createUser(ctx)];
  const coupon = await createCoupon(ctx, owner);
  const own = connectTo(races.database, 1);
  const at = ctx.clock();
  let banning: Promise<unknown> | undefined;
  await own.db.transaction().execute(async (trx) => {
    const columns = { couponId: coupon.id, bidderId: bidder.id, ownerId: owner.id, amount: '12.50' };
    const { id } = await trx
      .insertInto('bids')
      .values({ ...columns, createdAt: at, updatedAt: at })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const userId of [bidder.id, owner.id]) {
      const line = { userId, actorId: null, action: 'created', details: 'A bid', bidId: id, createdAt: at };
      await trx.insertInto('transactionLogs').values(line).execute();
    }
    banning = ban(bidder);
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          trx,
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
  });
  await banning;
  await own.close();
  await expectSoundBooks(ctx);
});

it('met no deadlock', () => races.expectNoDeadlock());
