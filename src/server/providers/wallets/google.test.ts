import { toBuffer } from 'bwip-js/node';
import { beforeEach, describe, expect, it } from 'vitest';
import type { GoogleObject } from '#sandbox/wallets/google.ts';
import { bytesOnly } from '#server/readers/pictures/zxing.ts';
import { CODES, drawFixture } from '#tests/fixtures/codes.ts';
import { sharedPictures } from '#tests/support/picture-processes.ts';
import { setUpWallets } from '#tests/support/wallets.ts';
import type { PassContent } from './wallets.ts';

const sandbox = setUpWallets();
const pictures = sharedPictures();
beforeEach(() => sandbox.google.objects.clear());

const SERIAL = 'A'.repeat(22);

async function barcodeFor(code: string, symbol: PassContent['symbol']) {
  const content = {
    ...{ title: 'Soup', merchant: 'Kettle', discount: null, lastDay: null, expiresAt: null, terms: null },
    ...{ url: 'http://localhost/my-coupons', code, pin: null, symbol },
  };
  await sandbox.wallets.google?.save({ serial: SERIAL, content });
  const [object] = sandbox.google.objects.values();
  return object?.barcode;
}

/** How Google's symbologies are drawn here. */
const DRAWN: Partial<Record<NonNullable<GoogleObject['barcode']>['type'], string>> = {
  AZTEC: 'azteccode',
  CODE_39: 'code39',
  CODE_128: 'code128',
  DATA_MATRIX: 'datamatrix',
  EAN_8: 'ean8',
  EAN_13: 'ean13',
  ITF_14: 'interleaved2of5',
  PDF_417: 'pdf417',
  QR_CODE: 'qrcode',
  UPC_A: 'upca',
};

const MORE = [
  { name: 'QR in UTF-8', options: { bcid: 'qrcode', text: 'caf\u00e9 \u4e03' }, format: 'QRCode' },
  { name: 'ITF of 14 digits', options: { bcid: 'interleaved2of5', text: '10012345678902' }, format: 'ITF' },
];

describe('a code is given with its bytes in its own symbol', () => {
  it.each([...CODES, ...MORE])('$name, or as text', async (code) => {
    const file = await drawFixture({ text: '', ...code });
    const [symbol = null] = (await pictures.read(file)).codes;
    const barcode = await barcodeFor(symbol?.text ?? '', symbol);
    const { type = 'TEXT_ONLY', value = '' } = barcode ?? {};
    expect(value).toBe(symbol?.text);
    if (type === 'TEXT_ONLY') return;
    const bcid = DRAWN[type] ?? '';
    const drawn = await toBuffer({ bcid, text: value, scale: 3, padding: 12, backgroundcolor: 'FFFFFF' });
    expect(await bytesOnly(drawn)).toEqual(await bytesOnly(file));
    expect((await pictures.read(drawn)).codes).toMatchObject([{ format: code.format }]);
  });

  it('as text only where the wallet has no such symbol, or more than its text counts', async () => {
    const types = [];
    for (const [format, text, isText] of [
      ['QRCode', 'X', true],
      ['QRCode', 'X', false],
      ['MicroQRCode', 'X', true],
      ['Codabar', 'A12345678B', true],
      ['ITF', '0123456789', true],
      ['Code128', 'caf\u00e9', true],
    ] as const) {
      sandbox.google.objects.clear();
      types.push((await barcodeFor('X', { format, text, isText }))?.type);
    }
    expect(types).toEqual(['QR_CODE', ...Array<string>(5).fill('TEXT_ONLY')]);
  });
});
