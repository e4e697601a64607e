import { beforeEach, describe, expect, it } from 'vitest';
import { updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import { VIEW_ORIGINS_KEPT_DAYS } from '#contract/coupons/limits.ts';
import type { Actor } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { placeBid } from '#server/deals/bids/service.ts';
import { updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { PictureRefusal } from '#server/readers/pictures/pictures.ts';
import { actingAs, createCoupon, createUser, setUpFreshContext } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { insertImage } from '#tests/support/images.ts';
import { codeImage, forgetOldOrigins, revealCode } from './reveals.ts';

const ctx = setUpFreshContext();
let owner: Actor;
let other: Actor;
beforeEach(async () => {
  owner = await createUser(ctx);
  other = await createUser(ctx);
});

const looksAt = (couponId: number) =>
  ctx.db
    .selectFrom('couponReveals')
    .select(['userId', 'revealedAt'])
    .where('couponId', '=', couponId)
    .orderBy('id')
    .execute();

describe('the picture of a code', () => {
  it('is drawn if none was uploaded, and a reader finds the code on it', async () => {
    const { id, code } = await createCoupon(ctx, owner, { code: 'LATTE-77-KQZ' });
    for (const kind of ['qrcode', 'barcode'] as const) {
      const { bytes } = await codeImage(actingAs(ctx, owner), { id, kind });
      const { codes } = await ctx.providers.pictures.read(bytes);
      expect(codes[0]?.text, kind).toBe(code);
    }
  });

  it('is to be asked for again if the process that draws it dies', async () => {
    const { id } = await createCoupon(ctx, owner);
    const draw = () => Promise.reject(new PictureRefusal('interrupted'));
    const pictures = { ...ctx.providers.pictures, draw };
    const dying = { ...actingAs(ctx, owner), providers: { ...ctx.providers, pictures } };
    await expect(codeImage(dying, { id, kind: 'qrcode' })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('try again'),
    });
  });

  it('is the uploaded one if there is one', async () => {
    const { id } = await createCoupon(ctx, owner);
    const { bytes } = await insertImage(ctx, owner, { couponId: id, kind: 'barcode' });
    const image = await codeImage(actingAs(ctx, owner), { id, kind: 'barcode' });
    expect(Buffer.from(image.bytes)).toEqual(bytes);
  });

  it('is visible only to the current owner [spec/1 2.10]', async () => {
    const { id } = await createCoupon(ctx, owner);
    await insertImage(ctx, owner, { couponId: id });
    const look = (who: Actor) => codeImage(actingAs(ctx, who), { id, kind: 'qrcode' });
    await expect(look(other)).rejects.toMatchObject({ code: 'forbidden' });
    await ctx.db.updateTable('coupons').set({ ownerId: other.id }).where('id', '=', id).execute();
    await expect(look(owner)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await look(other)).etag).toMatch(/^"[^"]+"$/);
  });

  it('has another version for another code', async () => {
    const versionOf = async (code: string) => {
      const { id } = await createCoupon(ctx, owner, { code });
      return (await codeImage(actingAs(ctx, owner), { id, kind: 'qrcode' })).etag;
    };
    const [one, two] = [await versionOf('VERSION-ONE-1'), await versionOf('VERSION-TWO-2')];
    expect(one).not.toBe(two);
  });

  it('is not found without a code, or if the code does not fit into a barcode', async () => {
    const bare = await createCoupon(ctx, owner, { code: null });
    const long = await createCoupon(ctx, owner, { code: 'A'.repeat(90) });
    const look = (id: number) => codeImage(actingAs(ctx, owner), { id, kind: 'barcode' });
    await expect(look(bare.id)).rejects.toMatchObject({ message: 'This coupon has no code' });
    const pictured = await createCoupon(ctx, owner, { code: null });
    await insertImage(ctx, owner, { couponId: pictured.id });
    await expect(look(pictured.id)).rejects.toMatchObject({ message: 'Picture not found' });
    await expect(look(long.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(look(2_000_000_000)).rejects.toMatchObject({ code: 'not_found' });
    expect(await couponById(actingAs(ctx, owner), long.id)).toMatchObject({
      qrCodeUrl: null,
      barcodeUrl: null,
      drawnQrCodeUrl: `/api/coupons/${long.id}/qrcode`,
      drawnBarcodeUrl: null,
    });
  });

  it('counts as a view; the pictures and the text of one dialog count once', async () => {
    const { id } = await createCoupon(ctx, owner);
    await revealCode(actingAs(ctx, owner), id);
    await codeImage(actingAs(ctx, owner), { id, kind: 'qrcode' });
    await codeImage(actingAs(ctx, owner), { id, kind: 'barcode' });
    expect(await looksAt(id)).toHaveLength(1);
    ctx.clock.advanceDays(0.01);
    await codeImage(actingAs(ctx, owner), { id, kind: 'barcode' });
    expect(await looksAt(id)).toHaveLength(2);
  });

  it('counts as a view of the key that a program has used', async () => {
    const { id } = await createCoupon(ctx, owner);
    await revealCode(actingAs(ctx, owner), id);
    const program = { ...actingAs(ctx, owner), apiKey: { id: 1, name: 'Till', scopes: [] } };
    for (const kind of ['qrcode', 'barcode'] as const) await codeImage(program, { id, kind });
    const { reveals } = await revealCode(actingAs(ctx, owner), id);
    expect(reveals.map(({ keyName }) => keyName)).toEqual([null, 'Till', null]);
  });
});

it('forgets where a view came from after as long as banks can ask for it', async () => {
  const { id } = await createCoupon(ctx, owner);
  await revealCode(actingAs(ctx, owner), id);
  const origins = () =>
    ctx.db.selectFrom('couponReveals').select('address').where('couponId', '=', id).execute();
  ctx.clock.advanceDays(VIEW_ORIGINS_KEPT_DAYS);
  await forgetOldOrigins(ctx);
  expect(await origins()).toEqual([{ address: ctx.ip }]);
  ctx.clock.advanceDays(0.01);
  await forgetOldOrigins(ctx);
  expect(await origins()).toEqual([{ address: null }]);
});

describe('pictures of a new coupon', () => {
  it('are attached to it and give it its code if none is typed', async () => {
    const qr = await insertImage(ctx, owner, { code: 'FROM-THE-PICTURE' });
    const coupon = await listCoupon(ctx, owner, { codeValue: null, qrCodeUrl: qr.url });
    expect(coupon).toMatchObject({
      hasCode: true,
      codePreview: 'FROM-THE…',
      qrCodeUrl: `/api/coupons/${coupon.id}/qrcode`,
      barcodeUrl: null,
      drawnQrCodeUrl: null,
      drawnBarcodeUrl: `/api/coupons/${coupon.id}/barcode`,
    });
    expect((await revealCode(actingAs(ctx, owner), coupon.id)).codeValue).toBe('FROM-THE-PICTURE');
    // The same code from a picture is refused as listed already.
    const again = await insertImage(ctx, other, { code: 'from the picture' });
    await expect(listCoupon(ctx, other, { codeValue: null, qrCodeUrl: again.url })).rejects.toMatchObject({
      code: 'code_listed',
    });
  });

  it('are enough even if no code can be read from them', async () => {
    const barcode = await insertImage(ctx, owner, { kind: 'barcode' });
    const coupon = await listCoupon(ctx, owner, { codeValue: null, barcodeUrl: barcode.url });
    expect(coupon).toMatchObject({
      hasCode: true,
      codePreview: null,
      qrCodeUrl: null,
      barcodeUrl: `/api/coupons/${coupon.id}/barcode`,
    });
    expect(await revealCode(actingAs(ctx, owner), coupon.id)).toMatchObject({ codeValue: null, code: null });
    expect(await couponById(actingAs(ctx, other), coupon.id)).toMatchObject({
      hasCode: true,
      barcodeUrl: null,
    });
  });
});

describe('pictures at an edit', () => {
  const offer = {
    title: 'Two coffees for one',
    description: 'Valid at every branch, weekdays only.',
    value: 450,
    merchant: 'Corner Coffee',
    category: 'food',
    hasNoExpiry: true,
  };
  const edit = (id: number, fields: Record<string, unknown>) =>
    updateCoupon(actingAs(ctx, owner), updateCouponInputSchema.parse({ ...offer, id, ...fields }));
  const pictureOf = async (id: number) =>
    (await codeImage(actingAs(ctx, owner), { id, kind: 'qrcode' })).bytes.toString('latin1');

  async function withPicture() {
    const old = await insertImage(ctx, owner);
    const coupon = await listCoupon(ctx, owner, { ...offer, qrCodeUrl: old.url });
    return { id: coupon.id, old: old.bytes.toString('latin1') };
  }

  it('stay if the input does not mention them or has an empty text, and go if another code is typed', async () => {
    const { id, old } = await withPicture();
    await edit(id, { title: 'Another title', barcodeUrl: '', qrCodeUrl: '' });
    expect(await pictureOf(id)).toBe(old);
    await edit(id, { codeValue: 'ANOTHER-CODE-5521' });
    const { codes } = await ctx.providers.pictures.read(Buffer.from(await pictureOf(id), 'latin1'));
    expect(codes[0]?.text).toBe('ANOTHER-CODE-5521');
  });

  it('can be replaced and removed, which ends the verification and the pending deals', async () => {
    const { id, old } = await withPicture();
    const bidder = await createUser(ctx);
    await placeBid(actingAs(ctx, bidder), { couponId: id, amount: '5.00', message: null });
    await ctx.db.updateTable('coupons').set({ isVerified: true }).where('id', '=', id).execute();
    const fresh = await insertImage(ctx, owner);
    expect((await edit(id, { qrCodeUrl: fresh.url })).isVerified).toBe(false);
    expect(await pictureOf(id)).toBe(fresh.bytes.toString('latin1'));
    const bid = await ctx.db
      .selectFrom('bids')
      .select(['status', 'reason'])
      .where('couponId', '=', id)
      .execute();
    expect(bid).toEqual([{ status: 'cancelled', reason: 'coupon_changed' }]);
    await edit(id, { qrCodeUrl: null });
    expect([old, fresh.bytes.toString('latin1')]).not.toContain(await pictureOf(id));
    const kept = await ctx.db.selectFrom('images').select('id').where('couponId', '=', id).execute();
    expect(kept).toEqual([]);
  });
});
