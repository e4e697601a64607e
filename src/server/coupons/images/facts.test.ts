import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StatedFacts } from '#contract/coupons/images.ts';
import type { Actor } from '#server/context/context.ts';
import { PictureRefusal, type Pictures } from '#server/readers/pictures/pictures.ts';
import { readPrint } from '#server/readers/prints/print.ts';
import { pdf, stream } from '#tests/fixtures/documents.ts';
import { PHONE_FAULTS, photographOf } from '#tests/fixtures/phone-photos.ts';
import {
  drawCoupon,
  KNOWN_MERCHANTS,
  PRINTED_COUPONS,
  PRINTED_ON,
  type PrintedCoupon,
} from '#tests/fixtures/printed-coupons.ts';
import {
  actingAs,
  createCoupon,
  createTestClock,
  createTestContext,
  createUser,
  type TestContext,
} from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { insertImage } from '#tests/support/images.ts';
import { itLong } from '#tests/support/long-form.ts';
import { extractFacts } from './facts.ts';
import { uploadImage } from './images.ts';

const database = setUpDatabase();
let ctx: TestContext;
let owner: Actor;

beforeAll(async () => {
  ctx = createTestContext(database, { clock: createTestClock(new Date(`${PRINTED_ON}T12:00:00Z`)) });
  owner = await createUser(ctx);
  for (const merchant of KNOWN_MERCHANTS) await createCoupon(ctx, owner, { merchant, category: 'retail' });
});

const FAULTS = Object.keys(PHONE_FAULTS);

/** Each coupon has a fault of its own; each fault has three or four coupons. */
async function photographed(coupon: PrintedCoupon): Promise<Buffer> {
  const fault = FAULTS[(PRINTED_COUPONS.indexOf(coupon) * 7) % FAULTS.length] ?? '';
  return photographOf(fault, (scale) => drawCoupon(coupon, scale));
}

async function factsOf(bytes: Buffer): Promise<StatedFacts> {
  const given = actingAs(ctx, owner);
  const { url } = await uploadImage(given, { kind: 'qrcode', bytes });
  return extractFacts(given, { imageUrl: url });
}

const worthOf = ({ worth }: StatedFacts) => worth && `${worth.value} ${worth.discountType}`;

describe('the print of a photographed coupon', () => {
  it.each([
    ['held at an angle', 44, 0],
    ['turned by 25°, unsharp', 51, 0],
    ['upside down', 44, 180],
    ['on its left side', 44, 270],
    ['on its right side', 51, 90],
  ])('%s, is read', async (_, index, turn) => {
    const coupon = PRINTED_COUPONS[index];
    if (!coupon) throw new Error('There is no such coupon');
    const bytes = await sharp(await photographed(coupon))
      .rotate(turn)
      .png()
      .toBuffer();
    const facts = await factsOf(bytes);
    expect(facts).toMatchObject({
      merchant: coupon.merchant,
      expiryDate: coupon.expiryDate,
      category: 'retail',
    });
    expect(worthOf(facts)).toBe(coupon.worth);
    expect(JSON.stringify(facts)).not.toContain(coupon.code.text);
  });

  it('has the code of a voucher that a shop mails as a PDF without a symbol', async () => {
    const lines = ['Owl Books', '$25 off any order', 'Code: OWL-7431', 'Valid until December 31, 2026'];
    const font = '<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
    const text = lines.map((line) => `(${line}) Tj 0 -60 Td`).join(' ');
    const form = `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources ${font}`;
    const document = pdf({
      content: stream('', '/X Do'),
      more: [stream(form, `BT /F 24 Tf 60 700 Td ${text} ET`)],
    });
    expect(await factsOf(document)).toMatchObject({
      printedCode: 'OWL-7431',
      worth: { value: 2_500, discountType: 'fixed' },
      expiryDate: '2026-12-31',
    });
  });

  itLong('is right in at least 80%, and wrong without a doubt in less than 3%', async () => {
    const right = { merchant: 0, worth: 0, expiryDate: 0 };
    const wrong: string[] = [];
    for (const coupon of PRINTED_COUPONS) {
      const facts = await factsOf(await photographed(coupon));
      const said = { merchant: facts.merchant, worth: worthOf(facts), expiryDate: facts.expiryDate };
      for (const name of ['merchant', 'worth', 'expiryDate'] as const) {
        const isRight = said[name]?.toLowerCase() === coupon[name]?.toLowerCase();
        if (isRight) right[name] += 1;
        else if (said[name] !== null && !facts.doubtful.includes(name))
          wrong.push(`${coupon.name}: ${name} is ${said[name]}`);
      }
    }
    const least = PRINTED_COUPONS.length * 0.8;
    expect(Object.entries(right).filter(([, count]) => count < least)).toEqual([]);
    // Of all facts of a kind: 1 of 60.
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(1);
  });
});

describe('what is printed', () => {
  const lineOf = (text: string, height: number, top: number) => ({
    ...{ words: text.split(' ').map((word) => ({ text: word, confidence: 95 })), height, top },
    ...{ left: 0, right: 300 },
  });
  const given = (read: Pictures['readPrint']): TestContext => ({
    ...ctx,
    providers: { ...ctx.providers, pictures: { ...ctx.providers.pictures, readPrint: read } },
  });
  const reading = (...lines: string[]) =>
    given(async (_, about) => readPrint([lines.map((line, at) => lineOf(line, 40 - at, at * 100))], about));
  const facts = async (context: TestContext) => {
    const { url } = await insertImage(ctx, owner, { code: 'SECRET-77' });
    return extractFacts(actingAs(context, owner), { imageUrl: url });
  };

  it('names a merchant that the market knows, in its spelling', async () => {
    expect(await facts(reading('cafe lumiere', '20% off'))).toMatchObject({
      ...{
        merchant: 'Café Lumière',
        category: 'retail',
        worth: { value: 2_000, discountType: 'percentage' },
      },
      doubtful: [],
    });
  });

  it.each([
    ['is misread', 'Cafe Lumicre', 'Café Lumière'],
    ['is part of a line', 'Thanks from Pizza Palazzo', 'Pizza Palazzo'],
    ['is new to the market', 'Quillon Sails', 'Quillon Sails'],
  ])('names it with a doubt where the name %s', async (_, line, merchant) => {
    expect(await facts(reading(line, '20% off'))).toMatchObject({ merchant, doubtful: ['merchant'] });
  });

  it('names one of two merchants with a doubt', async () => {
    expect(await facts(reading('Pizza Palazzo', 'Garden Depot'))).toMatchObject({ doubtful: ['merchant'] });
  });

  it('never is the code', async () => {
    expect(JSON.stringify(await facts(reading('SECRET 77', '20% off SECRET-77')))).not.toContain('SECRET');
  });

  it('is refused as not available while others wait, without the text', async () => {
    const busy = given(async () => {
      throw new PictureRefusal('too_slow');
    });
    await expect(facts(busy)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('of the pictures of others is not found', async () => {
    const { url } = await insertImage(ctx, await createUser(ctx));
    await expect(extractFacts(actingAs(ctx, owner), { imageUrl: url })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
