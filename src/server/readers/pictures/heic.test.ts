import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PictureProblem } from './pictures.ts';
import { publishPicture } from './publishing.ts';
import { readPicture } from './reading.ts';

/** A QR code of 128 × 112 pixels, encoded by libheif and Kvazaar. */
let heic: Buffer;

beforeAll(async () => {
  heic = await readFile(new URL('../../../../tests/fixtures/code.heic', import.meta.url));
});

/** The file with these bytes from `at` bytes after the first occurrence of `mark` on. */
function changed(mark: string, at: number, bytes: readonly number[]): Buffer {
  const copy = Buffer.from(heic);
  copy.set(bytes, copy.indexOf(mark) + mark.length + at);
  return copy;
}

const SIZE = [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30];

it('a HEIC picture is read, and is refused to everybody where a code can be read in it', async () => {
  expect(await readPicture(heic)).toMatchObject({
    width: 128,
    height: 112,
    contentType: 'image/png',
    codes: [{ text: 'SECOND-CODE', format: 'QRCode' }],
  });
  expect(await publishPicture(heic, 'offer')).toMatchObject({ hasCode: true });
});

describe('a HEIC picture is refused', () => {
  it.each<[string, PictureProblem, () => Buffer]>([
    ['that is only a head', 'broken', () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['of which half is missing', 'broken', () => heic.subarray(0, heic.length / 2)],
    ['of 900 million pixels', 'too_many_pixels', () => changed('ispe', 4, SIZE)],
    ['whose pixels lie beyond its end', 'broken', () => changed('iloc', 16, [0xff, 0xff, 0xff, 0xff])],
    ['without a description of its pixels', 'broken', () => changed('hvcC', -4, [0x78, 0x78, 0x78, 0x78])],
    ['that names no picture as the main one', 'broken', () => changed('pitm', 4, [0x7f, 0x7f])],
    ['that is a film', 'not_an_image', () => changed('ftyp', 0, [...Buffer.from('mp42')])],
  ])('%s: %s', async (_, problem, make) => {
    const refusal = { name: 'PictureRefusal', problem };
    await expect(readPicture(make())).rejects.toMatchObject(refusal);
    await expect(publishPicture(make(), 'offer')).rejects.toMatchObject(refusal);
  });
});
