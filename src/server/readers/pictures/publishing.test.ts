import sharp, { type Sharp } from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { pictureWidths } from '#contract/people/picture-addresses.ts';
import { CODES, type CodeFixture, DEGRADATIONS, drawFixture } from '#tests/fixtures/codes.ts';
import { polyglot, SMUGGLED, telephone } from '#tests/fixtures/hostile.ts';
import { sharedPictures } from '#tests/support/picture-processes.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { publishPicture } from './publishing.ts';

const pictures = sharedPictures();

/** A plain picture with one round spot. */
function drawing([width, height]: readonly [number, number]): Sharp {
  const svg = `<svg width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fcd"/>
    <circle cx="50%" cy="50%" r="20%" fill="#246"/></svg>`;
  return sharp(Buffer.from(svg));
}

const codeNamed = (name: string) => CODES.find((code) => code.name === name) as CodeFixture;

describe('a published picture', () => {
  it('is kept in three widths, each as AVIF and WebP, and is never enlarged', async () => {
    for (const [given, width, height] of [
      [[1200, 600], 960, 480],
      [[40, 30], 40, 30],
      [[1, 1], 1, 1],
    ] as const) {
      const file = await drawing(given).png().toBuffer();
      const picture = await pictures.publish(file, 'offer');
      expect(picture).toMatchObject({ width, height, hasCode: false });
      const found = await Promise.all(
        picture.files.map(async ({ bytes, ...about }) => {
          const { format, ...kept } = await sharp(bytes).metadata();
          return { ...about, keptAs: format, keptWidth: kept.width };
        }),
      );
      expect(found).toEqual(
        pictureWidths(width).flatMap((each) => [
          { width: each, format: 'avif', keptAs: 'heif', keptWidth: each },
          { width: each, format: 'webp', keptAs: 'webp', keptWidth: each },
        ]),
      );
    }
    expect(pictureWidths(960)).toEqual([240, 480, 960]);
  });

  it('is square for a profile, cut at its longer sides', async () => {
    const file = await drawing([300, 100]).png().toBuffer();
    const { width, height } = await pictures.publish(file, 'profile');
    expect([width, height]).toEqual([100, 100]);
  });

  it('has nothing of the sent file but the pixels', async () => {
    const plain = await drawing([64, 48]).png().toBuffer();
    const located = await drawing([64, 48])
      .withExif({ IFD0: { Make: SMUGGLED }, IFD3: { GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer();
    expect(located.includes(SMUGGLED)).toBe(true);
    for (const file of [polyglot(plain), located]) {
      for (const { bytes } of (await pictures.publish(file, 'offer')).files) {
        expect(Buffer.from(bytes).includes('smuggled')).toBe(false);
        const { exif, icc, xmp, orientation } = await sharp(bytes).metadata();
        expect({ exif, icc, xmp, orientation }).toEqual({});
      }
    }
  });
});

describe('a picture with a readable code', () => {
  const codes = [
    ['a QR code', 'QR', 'plain'],
    ['a photographed barcode', 'Code 128', 'photograph'],
    ['a barcode', 'Code 128', 'plain'],
    ['a photographed QR code', 'QR', 'photograph'],
    ['a page with two codes', 'Data Matrix', 'two on a page'],
  ] as const;
  it.each(shortOrLong(codes.slice(0, 2), codes))(
    'is refused until the code is covered: %s [spec/1 3.21]',
    async (_, name, damage) => {
      const code = codeNamed(name);
      const file = (await DEGRADATIONS[damage]?.(await drawFixture(code), code)) ?? Buffer.of();
      for (const kind of ['offer', 'profile'] as const) {
        expect(await pictures.publish(file, kind), kind).toMatchObject({ hasCode: true, files: [] });
      }
      const { codes, width, height } = await pictures.read(file);
      const boxes = codes.map(({ position }) => {
        const [xs, ys] = [position.map(({ x }) => x), position.map(({ y }) => y)];
        const [left, top] = [Math.min(...xs), Math.min(...ys)];
        return `<rect x="${left - 9}" width="${Math.max(...xs) - left + 18}" y="${top - 99}" height="${Math.max(...ys) - top + 198}"/>`;
      });
      const cover = Buffer.from(`<svg width="${width}" height="${height}">${boxes.join('')}</svg>`);
      const covered = await sharp(file)
        .resize(width, height)
        .composite([{ input: cover }])
        .png()
        .toBuffer();
      const published = await pictures.publish(covered, 'offer');
      expect(published.hasCode).toBe(false);
      expect(published.files).toHaveLength(6);
    },
  );

  it('is refused when the phone has stored it on its side', async () => {
    expect(await pictures.publish(await telephone(), 'offer')).toMatchObject({ hasCode: true });
  });
  it('is refused however long the search takes', async () => {
    const file = await drawFixture(codeNamed('QR'));
    let nowMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      nowMs += 60_000;
      return nowMs;
    });
    try {
      expect(await publishPicture(file, 'offer')).toMatchObject({ hasCode: true, files: [] });
    } finally {
      clock.mockRestore();
    }
  });
});
