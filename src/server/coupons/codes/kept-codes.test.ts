import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { markUsed } from '#server/deals/coupon-changes/service.ts';
import {
  actingAs,
  createCoupon,
  createUser,
  setUpFreshContext,
  type TestCoupon,
} from '#tests/support/builders.ts';
import { keepCodes, listAtTill, reportViews } from './kept-codes.ts';
import { revealCode } from './reveals.ts';

const ctx = setUpFreshContext();
let owner: Actor;
let other: Actor;
let soup: TestCoupon;
beforeEach(async () => {
  owner = await createUser(ctx);
  other = await createUser(ctx);
  soup = await createCoupon(ctx, owner, { title: 'Soup' });
});

type Input = Partial<Parameters<typeof keepCodes>[1]>;
const keep = (given: Input = {}, person = owner) =>
  keepCodes(actingAs(ctx, person), { known: [], only: null, ...given });
const known = async () => (await keep()).codes.map(({ id, version }) => ({ id, version }));
const transfer = (id: number) =>
  inTransaction(ctx.db, (trx) =>
    trx.updateTable('coupons').set({ ownerId: other.id }).where('id', '=', id).execute(),
  );

describe('a device', () => {
  it('is given the codes of its owner, drawn, and those of nobody else', async () => {
    const { codes } = await keep();
    expect(codes).toMatchObject([
      { id: soup.id, title: 'Soup', code: soup.code, drawn: ['qrcode', 'barcode'] },
    ]);
    expect(codes[0]?.qrCode).toMatch(/^data:image\/png;base64,/);
    expect(codes[0]?.barcode).toMatch(/^data:image\/png;base64,/);
    expect((await keep({ only: [soup.id] }, other)).codes).toEqual([]);
  });

  it('is given none in a new browser before the second factor', async () => {
    const at = ctx.clock();
    await ctx.db
      .insertInto('secondFactors')
      .values({ userId: owner.id, secret: Buffer.from('x'), createdAt: at, enabledAt: at })
      .execute();
    const fresh = { ...actingAs(ctx, owner), session: { isNewBrowser: true, confirmedAt: null } };
    await expect(keepCodes(fresh, { known: [], only: null })).rejects.toMatchObject({
      code: 'second_factor_required',
    });
  });

  it('is given a code once, until it changes', async () => {
    const has = await known();
    expect(await keep({ known: has })).toEqual({ codes: [], hasMore: false, gone: [] });
    ctx.clock.advanceDays(1);
    await ctx.db.updateTable('coupons').set({ updatedAt: ctx.clock() }).where('id', '=', soup.id).execute();
    expect((await keep({ known: has })).codes).toHaveLength(1);
  });

  it('gets many in portions', async () => {
    for (let nth = 1; nth <= 10; nth += 1) await createCoupon(ctx, owner);
    const first = await keep();
    expect(first).toMatchObject({ hasMore: true });
    expect(first.codes).toHaveLength(10);
    const rest = await keep({ known: first.codes.map(({ id, version }) => ({ id, version })) });
    expect(rest).toMatchObject({ hasMore: false, gone: [] });
    expect(rest.codes).toHaveLength(1);
  });

  it.each([
    ['given away', () => transfer(soup.id)],
    ['used', () => markUsed(actingAs(ctx, owner), soup.id)],
    [
      'deleted',
      () =>
        ctx.db
          .updateTable('coupons')
          .set({ deletedAt: ctx.clock(), isActive: false })
          .where('id', '=', soup.id)
          .execute(),
    ],
    ['past its last day', async () => ctx.clock.advanceDays(60)],
  ])('forgets the code of a coupon that was %s', async (_what, act) => {
    const has = await known();
    await act();
    expect(await keep({ known: has })).toEqual({ codes: [], hasMore: false, gone: [soup.id] });
  });

  it('keeps only the chosen coupons', async () => {
    const tea = await createCoupon(ctx, owner);
    const { codes, gone } = await keep({ known: await known(), only: [tea.id] });
    expect([codes, gone]).toEqual([[], [soup.id]]);
  });
});

describe('a view without a network', () => {
  const seen = async (person = owner) =>
    (await revealCode(actingAs(ctx, person), soup.id)).reveals.filter(
      ({ reportedAt }) => reportedAt !== null,
    );
  const report = (secondsAgo: number, person = owner) =>
    reportViews(actingAs(ctx, person), { views: [{ couponId: soup.id, secondsAgo }] });

  it('is recorded with both times, also after the coupon was given away', async () => {
    await keep();
    ctx.clock.advanceDays(1);
    await transfer(soup.id);
    await report(600);
    expect(await seen(other)).toMatchObject([
      {
        username: owner.username,
        revealedAt: '2035-06-16T11:50:00.000Z',
        reportedAt: '2035-06-16T12:00:00.000Z',
      },
    ]);
  });

  it('cannot be from before the device was given the code', async () => {
    await keep();
    await report(1_000_000_000);
    expect(await seen()).toMatchObject([{ revealedAt: '2035-06-15T12:00:00.000Z' }]);
  });

  it('of a code that no device was given is not recorded', async () => {
    await report(1);
    await report(1, other);
    expect(await seen()).toEqual([]);
  });
});

it('at a till the codes of one merchant follow each other: only those of the caller that can be shown', async () => {
  const titlesFor = async (person: Actor) =>
    (await listAtTill(actingAs(ctx, person), soup.id)).map(({ title }) => title);
  const later = ctx.clock();
  later.setUTCDate(later.getUTCDate() + 40);
  const own = (title: string, given: Parameters<typeof createCoupon>[2] = {}) =>
    createCoupon(ctx, owner, { title, ...given });
  await own('Later', { expiryDate: later.toISOString().slice(0, 10) });
  await own('Bread', { merchant: 'BAKERY LÀNE' });
  await own('Elsewhere', { merchant: 'Bakery Street' });
  await own('Without a code', { code: null });
  const used = await own('Used');
  await markUsed(actingAs(ctx, owner), used.id);
  await createCoupon(ctx, other, { title: 'Of somebody else' });
  expect(await titlesFor(owner)).toEqual(['Soup', 'Bread', 'Later']);
  expect(await titlesFor(other)).toEqual([]);
});
