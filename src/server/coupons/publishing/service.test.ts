import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Actor } from '#server/context/context.ts';
import { readSecretOf } from '#server/coupons/codes/codes-store.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { findCoupon } from '#server/coupons/core/store.ts';
import { toCoupon } from '#server/coupons/core/view.ts';
import { inTransaction } from '#server/database/client.ts';
import { removeCoupon } from '#server/deals/coupon-changes/service.ts';
import { proposeExchange } from '#server/deals/exchanges/proposing.ts';
import { setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { codeOf, couponHistoryOf, listCoupon } from '#tests/support/coupons.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#tests/support/database.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { isLockAwaited } from '#tests/support/races.ts';

const database = setUpDatabase({ connections: MANY_CONNECTIONS });
const ctx = setUpContext(database);

const as = (actor: Actor) => actingAs(ctx, actor);

const list = (owner: Actor, fields?: Record<string, unknown>) => listCoupon(ctx, owner, fields);

/** A person with an accepted exchange for another person's coupon, and a function that completes it. */
async function acceptedRequest(owner: Actor, couponId: number) {
  const requester = await createUser(ctx);
  const offered = await list(requester);
  const offer = { requestedCouponId: couponId, offeredCouponId: offered.id, message: null };
  const { id } = await proposeExchange(as(requester), offer);
  await setExchangeStatus(as(owner), { id, status: 'accepted' });
  return { requester, complete: () => setExchangeStatus(as(owner), { id, status: 'completed' }) };
}

function rowOf(id: number) {
  return ctx.db.selectFrom('coupons').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

describe('listing a coupon', () => {
  it("stores the owner's input and returns it with the beginning of the code [spec/1 7.7]", async () => {
    const owner = await createUser(ctx);
    const fields = {
      codeValue: 'ABCDEFGHIJK',
      terms: 'One per table',
      sourceUrl: 'https://example.org/deal',
    };
    const coupon = await list(owner, fields);
    expect(coupon).toEqual({
      id: expect.any(Number),
      title: 'Two coffees for one',
      description: 'Valid at every branch, weekdays only.',
      value: 450,
      discountType: 'fixed',
      merchant: 'Corner Coffee',
      category: 'food',
      hasNoExpiry: false,
      expiryDate: '2035-12-31',
      expiresAt: '2035-12-31T23:59:59.999Z',
      isValueRead: false,
      regions: [],
      transferable: 'unknown',
      isOpenToOffers: true,
      askingPrice: null,
      priceFloor: null,
      terms: 'One per table',
      sourceUrl: 'https://example.org/deal',
      imageUrl: null,
      isVerified: false,
      health: null,
      checkedAt: null,
      isActive: true,
      usedAt: null,
      isWaiting: false,
      isReserved: false,
      isReissuable: false,
      reissuedAt: null,
      ownerId: owner.id,
      ownerUsername: owner.username,
      ownerRating: null,
      hasCode: true,
      codePreview: 'ABCDE…',
      qrCodeUrl: null,
      barcodeUrl: null,
      drawnQrCodeUrl: `/api/coupons/${coupon.id}/qrcode`,
      drawnBarcodeUrl: `/api/coupons/${coupon.id}/barcode`,
      isSaved: false,
      createdAt: ctx.clock().toISOString(),
      updatedAt: ctx.clock().toISOString(),
    });
    expect(await couponHistoryOf(ctx, owner)).toEqual([
      { action: 'created', details: 'Listed “Two coffees for one”', actorId: owner.id, couponId: coupon.id },
    ]);
    expect(await couponById(as(owner), coupon.id)).toEqual(coupon);
    expect(await couponById(as(await createUser(ctx)), coupon.id)).toEqual({
      ...coupon,
      codePreview: null,
      drawnQrCodeUrl: null,
      drawnBarcodeUrl: null,
    });
  });

  it.each([
    ['X', '…'],
    ['ABC', 'A…'],
    ['ABCDEFGHIJ', 'ABCDE…'],
    ['ABCDEFGHIJKLMNOPQRST', 'ABCDEFGHIJ…'],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'ABCDEFGHIJ…'],
    ['🎟🎟🎟🎟🎟🎟🎟🎟🎟🎟🎟', '🎟🎟🎟🎟🎟…'],
  ])('previews at most half of the code, %s as %s', async (codeValue, preview) => {
    expect((await list(await createUser(ctx), { codeValue })).codePreview).toBe(preview);
  });

  it('accepts `code` for `codeValue` and refuses two that differ', async () => {
    const owner = await createUser(ctx);
    const { id } = await list(owner, { codeValue: undefined, code: 'alias-of-it' });
    expect(await codeOf(ctx, owner, id)).toBe('alias-of-it');
    await expect(list(owner, { codeValue: 'both-the-same', code: 'both-the-same' })).resolves.toBeDefined();
    await expect(list(owner, { codeValue: 'one', code: 'other' })).rejects.toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'code' }],
    });
  });

  it('lists a coupon without a code', async () => {
    const owner = await createUser(ctx);
    const coupon = await list(owner, { codeValue: null });
    expect(coupon).toMatchObject({ hasCode: false, codePreview: null });
    await expect(revealCode(as(owner), coupon.id)).rejects.toMatchObject({
      code: 'not_found',
      message: 'This coupon has no code',
    });
  });

  it('ignores fields that only the server may set [spec/1 3.3]', async () => {
    const owner = await createUser(ctx);
    const forged = {
      ownerId: 1,
      isVerified: true,
      category: 'Validated',
      isActive: false,
      id: 99,
      createdAt: '2001-01-01T00:00:00Z',
    };
    const coupon = await list(owner, forged);
    expect(coupon).toMatchObject({
      ownerId: owner.id,
      isVerified: false,
      category: 'other',
      isActive: true,
    });
    expect(coupon.createdAt).toBe(ctx.clock().toISOString());
  });

  it('stores codes encrypted, each usable only for its own coupon', async () => {
    const owner = await createUser(ctx);
    const [first, second] = [await list(owner, { codeValue: 'PLAINLY-VISIBLE-1' }), await list(owner)];
    const { code } = await ctx.db
      .selectFrom('couponSecrets')
      .select('code')
      .where('couponId', '=', first.id)
      .executeTakeFirstOrThrow();
    expect(code.length).toBeGreaterThan('PLAINLY-VISIBLE-1'.length);
    expect(code.toString('latin1')).not.toContain('PLAIN');
    expect(JSON.stringify(await rowOf(first.id))).not.toContain('VISIBLE');
    await ctx.db.updateTable('couponSecrets').set({ code }).where('couponId', '=', second.id).execute();
    await expect(revealCode(as(owner), second.id)).rejects.toThrow('No key opens this');
    await removeCoupon(as(owner), second.id);
  });
});

describe('a code is hidden from others twice', () => {
  it('the queries do not fetch it and the view does not show it', async () => {
    const [owner, other] = [await createUser(ctx), await createUser(ctx)];
    const { id } = await list(owner);
    const own = await findCoupon(ctx.db, id, owner.id);
    expect(own?.sealedCode).toBeInstanceOf(Buffer);
    for (const viewerId of [other.id, null]) {
      const row = await findCoupon(ctx.db, id, viewerId);
      expect(row).toEqual({ ...own, sealedCode: null, imageKinds: null });
      if (own) expect(toCoupon(own, viewerId, ctx).codePreview).toBeNull();
    }
    const secret = await inTransaction(ctx.db, (trx) => readSecretOf(trx, id, other.id));
    expect(secret).toEqual({ ownerId: owner.id, sealedCode: null, sealedPin: null, hasPicture: false });
  });
});

describe('a code that is listed already', () => {
  const refusal = {
    code: 'code_listed',
    message: TEXTS.coupons.alreadyListed(),
    issues: [{ path: 'codeValue', message: TEXTS.coupons.alreadyListed() }],
  };

  it.each([
    ['the same again', 'Tea House', 'AB-12 cd'],
    ['in other letters and spacing', '  tea   HOUSE ', ' ab12-CD'],
    ['with other dashes and invisible signs', 'Tea House', 'AB–12\u200bCD'],
  ])('is refused: %s', async (_, merchant, codeValue) => {
    const [first, second] = [await createUser(ctx), await createUser(ctx)];
    const { id } = await list(first, { merchant: 'Tea House', codeValue: 'AB-12 cd' });
    await expect(list(second, { merchant, codeValue })).rejects.toMatchObject(refusal);
    expect(await couponHistoryOf(ctx, second)).toEqual([]);
    await removeCoupon(as(first), id);
  });

  it('is listed only once when two people list it at once, twenty times over', async () => {
    const [first, second] = [await createUser(ctx), await createUser(ctx)];
    const rounds = Array.from({ length: 20 }, (_, round) => {
      const codeValue = `RACE-${round}`;
      return Promise.allSettled([list(first, { codeValue }), list(second, { codeValue: `race ${round}` })]);
    });
    for (const results of await Promise.all(rounds)) {
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const lost = results.find((result) => result.status === 'rejected');
      expect(lost?.reason).toMatchObject(refusal);
    }
    expect(await checkInvariants(ctx.db)).toEqual([]);
  });
});

describe('revealing a code', () => {
  it('returns the code only to the owner, and records each view', async () => {
    const [owner, other] = [await createUser(ctx), await createUser(ctx)];
    const { id } = await list(owner, { codeValue: 'REVEAL-ME-PLEASE' });
    const first = ctx.clock().toISOString();
    const who = { username: owner.username, profileImageUrl: null };
    const seen = { ...who, revealedAt: first, reportedAt: null, keyName: null };
    expect(await revealCode(as(owner), id)).toEqual({
      id,
      codeValue: 'REVEAL-ME-PLEASE',
      code: 'REVEAL-ME-PLEASE',
      pin: null,
      reveals: [seen],
    });
    await expect(revealCode(as(other), id)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(revealCode(as(other), 2_000_000)).rejects.toMatchObject({ code: 'not_found' });
    ctx.clock.advanceDays(1);
    const again = await revealCode(as(owner), id);
    expect(again.reveals).toEqual([{ ...seen, revealedAt: ctx.clock().toISOString() }, seen]);
  });

  it('shows the latest twenty views', async () => {
    const owner = await createUser(ctx);
    const { id } = await list(owner);
    for (let look = 0; look < 21; look += 1) await revealCode(as(owner), id);
    const { reveals } = await revealCode(as(owner), id);
    expect(reveals).toHaveLength(20);
    const recorded = ctx.db.selectFrom('couponReveals').selectAll().where('couponId', '=', id);
    expect(await recorded.execute()).toHaveLength(22);
  });

  it('only the new owner sees the code after a swap, and sees who viewed it before', async () => {
    const owner = await createUser(ctx);
    const { id } = await list(owner, { codeValue: 'CHANGES-HANDS' });
    await revealCode(as(owner), id);
    const { requester, complete } = await acceptedRequest(owner, id);
    await expect(revealCode(as(requester), id)).rejects.toMatchObject({ code: 'forbidden' });
    await complete();
    await expect(revealCode(as(owner), id)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await couponById(as(owner), id)).toMatchObject({ ownerId: requester.id, codePreview: null });
    const revealed = await revealCode(as(requester), id);
    expect(revealed.codeValue).toBe('CHANGES-HANDS');
    // The view before the swap, the swap itself, and the view just now.
    expect(revealed.reveals.map(({ username }) => username)).toEqual([
      requester.username,
      requester.username,
      owner.username,
    ]);
  });

  it('waits for a running swap, and then refuses the old owner', async () => {
    const owner = await createUser(ctx);
    const { id } = await list(owner);
    const requester = await createUser(ctx);
    let reveal: Promise<unknown> | undefined;
    await inTransaction(ctx.db, async (trx) => {
      await trx.updateTable('coupons').set({ ownerId: requester.id }).where('id', '=', id).execute();
      reveal = revealCode(as(owner), id).catch((error: unknown) => error);
      // Until the database reports that it waits.
      while (!(await isLockAwaited(ctx)));
    });
    expect(await reveal).toMatchObject({ code: 'forbidden' });
    const looks = ctx.db.selectFrom('couponReveals').selectAll().where('couponId', '=', id);
    expect(await looks.execute()).toEqual([]);
    await ctx.db.updateTable('coupons').set({ ownerId: owner.id }).where('id', '=', id).execute();
  });
});
