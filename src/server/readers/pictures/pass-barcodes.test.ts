import { scanGrayBuffer, ZBarConfigType, ZBarScanner, ZBarSymbolType } from '@undecaf/zbar-wasm';
import { toBuffer } from 'bwip-js/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBarcodes } from 'zxing-wasm/reader';
import { walletPass } from '#tests/fixtures/passes.ts';
import { drawCode } from './drawing.ts';
import { messageBytes } from './pass-barcodes.ts';
import { readPicture } from './reading.ts';
import { sharp } from './sharp.ts';

let zbar: ZBarScanner;
beforeAll(async () => {
  zbar = await ZBarScanner.create();
  zbar.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_BINARY, 1);
});

/** The bytes of a symbol in hexadecimal digits, by ZXing, and by ZBar where that knows the symbology. */
async function bytesIn(picture: Uint8Array) {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [byZbar] = await scanGrayBuffer(new Uint8Array(data).buffer, info.width, info.height, zbar);
  const [byZxing] = await readBarcodes(picture, {});
  return {
    zxing: byZxing && Buffer.from(byZxing.bytes).toString('hex'),
    zbar: byZbar && Buffer.from(byZbar.data).toString('hex'),
  };
}

const EVERY_BYTE = Array.from({ length: 256 }, (_, at) => String.fromCharCode(at)).join('');

describe('the bytes drawn are the bytes of the pass', () => {
  it.each([
    ['QR', 'KÄSE-10', 'iso-8859-1', '4bc453452d3130'],
    ['QR', 'KÄSE-10', 'ISO8859-1', '4bc453452d3130'],
    ['QR', 'KÄSE-10', undefined, '4bc453452d3130'],
    ['QR', 'KÄSE-10', 'utf-8', '4bc38453452d3130'],
    ['QR', '割引 10', 'Shift_JIS', '8a8488f8203130'],
    ['QR', '10 €', 'windows-1252', '31302080'],
    ['QR', '割引', undefined, 'e589b2e5bc95'],
    ['QR', '#UT01\u0000ÿ\u0080\u009c\u001f', 'iso-8859-1', '235554303100ff809c1f'],
    ['QR', EVERY_BYTE, 'iso-8859-1', Buffer.from(EVERY_BYTE, 'latin1').toString('hex')],
    ['Code128', 'KÄSE-10', 'iso-8859-1', '4bc453452d3130'],
    ['Code128', 'AB\u001dC\u0005', 'iso-8859-1', '41421d4305'],
    ['Aztec', '#UT01°ñ\u0001ÿ', 'iso-8859-1', '2355543031b0f101ff'],
    ['Aztec', EVERY_BYTE, 'iso-8859-1', Buffer.from(EVERY_BYTE, 'latin1').toString('hex')],
    ['PDF417', 'KÄSE\u0001ÿ', 'iso-8859-1', '4bc4534501ff'],
    ['PDF417', EVERY_BYTE, 'iso-8859-1', Buffer.from(EVERY_BYTE, 'latin1').toString('hex')],
  ])('%s with %j in %s', async (name, message, messageEncoding, hex) => {
    const { bytes } = await readPicture(
      walletPass({ barcodes: [{ format: `PKBarcodeFormat${name}`, message, messageEncoding }] }),
    );
    const { zxing, zbar: other } = await bytesIn(bytes);
    expect(zxing).toBe(hex);
    // ZBar knows neither Aztec nor PDF417, nor letters beyond ASCII in Code 128.
    if (name === 'QR' || (name === 'Code128' && !/[^\0-\x7f]/.test(message))) expect(other).toBe(hex);
  });

  it('or there are none', () => {
    expect(messageBytes('€', 'iso-8859-1')).toBeNull();
    expect(messageBytes('é', 'x-none')).toBeNull();
    expect(messageBytes('\ud800', 'utf-8')).toBeNull();
  });
});

describe('what is read and drawn again holds the same bytes, or is not drawn', () => {
  const options = { scale: 4, padding: 16, backgroundcolor: 'FFFFFF' };
  const latin1 = (text: string) => ({
    text: Buffer.from(text, 'latin1').toString('latin1'),
    binarytext: true,
  });
  it.each([
    ['ASCII', true, { bcid: 'qrcode', text: 'SAVE-10' }],
    ['UTF-8', true, { bcid: 'qrcode', text: 'KÄSE 割引' }],
    ['a separator', true, { bcid: 'qrcode', text: 'A\u001dB' }],
    ['Latin-1', false, { bcid: 'qrcode', ...latin1('KÄSE-10') }],
    ['binary', false, { bcid: 'qrcode', ...latin1('#UT01\u0000ÿ\u0080') }],
    ['an invisible character', false, { bcid: 'qrcode', text: 'SAVE\u200b10' }],
    ['GS1', false, { bcid: 'gs1qrcode', text: '(01)09521234543213(10)X1(21)AB12' }],
    ['GS1 in bars', false, { bcid: 'gs1-128', text: '(01)09521234543213(10)X1' }],
    ['Latin-1 in Aztec', false, { bcid: 'azteccode', ...latin1('KÄSE') }],
    ['Latin-1 in PDF417', false, { bcid: 'pdf417', ...latin1('KÄSE') }],
    ['Code 128', true, { bcid: 'code128', text: 'SAVE-10' }],
    ['EAN-13', true, { bcid: 'ean13', text: '4006381333931' }],
    ['UPC-A', true, { bcid: 'upca', text: '036000291452' }],
    ['UPC-E', false, { bcid: 'upce', text: '04252614' }],
  ])('%s: %s', async (_, isText, given) => {
    const original = await toBuffer({ ...options, ...given });
    const { codes } = await readPicture(original);
    expect(codes).toMatchObject([{ isText }]);
    const [code] = codes;
    if (!code?.isText || given.bcid !== 'qrcode') return;
    const drawn = await drawCode('qrcode', code.text);
    expect(await bytesIn(drawn?.bytes ?? Buffer.of())).toEqual(await bytesIn(original));
  });
});
