import { toBuffer } from 'bwip-js/node';
import { beforeEach, describe, expect, it } from 'vitest';
import { updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { extractCode, uploadImage } from '#server/coupons/images/images.ts';
import { updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { actingAs, createUser, setUpFreshContext } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { codeImage } from './reveals.ts';

const ctx = setUpFreshContext();
let owner: Actor;
beforeEach(async () => {
  owner = await createUser(ctx);
});

const as = () => actingAs(ctx, owner);

/** Uploads a QR code with these bytes; gives its address and the code on it. */
async function upload(bytes: string) {
  const text = Buffer.from(bytes, 'latin1').toString('latin1');
  const drawn = { bcid: 'qrcode', text, binarytext: true, scale: 4, padding: 16, backgroundcolor: 'FFFFFF' };
  const { url } = await uploadImage(as(), { kind: 'qrcode', bytes: await toBuffer(drawn) });
  const { codeValue } = await extractCode(as(), { imageUrl: url, imageType: 'qrcode' });
  return { url, codeValue };
}

const look = (id: number, kind: 'qrcode' | 'barcode') => codeImage(as(), { id, kind });

describe('a code whose symbol holds other bytes than its text', () => {
  it.each([
    ['Latin-1', 'KÄSE-10', 'KÄSE-10'],
    ['binary', '#UT01\0ÿ', '235554303100ff'],
  ])('is shown as its picture and never drawn: %s', async (_, bytes, text) => {
    const { url, codeValue } = await upload(bytes);
    expect(codeValue).toBe(text);
    const coupon = await listCoupon(ctx, owner, { codeValue, qrCodeUrl: url });
    expect(coupon).toMatchObject({ drawnQrCodeUrl: null, drawnBarcodeUrl: null });
    expect((await look(coupon.id, 'qrcode')).contentType).toBe('image/png');
    await expect(look(coupon.id, 'barcode')).rejects.toMatchObject({ code: 'not_found' });

    // Without its picture it is a text only, also at another merchant.
    const edit = updateCouponInputSchema.parse({ id: coupon.id, qrCodeUrl: null, merchant: 'Another Shop' });
    expect(await updateCoupon(as(), edit)).toMatchObject({ drawnQrCodeUrl: null, drawnBarcodeUrl: null });
    await expect(look(coupon.id, 'qrcode')).rejects.toMatchObject({ code: 'not_found' });

    // Another code is drawn again.
    const typed = updateCouponInputSchema.parse({ id: coupon.id, codeValue: `TYPED-${text}` });
    expect(await updateCoupon(as(), typed)).toMatchObject({ drawnQrCodeUrl: expect.any(String) });
  });

  it('is not drawn if only the text was taken from the picture', async () => {
    const { codeValue } = await upload('CAFÉ-20');
    expect(await listCoupon(ctx, owner, { codeValue })).toMatchObject({ drawnQrCodeUrl: null });
  });

  it('is drawn if it is typed, or says all', async () => {
    expect(await listCoupon(ctx, owner, { codeValue: 'CAFÉ-30' })).toMatchObject({
      drawnQrCodeUrl: expect.any(String),
    });
    const { codeValue } = await upload('PLAIN-30');
    expect(await listCoupon(ctx, owner, { codeValue })).toMatchObject({
      drawnQrCodeUrl: expect.any(String),
      drawnBarcodeUrl: expect.any(String),
    });
  });
});

it('a code loses what nobody sees and outer white space when it is stored', async () => {
  const { id } = await listCoupon(ctx, owner, { codeValue: ' \u200bSAVE\u00ad-\u2060UNSEEN\ufeff ' });
  const { bytes } = await look(id, 'qrcode');
  expect((await ctx.providers.pictures.read(bytes)).codes[0]?.text).toBe('SAVE-UNSEEN');
});
