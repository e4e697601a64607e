import { describe, expect, it } from 'vitest';
import { PASS, walletPass, zip } from '#tests/fixtures/passes.ts';
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
    expect(facts).toMatchObject({
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
    expect(facts).toMatchObject({ merchant: null, title: 'x'.repeat(120), expiryDate: null, terms: null });
  });
});

const QR = { format: 'PKBarcodeFormatQR', message: 'QR-1' };

/** A pass whose pass.json is this text. */
const written = (bytes: Buffer | string) => zip([{ name: 'pass.json', bytes }]);

describe('a pass that other wallets open is read', () => {
  const text = JSON.stringify({ ...PASS, organizationName: 'Käse & Co' });
  const inner = { name: 'deep/one.pkpass', bytes: walletPass() };
  it.each<[string, Buffer]>([
    ['in UTF-8 with a mark', written(`\ufeff${text}`)],
    ['in UTF-16 with a mark', written(Buffer.from(`\ufeff${text}`, 'utf16le'))],
    ['in UTF-16', written(Buffer.from(text, 'utf16le'))],
    ['in UTF-16, high bytes first', written(Buffer.from(text, 'utf16le').swap16())],
    ['in Latin-1', written(Buffer.from(text, 'latin1'))],
    ['with trailing commas', written(text.replace(/\}$/, ',}').replace('],', ',],'))],
    ['with empty members', written(text.replace(/\}$/, ',"relevantDate": , "locations": [,]}'))],
    ['with comments', written(`/* by "x" */ ${text} // end`)],
    ['with a line break in a text', written(text.replace('Any cut', 'Any\ncut\r\n'))],
    ['without a version', written(text.replace('"formatVersion":1,', ''))],
    [
      'in a folder',
      zip([
        { name: 'a/b/pass.json', bytes: text },
        { name: '__MACOSX/a/b/._pass.json', bytes: 'x' },
      ]),
    ],
    ['in a bundle of one', zip([inner, { name: '__MACOSX/deep/._one.pkpass', bytes: 'x' }])],
  ])('%s', async (_, file) => {
    const { codes, facts } = await readPicture(file);
    expect(codes).toMatchObject([{ text: 'SHEAR-417' }]);
    expect(facts).toMatchObject({
      merchant: expect.stringMatching(/^(?:Käse & Co|Shear Joy)$/),
      title: 'Ten off a haircut',
    });
  });

  it.each<[string, object]>([
    [
      'a first barcode of another kind',
      { barcodes: [{ format: 'PKBarcodeFormatEAN13', message: '4006381333931' }, QR] },
    ],
    ['a first barcode without a message', { barcodes: [{ format: 'PKBarcodeFormatQR' }, 7, QR] }],
    [
      'a first barcode that its charset does not have',
      { barcodes: [{ ...QR, message: '€', messageEncoding: 'us-ascii' }, QR] },
    ],
    ['only bad barcodes in the new list', { barcodes: 'none', barcode: QR }],
    ['a barcode whose message is a number', { barcodes: [{ ...QR, message: 42 }] }],
  ])('with %s', async (_, change) => {
    expect((await readPicture(walletPass(change))).codes).toMatchObject([
      { text: expect.stringMatching(/^(?:QR-1|42)$/) },
    ]);
  });

  const ENGLISH = '"ORG" = "Käse Ltd";\n"DESC" = "10 % \\"off\\"";\n';
  it.each<[string, Buffer | string]>([
    ['in UTF-16', Buffer.from(ENGLISH, 'utf16le')],
    ['in UTF-16, high bytes first', Buffer.from(ENGLISH, 'utf16le').swap16()],
    ['in Latin-1', Buffer.from(ENGLISH, 'latin1')],
    ['after a bad line', `ORGX = oops oops;\n${ENGLISH}`],
    ['without quotes around keys', ENGLISH.replace('"ORG"', 'ORG').replace('"DESC"', 'DESC')],
    ['with escapes', ENGLISH.replace('ä', '\\U00e4')],
    [
      'as a property list',
      '<?xml version="1.0"?><plist><dict><key>ORG</key><string>K&#228;se Ltd</string><key>DESC</key><string>10 % &quot;off&quot;</string></dict></plist>',
    ],
  ])('with texts %s', async (_, bytes) => {
    const pass = walletPass({ organizationName: 'ORG', description: 'DESC' }, [
      { name: 'en.lproj/pass.strings', bytes },
    ]);
    expect((await readPicture(pass)).facts).toMatchObject({ merchant: 'Käse Ltd', title: '10 % "off"' });
  });
});

it('placeholders of missing translations are no facts', async () => {
  const strings = { name: 'fr.lproj/pass.strings', bytes: '"TITLE" = "Dix de moins";\nORG oops' };
  const facts = async (pass: object) => (await readPicture(walletPass(pass, [strings]))).facts;
  expect(await facts({ organizationName: 'ORG', description: 'TITLE' })).toMatchObject({
    merchant: null,
    title: 'Dix de moins',
    terms: 'Site: https://shear.example',
  });
  expect(await facts({ organizationName: 'coupon.org.name', description: '{{title}}' })).toMatchObject({
    merchant: null,
    title: null,
  });
  expect(await facts({ organizationName: 'Booking.com', description: 'null' })).toMatchObject({
    merchant: 'Booking.com',
    title: null,
  });
});

describe('the last day is the one where the shop is', () => {
  const WEST = { locations: [{ latitude: 49.3, longitude: -123.1 }] };
  const EAST = { locations: [{ latitude: 35.7, longitude: 139.7 }] };
  it.each<[string, object, string]>([
    ['2027-01-01T07:59:59Z', {}, '2026-12-31'],
    ['2027-01-01T08:00:00Z', {}, '2026-12-31'],
    ['2027-01-01T04:59Z', {}, '2026-12-31'],
    ['2027-01-01T03:29:59+00:00', {}, '2026-12-31'],
    ['2027-01-01T00:00:00Z', {}, '2026-12-31'],
    ['2026-12-31T22:59:59Z', {}, '2026-12-31'],
    ['2026-12-31T14:59:59Z', {}, '2026-12-31'],
    ['2026-12-31T23:59:59Z', {}, '2026-12-31'],
    ['2027-01-01T07:13:00Z', {}, '2027-01-01'],
    ['2027-01-01T07:13:00Z', WEST, '2026-12-31'],
    ['2027-01-01T05:00:00Z', EAST, '2027-01-01'],
    ['2026-12-31T15:00:00Z', EAST, '2026-12-31'],
    ['2027-01-01T09:13:00Z', { relevantDate: '2026-12-01T10:00-10:00' }, '2026-12-31'],
    ['2026-12-31T23:59:59-08:00', EAST, '2026-12-31'],
    ['2026-12-31', {}, '2026-12-31'],
  ])('%s with %j: %s', async (expirationDate, place, day) => {
    expect((await readPicture(walletPass({ expirationDate, ...place }))).facts?.expiryDate).toBe(day);
  });
});

it('each pass of a bundle is read by its number, and bytes behind an archive are overlooked', async () => {
  const messages = ['ONE-1111', 'TWO-2222'];
  const passOf = (message: string) =>
    walletPass({ barcodes: [{ format: 'PKBarcodeFormatQR', message, messageEncoding: 'iso-8859-1' }] });
  const bundle = zip(messages.map((message) => ({ name: `${message}.pkpass`, bytes: passOf(message) })));
  for (const [index, text] of messages.entries())
    expect(await readPicture(bundle, index + 1)).toMatchObject({ codes: [{ text }], pages: 2 });
  await expect(readPicture(bundle, 3)).rejects.toMatchObject({ problem: 'no_such_page' });
  const tail = Buffer.concat([passOf('TAIL-1'), Buffer.from('\r\n--end--\r\n')]);
  expect((await readPicture(tail)).codes).toMatchObject([{ text: 'TAIL-1' }]);
});

it.each([
  ['31.12.2031', '2031-12-31'],
  ['Valid until December 31, 2031', '2031-12-31'],
  ['Expires 31/12/2031', '2031-12-31'],
  // In March or in April.
  ['03/04/2031', null],
  ['46387', null],
  ['While supplies last', null],
])('a field says as the last day: %s', async (value, day) => {
  const coupon = { backFields: [{ key: 'valid', label: 'Valid until', value }] };
  const { facts } = await readPicture(walletPass({ coupon, expirationDate: null }));
  expect(facts?.expiryDate).toBe(day);
});

it.each([
  ['https://shop.example/r?x=1', '6035-0012', '6035-0012'],
  ['6035 0012', '60350012', undefined],
  ['ABC-1234', 'Scan at the till', undefined],
  ['ABC-1234', null, undefined],
])('a pass of %s with %s under its barcode has the printed code %s', async (message, altText, code) => {
  const barcodes = [{ format: 'PKBarcodeFormatQR', message, messageEncoding: 'iso-8859-1', altText }];
  expect((await readPicture(walletPass({ barcodes }))).facts?.printedCode).toBe(code);
});

describe('an archive is refused', () => {
  const json = { name: 'pass.json', bytes: JSON.stringify(PASS) };
  const big = Buffer.alloc(600 * 1024, ' ');
  it.each<[string, PictureProblem, Buffer]>([
    ['that is no pass', 'not_an_image', zip([{ name: 'word/document.xml', bytes: '<a/>' }])],
    [
      'that holds passes',
      'many_passes',
      zip(['one', 'two'].map((name) => ({ name: `${name}.pkpass`, bytes: walletPass() }))),
    ],
    [
      'with passes in two folders',
      'many_passes',
      zip(['one', 'two'].map((name) => ({ ...json, name: `${name}/pass.json` }))),
    ],
    ['whose inner pass is none', 'broken_pass', zip([{ name: 'one.pkpass', bytes: zip([]) }])],
    ['that breaks off', 'broken_pass', walletPass().subarray(0, 200)],
    [
      'with a name that leads elsewhere',
      'broken_pass',
      zip([json, { name: '../../etc/cron.d/x', bytes: 'x' }]),
    ],
    ['with an absolute name', 'broken_pass', zip([json, { name: '/etc/passwd', bytes: 'x' }])],
    ['with a name of Windows', 'broken_pass', zip([json, { name: '..\\x', bytes: 'x' }])],
    ['with a name twice', 'broken_pass', zip([json, json])],
    ['that is encrypted', 'locked', zip([{ ...json, isEncrypted: true }])],
    [
      'with 501 entries',
      'too_many_parts',
      zip([json, ...Array.from({ length: 500 }, (_, at) => ({ name: `${at}`, bytes: '' }))]),
    ],
    ['whose pass.json is large', 'too_many_parts', zip([{ ...json, bytes: big }])],
    ['whose pass.json is larger than stated', 'broken_pass', zip([{ ...json, bytes: big, size: 900 }])],
    ['whose pass.json is smaller than stated', 'broken_pass', zip([{ ...json, size: 9000 }])],
    ['with a wrong checksum', 'broken_pass', zip([{ ...json, hasWrongSum: true }])],
    ['whose pass.json is no JSON', 'broken_pass', zip([{ name: 'pass.json', bytes: '{' }])],
    [
      'whose pass.json has no end of brackets',
      'broken_pass',
      zip([{ name: 'pass.json', bytes: '['.repeat(400_000) }]),
    ],
    [
      'whose pass.json is no text',
      'broken_pass',
      zip([{ name: 'pass.json', bytes: Buffer.from([0xff, 0xfe, 0x7b]) }]),
    ],
    ['without a barcode', 'no_barcode', walletPass({ barcodes: [] })],
    [
      'with a barcode of another kind',
      'other_barcode',
      walletPass({ barcodes: [{ format: 'x', message: 'x' }] }),
    ],
    [
      'whose message its charset does not have',
      'other_barcode',
      walletPass({ barcodes: [{ ...QR, message: '10 €', messageEncoding: 'iso-8859-1' }] }),
    ],
    [
      'whose message is a number that JavaScript changes',
      'no_barcode',
      zip([{ name: 'pass.json', bytes: '{"barcode":{"format":"QR","message":9007199254740993}}' }]),
    ],
    [
      'whose pass.json breaks off',
      'broken_pass',
      zip([{ name: 'pass.json', bytes: '{"barcode":{"format":"QR","message":"A' }]),
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
    await expect(readPicture(lie)).rejects.toMatchObject({ problem: 'broken_pass' });
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(400);
  });
});
