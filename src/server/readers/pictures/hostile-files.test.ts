import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND_CODE } from '#tests/fixtures/codes.ts';
import {
  animation,
  bomb,
  corrupted,
  good,
  grain,
  polyglot,
  SMUGGLED,
  telephone,
} from '#tests/fixtures/hostile.ts';
import { itLong } from '#tests/support/long-form.ts';
import { HANGS_MS } from '#tests/support/patience.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { openPictures } from './open-pictures.ts';
import type { PictureProblem, Pictures } from './pictures.ts';

const MEGABYTE = 2 ** 20;
const FRAMES = shortOrLong(300, 3_000);
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"><rect width="9" height="9"/></svg>';

const REFUSED: readonly (readonly [string, PictureProblem, () => Buffer | Promise<Buffer>])[] = [
  ['nothing', 'not_an_image', () => Buffer.of()],
  ['a page of HTML', 'not_an_image', () => Buffer.from('<!doctype html><html><body>hello</body></html>')],
  ['an SVG', 'not_an_image', () => Buffer.from(svg)],
  ['an SVG behind an XML header', 'not_an_image', () => Buffer.from(`<?xml version="1.0"?>${svg}`)],
  [
    'a TIFF',
    'not_an_image',
    async () =>
      sharp(await good())
        .tiff()
        .toBuffer(),
  ],
  ['50 MB of zeros', 'not_an_image', () => Buffer.alloc(50 * MEGABYTE)],
  ['a film', 'not_an_image', () => Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')],
  [
    'a PNG header and 50 MB of zeros',
    'broken',
    () => Buffer.concat([bomb(8).subarray(0, 33), Buffer.alloc(50 * MEGABYTE)]),
  ],
  ['400 million pixels in few bytes', 'too_many_pixels', () => bomb(20_000)],
  [
    '49 million pixels to be held at once',
    'too_many_pixels',
    () => bomb(7000, { bits: 16, interlaced: true }),
  ],
  ['49 million pixels of which most are missing', 'broken', () => bomb(7000, { bits: 16 })],
  [
    'half of a PNG',
    'broken',
    async () =>
      half(
        await sharp(await grain(300))
          .png()
          .toBuffer(),
      ),
  ],
  ['half of a JPEG', 'broken', async () => half(await grain(300))],
  [
    'half of a WebP',
    'broken',
    async () =>
      half(
        await sharp(await grain(300))
          .webp()
          .toBuffer(),
      ),
  ],
  ['the beginning of a JPEG', 'broken', () => Buffer.from('\xff\xd8\xff\xe0\x00\x10JFIF', 'latin1')],
  ['a PNG with a wrong sum', 'broken', async () => corrupted(await good())],
];

function half(file: Buffer): Buffer {
  return file.subarray(0, file.length / 2);
}

let pictures: Pictures;

beforeAll(() => {
  pictures = openPictures({ timeLimitMs: HANGS_MS });
});
afterAll(() => pictures.close());

async function expectGoodPicture(): Promise<void> {
  const { codes } = await pictures.read(await good());
  expect(codes).toMatchObject([{ text: SECOND_CODE.text }]);
}

describe('refused files', () => {
  it.each(REFUSED)('%s: %s', async (_, problem, make) => {
    const file = await make();
    const refusal = { name: 'PictureRefusal', problem };
    await expect(pictures.read(file)).rejects.toMatchObject(refusal);
    await expect(pictures.publish(file, 'offer')).rejects.toMatchObject(refusal);
    await expectGoodPicture();
  });
});

describe('accepted files', () => {
  itLong('49 million pixels in few bytes, made smaller', async () => {
    const picture = await pictures.read(bomb(7000));
    expect(picture).toMatchObject({ width: 2000, height: 2000, codes: [] });
  });

  it.each([
    [100, 1],
    [1, 100],
    [2000, 3],
  ])('one of %i × %i pixels', async (width, height) => {
    const file = await sharp({ create: { width, height, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect(await pictures.read(file)).toMatchObject({ width, height, codes: [] });
  });

  it.each(['gif', 'webp'] as const)(`the first of ${FRAMES} frames: %s`, async (format) => {
    const picture = await pictures.read(await animation(FRAMES, format));
    expect(picture).toMatchObject({ width: 64, height: 64 });
    expect((await sharp(picture.bytes).metadata()).pages ?? 1).toBe(1);
  });

  it('of a picture that contains other data, only the pixels', async () => {
    const file = polyglot(await good());
    expect(file.includes(SMUGGLED)).toBe(true);
    const picture = await pictures.read(file);
    expect(picture.codes).toMatchObject([{ text: SECOND_CODE.text }]);
    expect(picture.bytes.includes('smuggled')).toBe(false);
  });

  it("a phone's picture, rotated upright and without its location", async () => {
    const file = await telephone();
    const before = await sharp(file).metadata();
    expect(before.exif?.includes(SMUGGLED)).toBe(true);
    const picture = await pictures.read(file);
    expect([picture.width, picture.height]).toEqual([before.height, before.width]);
    const { exif, icc, xmp, orientation } = await sharp(picture.bytes).metadata();
    expect({ exif, icc, xmp, orientation }).toEqual({});
    const [topLeft, topRight] = picture.codes[0]?.position ?? [];
    expect(topRight?.x).toBeGreaterThan((topLeft?.x ?? 0) + picture.width / 2);
  });

  it.each(['avif', 'gif', 'jpeg', 'png', 'webp'] as const)(
    'a good %s, whose code is in the stored picture',
    async (format) => {
      const picture = await pictures.read(
        await sharp(await good())
          .toFormat(format)
          .toBuffer(),
      );
      const kept = await sharp(picture.bytes).metadata();
      expect([`image/${kept.format}`, kept.width, kept.height]).toEqual([
        picture.contentType,
        picture.width,
        picture.height,
      ]);
      expect((await pictures.read(picture.bytes)).codes).toEqual(picture.codes);
      expect(picture.codes).toMatchObject([{ text: SECOND_CODE.text, format: 'QRCode' }]);
    },
  );
});

it('keeps the program running, within a memory limit, while hostile files are read', async () => {
  const files = await Promise.all([
    ...shortOrLong(REFUSED.filter(([, problem]) => problem !== 'not_an_image').slice(0, 4), REFUSED).map(
      ([, , make]) => make(),
    ),
    // Noise, in which the search for codes takes its time.
    grain(shortOrLong(300, 2000)),
  ]);
  const large = await Promise.all([bomb(7000), ...shortOrLong([], [animation(FRAMES, 'gif')])]);
  await expectGoodPicture();
  const before = process.memoryUsage().rss;
  let most = before;
  let turns = 0;
  const watch = setInterval(() => {
    turns += 1;
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  for (const file of [...files, ...large]) await pictures.read(file).catch(() => undefined);
  for (const file of [...files, ...shortOrLong([], large)])
    await pictures.publish(file, 'offer').catch(() => undefined);
  clearInterval(watch);
  expect((most - before) / MEGABYTE).toBeLessThan(400);
  // Hundreds on an idle machine; none if pictures were read in this process.
  expect(turns).toBeGreaterThan(20);
});

it('refuses a file that takes too long', async () => {
  const hasty = openPictures({ timeLimitMs: 30, processes: 1 });
  try {
    await hasty.draw('qrcode', 'to start the process').catch(() => undefined);
    await expect(hasty.read(bomb(7000))).rejects.toMatchObject({ problem: 'too_slow' });
  } finally {
    await hasty.close();
  }
});

it('refuses as busy when too many files wait', async () => {
  const small = openPictures({ processes: 1, queueLimit: 1, timeLimitMs: HANGS_MS });
  try {
    const file = await good();
    const reads = await Promise.allSettled([
      small.read(file),
      small.read(file),
      small.read(file),
      small.draw('qrcode', 'LATE'),
    ]);
    expect(reads).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { name: 'PictureRefusal', problem: 'busy' } },
      { status: 'rejected', reason: { name: 'PictureRefusal', problem: 'busy' } },
    ]);
  } finally {
    await small.close();
  }
});

it('does not keep a program alive while its processes are idle, nor outlives it; runs from the sources, too', async () => {
  // As in `npm run dev`, whose server is not bundled.
  const program = `
    import { openPictures } from '${path.join(import.meta.dirname, 'open-pictures.ts')}';
    const { bytes } = await openPictures().draw('qrcode', 'SAVE-20');
    console.log(bytes.length > 0);`;
  const child = spawn(process.execPath, [
    '--import',
    './scripts/build/typescript.js',
    '--input-type=module',
    '--eval',
    program,
  ]);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  const [status] = await once(child, 'close');
  expect([status, output.trim()]).toEqual([0, 'true']);
});
