import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HANGS_MS } from '#server/testing/patience.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { seeded } from '../../../../tests/fixtures/codes.ts';
import { openPictures } from './open-pictures.ts';
import type { Pictures } from './pictures.ts';

const CODES = shortOrLong(20, 1_000);
const ALPHABETS = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  '0123456789',
  'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789',
  ' !"#$%&\'()*+,-./0123456789:;<=>?@AZaz[\\]^_`{|}~',
];

/** Codes like those of shops, the same in every run. */
function someCodes(count: number, seed: number): string[] {
  const random = seeded(seed);
  const pick = (text: string) => text.charAt(Math.floor(random() * text.length));
  return Array.from({ length: count }, (_, index) => {
    const alphabet = ALPHABETS[index % ALPHABETS.length] ?? '';
    const code = Array.from({ length: 3 + Math.floor(random() * 38) }, () => pick(alphabet)).join('');
    // Readers cannot see white space at the ends.
    return code.replaceAll(/^ | $/g, 'X');
  });
}

describe('drawn codes', () => {
  let pictures: Pictures;

  beforeAll(() => {
    pictures = openPictures({ timeLimitMs: HANGS_MS, queueLimit: 2 * CODES });
  });
  afterAll(() => pictures.close());

  it.each(['qrcode', 'barcode'] as const)(`read back as %s: ${CODES} codes`, async (kind) => {
    const codes = someCodes(CODES, 4);
    const readBack = await Promise.all(
      codes.map(async (code) => {
        const drawn = await pictures.draw(kind, code);
        const picture = drawn && (await pictures.read(drawn.bytes));
        return picture?.codes[0]?.text;
      }),
    );
    expect(readBack.filter((text, index) => text !== codes[index])).toEqual([]);
  });

  it.each([
    ['GS1 coupon', '(8110)106141416543213150110120', 'DataBarExpanded'],
    ['GS1 offer', '(8112)0106141416543213150110120', 'DataBarExpanded'],
    ['UPC-A', '036000291452', 'UPCA'],
    ['EAN-13', '4006381333931', 'EAN13'],
    ['EAN-8', '40170725', 'EAN8'],
    ['a wrong check digit', '036000291453', 'Code128'],
    ['a shop code', 'Save-20 now!', 'Code128'],
    ['the longest', 'W'.repeat(48), 'Code128'],
  ])('use the symbology that fits: %s', async (_, code, format) => {
    const drawn = await pictures.draw('barcode', code);
    const picture = await pictures.read(drawn?.bytes ?? Buffer.of());
    expect(picture.codes).toMatchObject([{ text: code, format }]);
  });

  it.each([
    ['no text at all', 'SAVE-20-é'],
    ['too long to be scanned', 'W'.repeat(49)],
    ['empty', ''],
  ])('are null when there is no barcode for the text: %s', async (_, code) => {
    expect(await pictures.draw('barcode', code)).toBeNull();
  });

  it('are QR codes for any text up to their capacity', async () => {
    for (const code of ['Ünïcode ✓ 割引', 'x'.repeat(2331)]) {
      const drawn = await pictures.draw('qrcode', code);
      const picture = await pictures.read(drawn?.bytes ?? Buffer.of());
      expect(picture.codes).toMatchObject([{ text: code, format: 'QRCode' }]);
    }
    expect(await pictures.draw('qrcode', 'x'.repeat(2332))).toBeNull();
  });
});
