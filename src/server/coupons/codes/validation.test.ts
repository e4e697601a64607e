import { beforeEach, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import {
  type ValidateInput,
  validateInputSchema,
  validationResultSchema,
} from '#contract/coupons/validation.ts';
import type { Actor } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { removeCoupon, updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { actingAs, createCoupon, createUser } from '#tests/support/builders.ts';
import { anOffer, couponHistoryOf, listCoupon } from '#tests/support/coupons.ts';
import { insertImage } from '#tests/support/images.ts';
import {
  CODE,
  json,
  MERCHANT,
  STANDARD_CODE,
  setUpVouchers,
  voucherify,
} from '#tests/support/voucher-sandbox.ts';
import { feedbackOn } from './code-feedback.ts';
import { validateCoupon } from './validation.ts';

const { ctx, sandbox, vouchers } = setUpVouchers();
let owner: Actor;
let stranger: Actor;
beforeEach(async () => {
  owner = await createUser(ctx);
  stranger = await createUser(ctx);
});

const CONFIRMED = { ownershipConfirmation: true, disclaimer: 'I may check this code.' };

async function validate(who: Actor | null, given: Record<string, unknown>, base = ctx) {
  const input: ValidateInput = validateInputSchema.parse(given);
  const result = await validateCoupon(who ? actingAs(base, who) : base, input);
  // REST and tRPC refuse results that do not match the contract.
  return validationResultSchema.parse(result);
}

const listed = (code: string | null = CODE, merchant = MERCHANT) =>
  createCoupon(ctx, owner, { merchant, code });
const records = () => ctx.db.selectFrom('validations').selectAll().orderBy('id', 'desc').execute();

async function isVerified(id: number): Promise<boolean> {
  return (await couponById(ctx, id)).isVerified;
}

describe('a code that is typed in', () => {
  it.each([
    { merchant: MERCHANT, codeValue: CODE },
    { merchantName: MERCHANT, couponCode: CODE },
    { merchantName: MERCHANT, code: CODE },
  ])('is checked for anybody: %j [spec/1 7.11] [spec/3 2.35]', async (given) => {
    expect(await validate(null, given)).toEqual({
      valid: true,
      message: 'Voucherify confirms this code for Corner Coffee.',
      validatedWith: 'voucherify',
      details: {
        merchantName: MERCHANT,
        couponCode: CODE,
        value: 500,
        discountType: 'fixed',
        expiryDate: '2035-12-31',
        description: null,
        requirement: null,
        confirmed: true,
        dead: false,
        confidence: 'provider',
        checks: expect.any(Array),
      },
    });
  });

  it('gives the same text in `error` and `message` if the code is invalid', async () => {
    vouchers[CODE] = { error: 'voucher_expired' };
    const result = await validate(null, { merchant: MERCHANT, code: CODE });
    expect(result).toMatchObject({
      valid: false,
      error: 'This code has expired.',
      message: 'This code has expired.',
    });
  });

  it('verifies a coupon that is listed with it afterwards [spec/3 2.16]', async () => {
    await validate(owner, { merchant: MERCHANT, code: CODE });
    const listed = await listCoupon(ctx, owner, {
      merchant: MERCHANT,
      codeValue: CODE,
      category: 'verified',
    });
    expect(listed).toMatchObject({ isVerified: true, category: 'verified' });
  });

  it("does not verify a coupon by another person's check or by the format alone", async () => {
    await validate(stranger, { merchant: MERCHANT, code: CODE });
    await validate(owner, { merchant: MERCHANT, code: CODE, preferredSource: 'pattern' });
    // Listing it asks again, which fails.
    sandbox.answer(json({}, 503));
    const listed = await listCoupon(ctx, owner, {
      merchant: MERCHANT,
      codeValue: CODE,
      category: 'verified',
    });
    expect(listed).toMatchObject({ isVerified: false, category: 'other' });
  });
});

describe('a picture with a code', () => {
  it.each(['qrCodeUrl', 'barcodeUrl'])('gives its code: %s [spec/3 2.35]', async (field) => {
    const { url } = await insertImage(ctx, null, { code: ` ${CODE}\n` });
    const result = await validate(null, { merchant: MERCHANT, [field]: url });
    expect(result).toMatchObject({ valid: true, details: { couponCode: CODE, confirmed: true } });
  });

  it("of a barcode is read if the QR code's picture shows no code", async () => {
    const [blank, shown] = [await insertImage(ctx, owner), await insertImage(ctx, owner, { code: CODE })];
    const result = await validate(owner, { merchant: MERCHANT, qrCodeUrl: blank.url, barcodeUrl: shown.url });
    expect(result.details.couponCode).toBe(CODE);
  });

  it.each([
    ['qrCodeUrl', 'qrcode'],
    ['barcodeUrl', 'barcode'],
  ] as const)('is refused if no code can be read from it: %s', async (field, kind) => {
    for (const code of [undefined, '   ', 'x'.repeat(201)]) {
      const { url } = await insertImage(ctx, owner, code === undefined ? {} : { code });
      await expect(validate(owner, { merchant: MERCHANT, [field]: url })).rejects.toMatchObject({
        code: 'bad_input',
        issues: [{ path: field, message: TEXTS.validation.noCode(kind) }],
      });
    }
  });

  it('is not found if another person uploaded it', async () => {
    const { url } = await insertImage(ctx, owner, { code: CODE });
    await expect(validate(stranger, { merchant: MERCHANT, qrCodeUrl: url })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a listed coupon', () => {
  it('is checked for a stranger without revealing the code [spec/1 7.11]', async () => {
    const { id } = await listed();
    const result = await validate(stranger, { couponId: id, ...CONFIRMED });
    expect(result).toMatchObject({
      valid: true,
      validatedWith: 'voucherify',
      details: {
        merchantName: MERCHANT,
        couponCode: null,
        value: 500,
        expiryDate: '2035-12-31',
        confirmed: true,
      },
    });
    expect(JSON.stringify(result)).not.toMatch(/KQZ|4711|LATTE/i);
    expect(await records()).toMatchObject([
      { userId: stranger.id, couponId: id, isConfirmed: true, disclaimer: CONFIRMED.disclaimer },
    ]);
  });

  it.each(['auto', 'voucherify', 'coupontools', 'aklamio', 'library', 'pattern', 'offline'])(
    'reveals no part of its code to a stranger: %s',
    async (preferredSource) => {
      const { id } = await listed(STANDARD_CODE);
      for (const answering of [voucherify({}), json({}, 503), json({ echo: STANDARD_CODE })]) {
        sandbox.answer(answering);
        const result = await validate(stranger, { couponId: id, preferredSource, ...CONFIRMED });
        expect(result.details).toMatchObject({ couponCode: null, description: null });
        expect(JSON.stringify({ ...result, details: { ...result.details } })).not.toMatch(/\d/);
        ctx.clock.advanceDays(1);
      }
    },
  );

  it('tells its owner what can be read from the code, but not the code', async () => {
    const { id } = await listed(STANDARD_CODE, 'Bakery Lane');
    const { details } = await validate(owner, { couponId: id, ...CONFIRMED });
    expect(details.value).not.toBeNull();
    expect(details.couponCode).toBeNull();
  });

  it('uses the stored merchant and code, not the ones sent', async () => {
    const { id } = await listed('ANOTHER-CODE');
    const sent = { couponId: id, merchant: 'Bakery Lane', codeValue: CODE, ...CONFIRMED };
    expect(await validate(stranger, sent)).toMatchObject({
      valid: false,
      details: { merchantName: MERCHANT, couponCode: null },
    });
    expect(sandbox.asked.map(({ body }) => body).join()).toContain('ANOTHER-CODE');
    expect(sandbox.asked.map(({ body }) => body).join()).not.toContain(CODE);
  });

  it('is not checked without a session, after deletion or without a code', async () => {
    const coupon = await listed();
    const blank = await listed(null);
    await expect(validate(null, { couponId: coupon.id, ...CONFIRMED })).rejects.toMatchObject({
      code: 'unauthorized',
      message: TEXTS.requests.unauthorized(),
    });
    await expect(validate(stranger, { couponId: blank.id, ...CONFIRMED })).rejects.toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'couponId', message: 'This coupon has no code to check.' }],
    });
    await removeCoupon(actingAs(ctx, owner), coupon.id);
    await expect(validate(stranger, { couponId: coupon.id, ...CONFIRMED })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(validate(stranger, { couponId: 2_147_483_647, ...CONFIRMED })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(sandbox.asked).toEqual([]);
  });

  it('does not verify a coupon that a stranger lists with its code by their check of the first one', async () => {
    const { id } = await listed();
    await validate(stranger, { couponId: id, ...CONFIRMED });
    await ctx.db.updateTable('coupons').set({ isActive: false }).where('id', '=', id).execute();
    sandbox.answer(json({}, 503));
    const guessed = await listCoupon(ctx, stranger, { merchant: MERCHANT, codeValue: CODE });
    expect(guessed.isVerified).toBe(false);
  });
});

describe('a verdict on a listed coupon', () => {
  it("verifies it once and records that in its owner's history [spec/2 3.8]", async () => {
    const { id, title } = await listed();
    await validate(stranger, { couponId: id, ...CONFIRMED });
    await validate(owner, { couponId: id, ...CONFIRMED });
    expect(await isVerified(id)).toBe(true);
    expect(await couponHistoryOf(ctx, owner)).toEqual([
      {
        action: 'verified',
        details: `The merchant confirmed the code of “${title}”`,
        actorId: stranger.id,
        couponId: id,
      },
    ]);
  });

  it('ends the verification if the programme refuses the code', async () => {
    const { id } = await listed();
    await validate(owner, { couponId: id, ...CONFIRMED });
    expect(await feedbackOn(ctx, id)).toMatchObject({ confirmedAt: ctx.clock().toISOString() });
    vouchers[CODE] = { error: 'quantity_exceeded' };
    await validate(stranger, { couponId: id, ...CONFIRMED });
    expect(await isVerified(id)).toBe(false);
    expect(await feedbackOn(ctx, id)).toMatchObject({ confirmedAt: null });
    // The owner's earlier, cached answer does not bring it back.
    expect(await validate(owner, { couponId: id, ...CONFIRMED })).toMatchObject({ valid: true });
    expect(await isVerified(id)).toBe(false);
  });

  it.each([
    ['is unavailable', json({}, 503), {}],
    ['gives no verdict', json({}, 400), {}],
    ['is not asked', json({}, 503), { preferredSource: 'pattern' }],
  ])('changes nothing if the programme %s', async (_how, answering, given) => {
    const { id } = await listed();
    sandbox.answer(answering);
    await validate(owner, { couponId: id, ...CONFIRMED, ...given });
    expect(await isVerified(id)).toBe(false);
    await ctx.db.updateTable('coupons').set({ isVerified: true }).where('id', '=', id).execute();
    ctx.clock.advanceDays(1);
    await validate(owner, { couponId: id, ...CONFIRMED, ...given });
    expect(await isVerified(id)).toBe(true);
  });

  it.each([
    ['the code', { merchant: MERCHANT, codeValue: 'A-WORTHLESS-CODE' }],
    ['the merchant', { merchant: 'Bakery Lane', codeValue: CODE }],
  ])('does not apply if %s is edited before the answer arrives', async (_what, changed) => {
    const { id } = await listed();
    const arrived = new Promise<() => void>((resolve) => {
      sandbox.answer((asked, response) => resolve(() => voucherify(vouchers)(asked, response)));
    });
    const verdict = validate(stranger, { couponId: id, ...CONFIRMED });
    const answer = await arrived;
    sandbox.answer(voucherify(vouchers));
    const edit = updateCouponInputSchema.parse({ ...anOffer(), ...changed, acknowledgeDeadCode: true, id });
    await updateCoupon(actingAs(ctx, owner), edit);
    answer();
    expect(await verdict).toMatchObject({ valid: true, details: { confirmed: true } });
    expect(await isVerified(id)).toBe(false);
    expect((await couponHistoryOf(ctx, owner)).map(({ action }) => action)).toEqual(['updated']);
  });
});
