import { beforeEach, expect } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { codeContext } from '#server/coupons/core/view.ts';
import { proposeRing } from '#server/deals/exchanges/proposing.ts';
import { continueReissues } from '#server/deals/exchanges/reissuing.ts';
import { setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { checkProofs } from '#server/oversight/proofs/checking.ts';
import { bidOn, moveBid, paySale } from '#tests/support/bids.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  type TestContext,
  type TestCoupon,
} from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { move, propose } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { undoSale } from '#tests/support/ratings.ts';
import { setUpProgramme } from '#tests/support/voucher-programme.ts';
import { MERCHANT } from '#tests/support/voucher-sandbox.ts';
import { Crashed, type CrashPoint, createMortalContext, type Life } from './crashes.ts';

/** A coupon that is to change hands. */
export interface Leg {
  readonly coupon: TestCoupon;
  readonly giver: Actor;
  readonly receiver: Actor;
  /** Whether the giver, too, has got a new code. */
  readonly isSecond?: boolean;
}

export interface Scene {
  readonly legs: readonly Leg[];
  /** What a process does that may crash. */
  act(mortal: TestContext): Promise<unknown>;
}

/** A market all of whose coupons are of one programme, which mints new codes while processes are killed. */
export function setUpReissueWorld() {
  const database = setUpDatabase();
  const programme = setUpProgramme();
  const ctx = {} as TestContext;
  beforeEach(() => {
    programme.vouchers.clear();
    Object.assign(ctx, createTestContext(database, { providers: { validators: programme.validators } }));
  });

  let counter = 0;
  async function atProgramme(owner: Actor): Promise<TestCoupon & { code: string }> {
    counter += 1;
    const code = `SEEN-${counter}-KQZ`;
    programme.issue(code);
    return { ...(await createCoupon(ctx, owner, { merchant: MERCHANT, code })), code };
  }

  async function swap(): Promise<Scene & { id: number; people: readonly [Actor, Actor] }> {
    const people = [await createUser(ctx), await createUser(ctx)] as const;
    const [one, other] = people;
    const [offered, requested] = [await atProgramme(one), await atProgramme(other)];
    const { id } = await propose(ctx, one, { offered, requested });
    await move(ctx, other, id, 'accepted');
    return {
      id,
      people,
      legs: [
        { coupon: offered, giver: one, receiver: other },
        { coupon: requested, giver: other, receiver: one },
      ],
      act: (mortal) => setExchangeStatus(actingAs(mortal, one), { id, status: 'completed' }),
    };
  }

  async function ring(): Promise<Scene> {
    const people = [await createUser(ctx), await createUser(ctx), await createUser(ctx)] as const;
    const legs: Leg[] = [];
    for (const [place, giver] of people.entries()) {
      legs.push({ coupon: await atProgramme(giver), giver, receiver: people[(place + 1) % 3] ?? giver });
    }
    const moves = legs.map(({ coupon, receiver }) => ({ couponId: coupon.id, receiverId: receiver.id }));
    const { id } = await proposeRing(actingAs(ctx, people[0]), { legs: moves, message: null });
    for (const other of people.slice(1)) await move(ctx, other, id, 'accepted');
    return {
      legs,
      act: (mortal) => setExchangeStatus(actingAs(mortal, people[2]), { id, status: 'completed' }),
    };
  }

  async function sale(): Promise<Scene & { id: number; seller: Actor; buyer: Actor }> {
    const [seller, buyer] = [await createUser(ctx), await createUser(ctx)];
    const coupon = await atProgramme(seller);
    const { id } = await bidOn(ctx, buyer, coupon);
    await moveBid(ctx, seller, id, 'accepted');
    return {
      ...{ id, seller, buyer },
      legs: [{ coupon, giver: seller, receiver: buyer }],
      async act(mortal) {
        await paySale(mortal, id);
        await continueReissues(mortal);
      },
    };
  }

  async function refund(): Promise<Scene> {
    const { id, seller, buyer, legs } = await sale();
    await paySale(ctx, id);
    await settleEverything();
    const [leg] = legs;
    if (!leg) throw new Error('A sale moves a coupon');
    const coupon = { ...leg.coupon, code: await storedCode(leg.coupon.id) };
    return {
      legs: [{ coupon, giver: buyer, receiver: seller, isSecond: true }],
      async act(mortal) {
        await undoSale(mortal, { dealType: 'bid', dealId: id });
        await continueReissues(mortal);
      },
    };
  }

  /** Goes on as the job does, until nothing is open. */
  async function settleEverything(): Promise<void> {
    for (let runs = 0; (await openOnes()) > 0; runs += 1) {
      if (runs > 20) throw new Error('It does not come to rest');
      ctx.clock.advanceDays(6 / 1_440);
      await continueReissues(ctx);
    }
  }

  async function openOnes(): Promise<number> {
    const open = await ctx.db
      .selectFrom('reissues')
      .select('id')
      .where('nextTryAt', 'is not', null)
      .execute();
    return open.length;
  }

  async function storedCode(couponId: number): Promise<string> {
    const { code } = await ctx.db
      .selectFrom('couponSecrets')
      .select('code')
      .where('couponId', '=', couponId)
      .executeTakeFirstOrThrow();
    return ctx.vault.open(code, codeContext(couponId));
  }

  const couponOf = (id: number) =>
    ctx.db
      .selectFrom('coupons')
      .select(['ownerId', 'reissuedAt', 'isVerified'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  /** Everybody has given and got, or nobody; and the programme and we agree on one valid code for each coupon. */
  async function expectWhole(legs: readonly Leg[]): Promise<'moved' | 'not moved'> {
    const valid = [...programme.vouchers.keys()].filter(programme.isValid);
    expect(valid).toHaveLength(legs.length);
    const found = await Promise.all(
      legs.map(async ({ coupon, receiver, isSecond = false }) => {
        const { ownerId, reissuedAt } = await couponOf(coupon.id);
        const code = await storedCode(coupon.id);
        expect(valid).toContain(code);
        const isMoved = ownerId === receiver.id;
        const isNew = code !== coupon.code;
        expect(isNew).toBe(isMoved);
        expect(reissuedAt !== null).toBe(isMoved || isSecond);
        expect(programme.isValid(coupon.code ?? '')).toBe(!isMoved);
        return isMoved;
      }),
    );
    expect(new Set(found).size).toBe(1);
    expect(await checkInvariants(ctx.db)).toEqual([]);
    expect((await checkProofs(ctx)).broken).toEqual([]);
    return found[0] ? 'moved' : 'not moved';
  }

  /** Lets a process act, which dies at a step. @returns whether it has died */
  async function dieAt(scene: Scene, strike: () => CrashPoint): Promise<boolean> {
    const life: Life = { isOver: false, strike };
    programme.stopping = () => {
      if (life.isOver) return 'before';
      const point = strike();
      if (point) life.isOver = true;
      return point;
    };
    try {
      await scene.act(createMortalContext(ctx, life));
    } catch (error) {
      if (!life.isOver) throw error;
      if (!(error instanceof Crashed)) expect(error).toMatchObject({ code: expect.any(String) });
    }
    programme.stopping = null;
    return life.isOver;
  }

  return {
    ctx,
    programme,
    swap,
    ring,
    sale,
    refund,
    settleEverything,
    openOnes,
    couponOf,
    expectWhole,
    dieAt,
  };
}
