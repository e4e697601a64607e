import { afterEach, describe, expect, it } from 'vitest';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { askAboutOffer } from '#server/coupons/codes/validation.ts';
import { continueReissues } from '#server/deals/exchanges/reissuing.ts';
import { setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { paySale } from '#tests/support/bids.ts';
import { actingAs } from '#tests/support/builders.ts';
import { move } from '#tests/support/exchanges.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { createMortalContext, type Life } from './crashes.ts';
import { setUpReissueWorld } from './reissue-world.ts';

/**
 * A programme mints new codes in the middle of deals while processes are killed at every step: each transaction, and each
 * request that reaches the programme, before it is done and before its result is known.
 */

const world = setUpReissueWorld();
const { ctx, programme, swap, settleEverything, openOnes, couponOf, expectWhole, dieAt } = world;
const { ring, sale, refund } = world;
afterEach(() => {
  expect(programme.faults).toEqual([]);
});

const SCENES = { swap, ring, sale, refund } as const;

describe.each(Object.entries(SCENES))('a %s with new codes', (name, build) => {
  // A kill after a step leaves what a kill before the next one does, but for what the dying process still tries.
  it.each(shortOrLong(['before'] as const, ['before', 'after'] as const))(
    'survives a kill %s each of its steps',
    async (point) => {
      const ends: string[] = [];
      // Of the three codes of a ring, every other step in the short form.
      const pace = name === 'ring' ? shortOrLong(2, 1) : 1;
      for (let place = 1, hasDied = true; hasDied; place += pace) {
        programme.vouchers.clear();
        const scene = await build();
        let steps = 0;
        hasDied = await dieAt(scene, () => {
          steps += 1;
          return steps === place ? point : null;
        });
        await settleEverything();
        ends.push(await expectWhole(scene.legs));
      }
      expect(ends.length).toBeGreaterThan(name === 'swap' || name === 'ring' ? 12 : 8);
      expect(ends.at(-1)).toBe('moved');
      // Killed before anything is written down, it has not happened; later, it is finished.
      const first = ends.indexOf('moved');
      expect(ends.slice(first)).not.toContain('not moved');
    },
  );
});

describe('a programme that goes away', () => {
  it.each(shortOrLong([2, 5, 7, 8, 12, 14], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]))(
    'at its request %s of the reissue leaves a swap that can be completed later',
    async (place) => {
      const scene = await swap();
      let count = -4;
      programme.stopping = () => {
        count += 1;
        return count < place ? null : count === place && place % 2 === 0 ? 'after' : 'before';
      };
      await expect(scene.act(ctx)).rejects.toMatchObject({ code: 'conflict' });
      programme.stopping = null;
      await settleEverything();
      expect(await expectWhole(scene.legs)).toBe('not moved');
      await scene.act(ctx);
      expect(await expectWhole(scene.legs)).toBe('moved');
    },
  );
});

describe('what a person meets', () => {
  it('nobody reveals, cancels or edits while codes are being made', async () => {
    const { legs, act, id, people } = await swap();
    const life: Life = { isOver: false, strike: () => null };
    let count = 0;
    programme.stopping = () => {
      count += 1;
      life.isOver = count > 8;
      return life.isOver ? 'before' : null;
    };
    await expect(act(createMortalContext(ctx, life))).rejects.toThrow();
    programme.stopping = null;
    const [leg] = legs;
    const reveal = revealCode(actingAs(ctx, people[0]), leg?.coupon.id ?? 0);
    await expect(reveal).rejects.toMatchObject({ code: 'code_on_its_way' });
    expect(await askAboutOffer(ctx, leg?.coupon.id ?? 0)).toBeNull();
    await expect(move(ctx, people[1], id, 'cancelled')).rejects.toMatchObject({ code: 'code_on_its_way' });
    await expect(move(ctx, people[1], id, 'completed')).rejects.toMatchObject({ code: 'code_on_its_way' });
    await settleEverything();
    expect(await expectWhole(legs)).toBe('moved');
  });

  it('a refused new code stops a swap, until somebody goes on with the old one', async () => {
    const { legs, act, id, people } = await swap();
    const old = legs[1]?.coupon.code ?? '';
    const voucher = programme.vouchers.get(old);
    if (voucher) voucher.type = 'LOYALTY_CARD';
    await expect(act(ctx)).rejects.toMatchObject({ code: 'code_unchecked' });
    await settleEverything();
    expect(await expectWhole(legs)).toBe('not moved');
    const given = { id, status: 'completed', acknowledgeUnchecked: true } as const;
    await setExchangeStatus(actingAs(ctx, people[0]), given);
    expect(await couponOf(legs[0]?.coupon.id ?? 0)).toMatchObject({ reissuedAt: ctx.clock() });
    expect(await couponOf(legs[1]?.coupon.id ?? 0)).toMatchObject({
      reissuedAt: null,
      ownerId: people[0].id,
    });
    expect(programme.isValid(old)).toBe(true);
  });

  it('a buyer sees no code until the new one is there, and the old one if there is none', async () => {
    const { id, buyer, legs } = await sale();
    const [leg] = legs;
    const couponId = leg?.coupon.id ?? 0;
    await paySale(ctx, id);
    const look = () => revealCode(actingAs(ctx, buyer), couponId);
    await expect(look()).rejects.toMatchObject({ code: 'code_on_its_way' });
    const voucher = programme.vouchers.get(leg?.coupon.code ?? '');
    if (voucher) voucher.type = 'LOYALTY_CARD';
    await settleEverything();
    expect((await look()).codeValue).toBe(leg?.coupon.code);
    expect(await couponOf(couponId)).toMatchObject({ reissuedAt: null, ownerId: buyer.id });
  });

  it('the mark goes when the coupon changes hands without a new code', async () => {
    const { legs, act } = await swap();
    await act(ctx);
    const [leg] = legs;
    const couponId = leg?.coupon.id ?? 0;
    await ctx.db
      .updateTable('coupons')
      .set({ ownerId: leg?.giver.id ?? 0 })
      .where('id', '=', couponId)
      .execute();
    expect(await couponOf(couponId)).toMatchObject({ reissuedAt: null });
  });

  it('what cannot be restored is given up after two days, and an admin is told', async () => {
    const { legs, act } = await swap();
    let count = 0;
    programme.stopping = () => {
      count += 1;
      return count > 11 ? 'before' : null;
    };
    await expect(act(ctx)).rejects.toMatchObject({ code: 'conflict' });
    for (const days of [0.1, 0.1, 2]) {
      ctx.clock.advanceDays(days);
      await continueReissues(ctx);
    }
    expect(await openOnes()).toBe(0);
    const ended = await ctx.db
      .selectFrom('reissues')
      .select(['couponId', 'state'])
      .orderBy('couponId')
      .execute();
    expect(ended.slice(-2).map(({ state }) => state)).toContain('given_up');
    expect(legs.map(({ coupon }) => coupon.id)).toEqual(expect.arrayContaining([ended.at(-1)?.couponId]));
  });
});
