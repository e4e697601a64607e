import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DecideCouponsInput } from '#contract/oversight/moderation.ts';
import type { Actor } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { removeCoupon } from '#server/deals/coupon-changes/service.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { finishStatusEffects } from './effects.ts';
import { setUserStatus } from './status.ts';
import { decideCoupons, listWaitingCoupons } from './waiting-coupons.ts';

const ctx = setUpContext();
let moderator: Actor;
beforeAll(async () => {
  moderator = await createUser(ctx, { role: 'moderator' });
});
afterEach(async () => expect(await checkInvariants(ctx.db)).toEqual([]));

let counter = 0;
/** A coupon that waits, as one does while codes of its merchant are guessed. */
async function aWaiting(owner: Actor, codeValue?: string): Promise<number> {
  counter += 1;
  const { id } = await listCoupon(ctx, owner, { title: `Coupon ${counter}` });
  await ctx.db.updateTable('coupons').set({ waitingSince: ctx.clock() }).where('id', '=', id).execute();
  if (codeValue !== undefined) {
    const twin = ctx.db.selectFrom('coupons').select('codeHash').where('title', '=', codeValue);
    await ctx.db.updateTable('coupons').set({ codeHash: twin }).where('id', '=', id).execute();
  }
  return id;
}

const decide = (ids: number[], decision: DecideCouponsInput['decision'], who = moderator) =>
  decideCoupons(actingAs(ctx, who), { ids, decision });
const waitingFor = async (who: Actor) => (await listWaitingCoupons(actingAs(ctx, who))).map(({ id }) => id);
const stateOf = (id: number) =>
  ctx.db
    .selectFrom('coupons')
    .select(['isActive', 'isWithheld', 'waitingSince'])
    .select((select) => select('deletedAt', 'is not', null).as('isDeleted'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
async function toldOf({ id }: Actor) {
  const told = ctx.db.selectFrom('notifications').select('content').where('userId', '=', id).orderBy('id');
  return (await told.execute()).map(({ content }) => content);
}

const WAITS = { isActive: false, isWithheld: true, waitingSince: expect.any(Date), isDeleted: false };
const LISTED = { isActive: true, isWithheld: false, waitingSince: null, isDeleted: false };
const REMOVED = { isActive: false, isWithheld: false, waitingSince: null, isDeleted: true };
const NOT_FOUND = { code: 'not_found' };

describe('a moderator', () => {
  it('lists waiting coupons, and their owner is told', async () => {
    const [owner, other] = [await createUser(ctx), await createUser(ctx)];
    const ids = [await aWaiting(owner), await aWaiting(owner)];
    await expect(couponById(actingAs(ctx, other), ids[0] ?? 0)).rejects.toMatchObject(NOT_FOUND);
    expect(await waitingFor(moderator)).toEqual(ids);
    expect(await decide(ids, 'list')).toEqual({ listed: 2, removed: 0 });
    for (const id of ids) expect(await stateOf(id)).toEqual(LISTED);
    expect((await couponById(actingAs(ctx, other), ids[0] ?? 0)).isWaiting).toBe(false);
    expect(await toldOf(owner)).toEqual(
      [counter - 1, counter].map(
        (number) => `A moderator checked your coupon “Coupon ${number}”. Others can see it now.`,
      ),
    );
    const audited = ctx.db.selectFrom('auditLog').select('action').where('targetUserId', '=', owner.id);
    expect(await audited.execute()).toEqual([{ action: 'coupon_listed' }, { action: 'coupon_listed' }]);
    await expect(decide(ids, 'remove')).rejects.toMatchObject(NOT_FOUND);
    expect(await waitingFor(moderator)).toEqual([]);
  });

  it('removes one, as one whose code is listed already is in any case; the owner reads the same of both', async () => {
    const [owner, guesser] = [await createUser(ctx), await createUser(ctx)];
    await listCoupon(ctx, owner, { title: 'The listed one' });
    const [twin, plain] = [await aWaiting(guesser, 'The listed one'), await aWaiting(guesser)];
    expect(await decide([twin], 'list')).toEqual({ listed: 0, removed: 1 });
    expect(await decide([plain], 'remove')).toEqual({ listed: 0, removed: 1 });
    for (const id of [twin, plain]) expect(await stateOf(id)).toEqual(REMOVED);
    const [told, ...rest] = (await toldOf(guesser)).map((text) => text.replace(/\d+/, 'N'));
    expect(told).toBe('A moderator checked your coupon “Coupon N” and removed it.');
    expect(rest).toEqual([told]);
  });

  it('does not decide on own coupons, nor sees those of banned people and without a confirmed address', async () => {
    const [banned, fresh] = [await createUser(ctx), await createUser(ctx)];
    const ids = [await aWaiting(moderator), await aWaiting(banned), await aWaiting(fresh)];
    await ctx.db.updateTable('users').set({ status: 'banned' }).where('id', '=', banned.id).execute();
    await ctx.db.updateTable('users').set({ emailVerifiedAt: null }).where('id', '=', fresh.id).execute();
    expect(await waitingFor(moderator)).toEqual([]);
    await expect(decide(ids, 'list')).rejects.toMatchObject(NOT_FOUND);
    for (const id of ids) expect(await stateOf(id)).toEqual(WAITS);
  });
});

describe('a waiting coupon goes on waiting', () => {
  it('when its owner confirms the address', async () => {
    const owner = await createUser(ctx);
    await ctx.db.updateTable('users').set({ emailVerifiedAt: null }).where('id', '=', owner.id).execute();
    const id = await aWaiting(owner);
    await ctx.db
      .updateTable('users')
      .set({ emailVerifiedAt: ctx.clock() })
      .where('id', '=', owner.id)
      .execute();
    expect(await stateOf(id)).toEqual(WAITS);
  });

  it('when a ban of its owner ends', async () => {
    const [owner, admin] = [await createUser(ctx), await createUser(ctx, { role: 'admin' })];
    const [id, { id: usual }] = [await aWaiting(owner), await listCoupon(ctx, owner)];
    const set = (status: 'banned' | 'active') =>
      setUserStatus(actingAs(ctx, admin), { id: owner.id, status, reason: 'A mistake.' });
    await set('banned');
    expect(await stateOf(usual)).toMatchObject({ isActive: false, isWithheld: true });
    await set('active');
    await finishStatusEffects(ctx);
    expect(await stateOf(usual)).toEqual(LISTED);
    expect(await stateOf(id)).toEqual(WAITS);
  });
});

it('its owner can remove a waiting coupon', async () => {
  const owner = await createUser(ctx);
  const id = await aWaiting(owner);
  await removeCoupon(actingAs(ctx, owner), id);
  expect(await stateOf(id)).toEqual(REMOVED);
  await expect(decide([id], 'list')).rejects.toMatchObject(NOT_FOUND);
});
