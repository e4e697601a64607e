import { describe, expect, it } from 'vitest';
import { drawBarcode } from '#server/readers/pictures/pass-barcodes.ts';
import { openZip } from '#server/readers/pictures/zip.ts';
import { bytesOnly } from '#server/readers/pictures/zxing.ts';
import { CODES, drawFixture } from '#tests/fixtures/codes.ts';
import { sharedPictures } from '#tests/support/picture-processes.ts';
import { PASS_TYPE, setUpWallets } from '#tests/support/wallets.ts';
import type { PassContent } from './wallets.ts';

const sandbox = setUpWallets();
const pictures = sharedPictures();

const CONTENT: PassContent = {
  title: 'Two coffees for one',
  merchant: 'Corner Coffee',
  discount: '20%',
  lastDay: 'November 30, 2035',
  expiresAt: new Date('2035-12-01T07:59:59.999Z'),
  terms: 'Weekdays only.',
  url: 'http://localhost/my-coupons?open=5',
  pin: null,
  code: 'SAVE-20',
  symbol: null,
};

/** A pass for a picture of a code, as it is made for a coupon with that picture, and its files. */
async function passOf(file: Buffer) {
  const { bytes, codes } = await pictures.read(file);
  const [symbol = null] = codes;
  const apple = sandbox.wallets.apple;
  if (!apple || !symbol) throw new Error('There is no wallet, or no code');
  const drawn = await pictures.drawPass(apple.draws(symbol) ? null : { file: bytes, code: symbol });
  const content = { ...CONTENT, symbol, code: symbol.text };
  const pass = await apple.makePass(
    { serial: 'A'.repeat(22), content },
    { token: 'T'.repeat(64), pictures: drawn },
  );
  return { symbol, ...(await opened(pass)) };
}

async function opened(pass: Buffer) {
  const zip = await openZip(pass);
  const json = JSON.parse((await zip.read('pass.json')).toString());
  const strip = zip.names.includes('strip@3x.png') ? await zip.read('strip@3x.png', 1_000_000) : null;
  return { json, strip, names: zip.names };
}

/** Of these only the picture is known, or their picture is needed. */
const LATIN = { bcid: 'qrcode', text: 'caf\u00e9', binarytext: true, eclevel: 'M' };

describe('a pass shows a code with its bytes in its own symbol', () => {
  it.each([
    ...CODES,
    { name: 'QR in UTF-8', options: { bcid: 'qrcode', text: 'caf\u00e9 \u4e03' }, format: 'QRCode' },
    { name: 'QR in Latin-1', options: LATIN, format: 'QRCode' },
    { name: 'Code 128 of GS1', options: { bcid: 'gs1-128', text: '(01)09521234543213' }, format: 'Code128' },
  ])('$name', async (code) => {
    const file = await drawFixture({ text: '', ...code });
    const { json, strip, symbol } = await passOf(file);
    const [barcode] = json.barcodes ?? [];
    expect(barcode === undefined).toBe(strip !== null);
    const shown = strip ?? (await drawBarcode([barcode]));
    expect((await pictures.read(shown ?? Buffer.of())).codes).toMatchObject([
      { format: code.format, text: symbol.text, isText: symbol.isText },
    ]);
    expect(await bytesOnly(shown ?? Buffer.of())).toEqual(await bytesOnly(file));
  });
});

it('has what a wallet shows, and where it asks for changes', async () => {
  const [qr] = CODES;
  if (!qr) throw new Error('There is no fixture');
  const { json, names } = await passOf(await drawFixture(qr));
  expect(json).toMatchObject({
    passTypeIdentifier: PASS_TYPE,
    teamIdentifier: 'TEAM123456',
    serialNumber: 'A'.repeat(22),
    authenticationToken: 'T'.repeat(64),
    webServiceURL: 'http://localhost/api/apple-wallet',
    sharingProhibited: true,
    logoText: 'Corner Coffee',
    description: 'Two coffees for one, Corner Coffee',
    backgroundColor: expect.stringMatching(/^rgb\(\d+, \d+, \d+\)$/),
    coupon: {
      headerFields: [{ label: 'Valid until', value: 'November 30, 2035' }],
      primaryFields: [{ value: '20%' }],
      backFields: [{ label: 'Terms', value: 'Weekdays only.' }, { value: CONTENT.url }],
    },
  });
  expect(new Date(json.expirationDate)).toEqual(new Date('2035-12-01T07:59:59.000Z'));
  for (const name of ['icon.png', 'icon@3x.png', 'logo@2x.png', 'manifest.json', 'signature'])
    expect(names).toContain(name);
});

it('has the code as text where no symbol is known, and nothing of the coupon once it is void', async () => {
  const { apple } = sandbox.wallets;
  const drawn = await pictures.drawPass(null);
  const make = async (content: PassContent | null) =>
    opened(
      (await apple?.makePass(
        { serial: 'A'.repeat(22), content },
        { token: 'T'.repeat(64), pictures: drawn },
      )) ?? Buffer.of(),
    );
  const { json, strip } = await make(CONTENT);
  expect(json.barcodes ?? json.barcode).toBeUndefined();
  expect(strip).toBeNull();
  expect(json.coupon.auxiliaryFields).toMatchObject([{ label: 'Code', value: 'SAVE-20' }]);
  const ended = await make(null);
  expect(ended.json).toMatchObject({ voided: true, serialNumber: 'A'.repeat(22) });
  expect(JSON.stringify(ended.json)).not.toMatch(/SAVE|Coffee|coffee/);
});
