import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { CODES, DEGRADATIONS, drawFixture, SECOND_CODE } from '#tests/fixtures/codes.ts';
import { grain, stripes } from '#tests/fixtures/hostile.ts';
import { PHONE_FAULTS, photograph } from '#tests/fixtures/phone-photos.ts';
import { sharedPictures } from '#tests/support/picture-processes.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import type { ReadPicture } from './pictures.ts';

const pictures = sharedPictures();

/** The long form reads every code in every condition; the short form reads every eighth one, in turn. */
const STEP = shortOrLong(8, 1);
const CASES = Object.entries(DEGRADATIONS).map(([name, degrade], index) => ({
  name,
  degrade,
  codes: CODES.filter((_, place) => (place + index) % STEP === 0),
}));

describe.each(CASES)('codes that are $name', ({ name, degrade, codes }) => {
  let read: ReadonlyMap<string, ReadPicture>;

  beforeAll(async () => {
    read = new Map(
      await Promise.all(
        codes.map(async (code) => {
          const file = await degrade(await drawFixture(code), code);
          return [code.name, await pictures.read(file)] as const;
        }),
      ),
    );
  });

  it('are read, the correct one first', () => {
    const misses = codes.filter(({ name: code, text, format }) => {
      const [first] = read.get(code)?.codes ?? [];
      return first?.text !== text || first.format !== format;
    });
    expect(misses).toEqual([]);
  });

  it('are never read as another code', () => {
    const wrong = codes.flatMap(({ name: code, text }) => {
      const others = read.get(code)?.codes.filter((found) => found.text !== text) ?? [];
      return others.filter((found) => name !== 'two on a page' || found.text !== SECOND_CODE.text);
    });
    expect(wrong).toEqual([]);
  });

  it('are located in the middle, where they are', () => {
    for (const { name: code } of codes) {
      const picture = read.get(code);
      const [first] = picture?.codes ?? [];
      if (!picture || !first) continue;
      const xs = first.position.map(({ x }) => x);
      const ys = first.position.map(({ y }) => y);
      const middle = [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
      expect(middle[0], code).toBeGreaterThan(picture.width * 0.3);
      expect(middle[0], code).toBeLessThan(picture.width * 0.7);
      expect(middle[1], code).toBeGreaterThan(picture.height * 0.15);
      expect(middle[1], code).toBeLessThan(picture.height * 0.85);
    }
  });
});

/** How many of the codes are read in photographs with such a fault: a way of reading that loses some is a worse one. */
const READ_OF_PHOTOS: Readonly<Record<string, number>> = {
  'on a bottle': 16,
  'far around a bottle': 11,
  'far out of focus': 4,
  'moved to the side': 4,
  'hardly any light': 16,
  glare: 17,
  'half in the shadow': 14,
};

describe.each(Object.keys(PHONE_FAULTS))('photographs: %s', (name) => {
  const step = shortOrLong(20, 1);
  const chosen = CODES.filter((_, place) => (place + name.length) % step === 0);

  it('are read, and never as another code', async () => {
    const read = await Promise.all(
      chosen.map(async (code) => {
        const { codes } = await pictures.read(await photograph(name, code));
        return codes.map(({ text }) => text === code.text);
      }),
    );
    expect(read.flat().filter((isRight) => !isRight)).toEqual([]);
    const missed = read.filter((found) => found.length === 0).length;
    expect(missed).toBeLessThanOrEqual(CODES.length - (READ_OF_PHOTOS[name] ?? CODES.length));
  });
});

it('finds all the codes of a sheet', async () => {
  const kinds = ['QR', 'EAN-13', 'Code 128', 'PDF417', 'Data Matrix', 'UPC-A', 'Aztec', 'Code 39'];
  const codes = CODES.filter(({ name }) => kinds.includes(name));
  const parts = await Promise.all(
    codes.map(async (code, index) => ({
      input: await sharp(await drawFixture(code))
        .resize({ width: 420, height: 210, fit: 'inside', kernel: 'nearest' })
        .toBuffer(),
      left: (index % 2) * 600 + 72,
      top: Math.floor(index / 2) * 300 + 36,
    })),
  );
  const sheet = sharp({ create: { width: 1200, height: 1200, channels: 3, background: '#fff' } });
  const read = await pictures.read(await sheet.composite(parts).png().toBuffer());
  const texts = (all: readonly { text: string }[]) => all.map(({ text }) => text).toSorted();
  expect(texts(read.codes)).toEqual(texts(codes));
});

it('finds the small code beside a large one that is seen at once', async () => {
  const [large] = CODES;
  const page = DEGRADATIONS['two on a page'];
  if (!large || !page) throw new Error('There is no such page');
  const { codes } = await pictures.read(await page(await drawFixture(large), large));
  expect(codes.map(({ text }) => text)).toEqual([large.text, SECOND_CODE.text]);
});

it('finds no codes in pictures without any', async () => {
  const files = await Promise.all([
    grain(300),
    ...Array.from({ length: shortOrLong(2, 10) }, (_, seed) => stripes(seed)),
  ]);
  const read = await Promise.all(files.map((file) => pictures.read(file)));
  expect(read.flatMap(({ codes }) => codes)).toEqual([]);
});
