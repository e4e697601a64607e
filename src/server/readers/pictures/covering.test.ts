import sharp from 'sharp';
import { expect, it } from 'vitest';
import { CODES, type CodeFixture, drawFixture, SECOND_CODE } from '#tests/fixtures/codes.ts';
import { sharedPictures } from '#tests/support/picture-processes.ts';
import { shortOrLong } from '#tests/support/rounds.ts';

const pictures = sharedPictures();

const SHORT = ['QR', 'Code 128'];
const drawn = CODES.filter(({ name }) => shortOrLong(SHORT.includes(name), true));

it('knows the codes of the short form', () => {
  expect(CODES.filter(({ name }) => SHORT.includes(name))).toHaveLength(SHORT.length);
});

/** A drawn code with a white margin. */
async function symbolOf(code: CodeFixture) {
  const margin = { left: 30, right: 30, top: 30, bottom: 30, background: 'white' };
  return sharp(await drawFixture(code))
    .extend(margin)
    .png()
    .toBuffer({ resolveWithObject: true });
}

it.each(drawn.map((code) => [code.name, code] as const))(
  'of a covered picture with %s and a second code, no code can be read',
  async (_, code) => {
    const [first, second] = [await symbolOf(code), await symbolOf(SECOND_CODE)];
    const width = Math.max(first.info.width, second.info.width) + 40;
    const height = first.info.height + second.info.height + 1_200;
    const file = await sharp({ create: { width, height, channels: 3, background: 'white' } })
      .composite([
        { input: first.data, left: 10, top: 10 },
        { input: second.data, left: 10, top: height - second.info.height - 10 },
      ])
      .png()
      .toBuffer();
    expect((await pictures.read(file)).codes).not.toEqual([]);
    const covered = await pictures.cover(file);
    expect(covered.codes).toEqual([]);
    expect((await pictures.read(covered.bytes)).codes).toEqual([]);
    // Between the two nothing is covered.
    const { data, info } = await sharp(covered.bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect(data[info.width * Math.floor(height / 2)]).toBeGreaterThan(250);
  },
);
