import { describe, expect, it } from 'vitest';
import { PASS, walletPass, zip } from '../../../../tests/fixtures/passes.ts';
import type { PictureProblem } from './pictures.ts';
import { readPicture } from './reading.ts';

describe('a wallet pass', () => {
  it.each([
    ['QR', 'QRCode', 'https://shear.example/é'],
    ['PDF417', 'PDF417', 'SHEAR-417'],
    ['Aztec', 'Aztec', 'SHEAR-AZ'],
    ['Code128', 'Code128', 'SHEAR 128'],
  ])('has its barcode in a picture of its own: %s', async (name, format, text) => {
    const barcodes = [{ format: `PKBarcodeFormat${name}`, message: text, messageEncoding: 'utf-8' }];
    expect((await readPicture(walletPass({ barcodes }))).codes).toMatchObject([{ format, text }]);
  });

  it('says its merchant, title, last day and terms', async () => {
    const { facts } = await readPicture(walletPass());
    expect(facts).toEqual({
      merchant: 'Shear Joy',
      title: 'Ten off a haircut',
      expiryDate: '2031-05-24',
      terms: 'TERMS AND CONDITIONS: TERMS_TEXT',
    });
  });

  it('of the first kind has one barcode, and its last day in a field', async () => {
    const old = {
      barcodes: undefined,
      barcode: { format: 'PKBarcodeFormatQR', message: 'OLD-1' },
      expirationDate: undefined,
      coupon: { auxiliaryFields: [{ key: 'expires', label: 'EXPIRES', value: '2031-04-24T00:00+02:00' }] },
    };
    const { codes, facts } = await readPicture(walletPass(old));
    expect(codes).toMatchObject([{ text: 'OLD-1' }]);
    // It is over when the day begins.
    expect(facts).toMatchObject({ expiryDate: '2031-04-23', terms: null });
  });

  it('is read in English where it has that, in UTF-8 or UTF-16', async () => {
    const strings = (text: string) => `/* Terms */\n"TERMS_TEXT" = "${text}";\n// next\n"Site" = "Web";`;
    const german = { name: 'de.lproj/pass.strings', bytes: strings('Nur \\"montags\\"') };
    const english = {
      name: 'en.lproj/pass.strings',
      bytes: Buffer.from(`\ufeff${strings('Mondays\\nonly')}`, 'utf16le'),
    };
    const terms = async (...more: Parameters<typeof walletPass>[1][]) =>
      (
        await readPicture(
          walletPass(
            {},
            more.flat().filter((entry) => entry !== undefined),
          ),
        )
      ).facts?.terms;
    expect(await terms([german])).toBe('TERMS AND CONDITIONS: Nur "montags"');
    expect(await terms([german, english])).toBe('TERMS AND CONDITIONS: Mondays\nonly');
  });

  it('leaves out what is not as it should be', async () => {
    const odd = {
      organizationName: 7,
      description: 'x'.repeat(500),
      expirationDate: '2031-13-40',
      coupon: [],
    };
    const { facts } = await readPicture(walletPass(odd));
    expect(facts).toEqual({ merchant: null, title: 'x'.repeat(120), expiryDate: null, terms: null });
  });
});

describe('an archive is refused', () => {
  const json = { name: 'pass.json', bytes: JSON.stringify(PASS) };
  const big = Buffer.alloc(600 * 1024, ' ');
  it.each<[string, PictureProblem, Buffer]>([
    ['that is no pass', 'not_an_image', zip([{ name: 'word/document.xml', bytes: '<a/>' }])],
    ['that holds passes', 'many_passes', zip([{ name: 'one.pkpass', bytes: walletPass() }])],
    ['whose pass lies in a folder', 'not_an_image', zip([{ ...json, name: 'inner/pass.json' }])],
    ['that breaks off', 'broken', walletPass().subarray(0, 200)],
    ['with a name that leads elsewhere', 'broken', zip([json, { name: '../../etc/cron.d/x', bytes: 'x' }])],
    ['with an absolute name', 'broken', zip([json, { name: '/etc/passwd', bytes: 'x' }])],
    ['with a name of Windows', 'broken', zip([json, { name: '..\\x', bytes: 'x' }])],
    ['with a name twice', 'broken', zip([json, json])],
    ['that is encrypted', 'locked', zip([{ ...json, isEncrypted: true }])],
    [
      'with 501 entries',
      'too_many_parts',
      zip([json, ...Array.from({ length: 500 }, (_, at) => ({ name: `${at}`, bytes: '' }))]),
    ],
    ['whose pass.json is large', 'too_many_parts', zip([{ ...json, bytes: big }])],
    ['whose pass.json is larger than stated', 'broken', zip([{ ...json, bytes: big, size: 900 }])],
    ['whose pass.json is smaller than stated', 'broken', zip([{ ...json, size: 9000 }])],
    ['with a wrong checksum', 'broken', zip([{ ...json, hasWrongSum: true }])],
    ['whose pass.json is no JSON', 'broken', zip([{ name: 'pass.json', bytes: '{' }])],
    [
      'whose pass.json has no end of brackets',
      'broken',
      zip([{ name: 'pass.json', bytes: '['.repeat(400_000) }]),
    ],
    [
      'whose pass.json is no text',
      'broken',
      zip([{ name: 'pass.json', bytes: Buffer.from([0xff, 0xfe, 0x7b]) }]),
    ],
    ['without a barcode', 'no_barcode', walletPass({ barcodes: [] })],
    [
      'with a barcode of another kind',
      'no_barcode',
      walletPass({ barcodes: [{ format: 'x', message: 'x' }] }),
    ],
    ['that its issuer has voided', 'used_pass', walletPass({ voided: true })],
  ])('%s: %s', async (_, problem, file) => {
    await expect(readPicture(file)).rejects.toMatchObject({ name: 'PictureRefusal', problem });
  });

  it('of which ever so much would come is not inflated', async () => {
    const bomb = Buffer.alloc(64 * 2 ** 20);
    const before = process.memoryUsage().rss;
    const file = walletPass({}, [{ name: 'background@3x.png', bytes: bomb }]);
    expect((await readPicture(file)).codes).toMatchObject([{ text: 'SHEAR-417' }]);
    const lie = zip([{ name: 'pass.json', bytes: bomb, size: 1000 }]);
    await expect(readPicture(lie)).rejects.toMatchObject({ problem: 'broken' });
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(400);
  });
});
