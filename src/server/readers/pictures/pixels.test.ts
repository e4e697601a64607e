import sharp from 'sharp';
import { expect, it } from 'vitest';
import { CODES, drawFixture, seeded } from '#tests/fixtures/codes.ts';
import { photograph } from '#tests/fixtures/phone-photos.ts';
import type { GreyPicture } from './found-codes.ts';
import { blurred, localContrast, normalised, rotated } from './pixels.ts';

/** A picture of one row. */
const row = (...values: number[]): GreyPicture => ({
  data: Buffer.from(values),
  width: values.length,
  height: 1,
});
const valuesOf = ({ data }: GreyPicture) => [...data];

/** Grey and blurred, as the search looks at the contrast. */
async function softened(file: Buffer): Promise<GreyPicture> {
  const { data, info } = await sharp(file).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return blurred({ data, width: info.width, height: info.height });
}

it('stretches a dull picture to black and white, and leaves a picture of one colour alone', () => {
  expect(valuesOf(normalised(row(100, 110, 120)))).toEqual([0, 128, 255]);
  expect(valuesOf(normalised(row(7, 7, 7)))).toEqual([7, 7, 7]);
});

it('rotates clockwise, on white', async () => {
  const data = Buffer.alloc(20 * 10, 128).fill(0, 0, 3 * 20);
  const turned = await rotated({ data, width: 20, height: 10 }, 90);
  expect([turned.width, turned.height]).toEqual([10, 20]);
  // What was above is on the right.
  const middle = valuesOf({ ...turned, data: turned.data.subarray(100, 110) });
  expect([middle[1], middle[5], middle[8]]).toEqual([128, 128, 0]);
  expect((await rotated({ data, width: 20, height: 10 }, 45)).data[0]).toBe(255);
});

it('measures contrast anywhere, or only beyond a box', () => {
  const data = Buffer.from(
    Uint8Array.from({ length: 96 * 32 }, (_, at) => (at % 96 < 32 ? (at % 2) * 200 : 90)),
  );
  const picture = { data, width: 96, height: 32 };
  expect(localContrast(picture)).toBe(100);
  expect(localContrast(picture, { left: 4, right: 30, top: 4, bottom: 20 })).toBe(0);
  expect(localContrast(picture, { left: 40, right: 60, top: 4, bottom: 20 })).toBe(100);
});

it('tells a blank sheet in the grain of a camera from a code in hardly any light', async () => {
  const random = seeded(5);
  const size = { width: 400, height: 300 };
  const grain = Buffer.from(
    Uint8Array.from({ length: size.width * size.height }, () => 40 + (random() + random() - 1) * 30),
  );
  const sheet = await sharp(grain, { raw: { ...size, channels: 1 } })
    .jpeg()
    .toBuffer();
  expect(localContrast(await softened(sheet))).toBeLessThan(6);
  const [qr] = CODES;
  if (!qr) throw new Error('There are no codes');
  expect(localContrast(await softened(await photograph('hardly any light', qr)))).toBeGreaterThan(8);
  expect(localContrast(await softened(await drawFixture(qr)))).toBeGreaterThan(80);
});
