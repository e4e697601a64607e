import { toBuffer } from 'bwip-js/node';
import { describe, expect, it } from 'vitest';
import { seeded } from '#tests/fixtures/codes.ts';
import { sharedPictures } from '#tests/support/picture-processes.ts';
import { shortOrLong } from '#tests/support/rounds.ts';

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

const pictures = sharedPictures();

const codesOf = async (file: Uint8Array = Buffer.of()) => (await pictures.read(file)).codes;

/** Symbols that shops, warehouses and pharmacies draw: what is scanned is the text, exactly. */
describe('a text is what was scanned', () => {
  it.each([
    ['control characters', { bcid: 'code128', text: 'AB\u001dC\u0005' }, 'Code128', 'AB\u001dC\u0005'],
    [
      'separators without GS1',
      { bcid: 'datamatrix', text: 'A\u001dB\u001e\u0001' },
      'DataMatrix',
      'A\u001dB\u001e\u0001',
    ],
    [
      'GS1 in brackets',
      { bcid: 'gs1-128', text: '(01)09521234543213(10)X1(21)AB12' },
      'Code128',
      '(01)09521234543213(10)X1(21)AB12',
    ],
    ['a pharmacy\u2019s Code 32', { bcid: 'code32', text: '01234567' }, 'Code32', 'A012345676'],
    ['MaxiCode', { bcid: 'maxicode', text: 'SAVE-20-7F3K', mode: 4 }, 'MaxiCode', 'SAVE-20-7F3K'],
  ])('%s', async (_, options, format, text) => {
    const file = await toBuffer({ scale: 3, height: 18, padding: 12, backgroundcolor: 'FFFFFF', ...options });
    expect(await codesOf(file)).toMatchObject([{ format, text }]);
  });
});

describe('drawn codes', () => {
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
    expect(await codesOf(drawn?.bytes)).toMatchObject([{ text: code, format }]);
  });

  it.each([
    ['no text at all', 'SAVE-20-é'],
    ['too long to be scanned', 'W'.repeat(49)],
    ['empty', ''],
  ])('are null when there is no barcode for the text: %s', async (_, code) => {
    expect(await pictures.draw('barcode', code)).toBeNull();
  });

  it('keep every character from 0 to 127', async () => {
    const every = Array.from({ length: 128 }, (_, at) => `<${String.fromCharCode(at)}>`).join('');
    const drawn = await pictures.draw('qrcode', every);
    expect(await codesOf(drawn?.bytes)).toMatchObject([{ text: every, format: 'QRCode' }]);
  });

  it('are QR codes for any text up to their capacity', async () => {
    for (const code of ['Ünïcode ✓ 割引', 'x'.repeat(2331)]) {
      const drawn = await pictures.draw('qrcode', code);
      expect(await codesOf(drawn?.bytes)).toMatchObject([{ text: code, format: 'QRCode' }]);
    }
    expect(await pictures.draw('qrcode', 'x'.repeat(2332))).toBeNull();
  });
});
