import sharp from 'sharp';
import { expect, it } from 'vitest';
import { CODES, drawFixture, seeded } from '../../../../tests/fixtures/codes.ts';
import { photograph } from '../../../../tests/fixtures/phone-photos.ts';
import type { GreyPicture } from './found-codes.ts';
import { equalised, localContrast, mapValues, normalised, sharpened } from './pixels.ts';

/** A picture of one row. */
const row = (...values: number[]): GreyPicture => ({
  data: Buffer.from(values),
  width: values.length,
  height: 1,
});
const valuesOf = ({ data }: GreyPicture) => [...data];

/** Grey and blurred, as the search looks at the contrast. */
async function blurred(file: Buffer): Promise<GreyPicture> {
  const { data, info } = await sharp(await sharp(file).toColourspace('b-w').png().toBuffer())
    .blur(1)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

it('maps values, and keeps them between black and white', () => {
  expect(valuesOf(mapValues(row(0, 100, 255), (value) => 2 * value - 50))).toEqual([0, 150, 255]);
});

it('stretches a dull picture to black and white, and leaves a picture of one colour alone', () => {
  expect(valuesOf(normalised(row(100, 110, 120)))).toEqual([0, 128, 255]);
  expect(valuesOf(normalised(row(7, 7, 7)))).toEqual([7, 7, 7]);
});

it('sharpens by what sets a pixel apart from its surroundings', () => {
  expect(valuesOf(sharpened(row(100, 110, 250), row(100, 105, 150), 3))).toEqual([100, 125, 255]);
});

it('brings out the contrast of a dark part beside a light one', () => {
  const width = 256;
  const data = Buffer.from(
    Uint8Array.from({ length: width * 128 }, (_, at) => (at % width < 128 ? 20 : 200) + (at % 2) * 10),
  );
  const { data: clear } = equalised({ data, width, height: 128 });
  for (const left of [10, 240]) {
    const [first = 0, second = 0] = clear.subarray(60 * width + left);
    expect(second - first).toBeGreaterThan(13);
  }
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
  expect(localContrast(await blurred(sheet))).toBeLessThan(6);
  const [qr] = CODES;
  if (!qr) throw new Error('There are no codes');
  expect(localContrast(await blurred(await photograph('hardly any light', qr)))).toBeGreaterThan(8);
  expect(localContrast(await blurred(await drawFixture(qr)))).toBeGreaterThan(80);
});
