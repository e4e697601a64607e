import type { RenderOptions } from 'bwip-js/node';
import { type ImageKind, isBarcodeText, isGs1Coupon, isQrText } from '#contract/coupons/images.ts';
import { hasGtinCheckDigit } from '#server/core/check-digits.ts';
import type { DrawnCode } from './pictures.ts';

const { toBuffer } = await import('bwip-js/node');

/** Pixels per module: a phone's screen can show it, and a scanner at arm's length can read it. */
const QR_SCALE = 8;
const BAR_SCALE = 3;

/** A QR code of more bytes than this has smaller modules, because it has so many. */
const LONG_QR_BYTES = 300;
const LONG_QR_SCALE = 4;

/** bwip-js only declares the options that all symbologies have; these belong to one each. */
type DrawingOptions = RenderOptions & {
  readonly eclevel?: 'M';
  readonly binarytext?: boolean;
  readonly segments?: number;
  readonly columns?: number;
};

/**
 * Draws a code in black on white with its quiet zone, without the text under it.
 * @returns null if that is impossible: the text is too long or has characters that the symbology lacks
 */
export async function drawCode(kind: ImageKind, code: string): Promise<DrawnCode | null> {
  return draw(kind === 'qrcode' ? qrcode(code) : barcode(code));
}

/** The symbologies of wallet passes. */
export type PassSymbology = 'qrcode' | 'pdf417' | 'azteccode' | 'code128';

/** Draws bytes as a wallet shows them, without a word about their charset; null as `drawCode`. */
export function drawSymbol(symbology: PassSymbology, bytes: Uint8Array): Promise<DrawnCode | null> {
  const given = { text: Buffer.from(bytes).toString('latin1'), binarytext: true };
  if (symbology === 'qrcode') return draw({ bcid: 'qrcode', ...given, ...qrShape(bytes.byteLength) });
  return draw({ bcid: symbology, ...given, scale: BAR_SCALE, ...quietZone(10), ...SHAPES[symbology] });
}

const SHAPES: Record<Exclude<PassSymbology, 'qrcode'>, Partial<DrawingOptions>> = {
  pdf417: { columns: 6 },
  azteccode: {},
  code128: { height: 18 },
};

/** Wide bars, as a strip is wide; the strip is white above and below them. */
const barsOf = (bcid: string, quiet: number): DrawingOptions => ({
  bcid,
  text: '',
  height: 12,
  paddingwidth: quiet,
  paddingheight: 2,
});

/** Symbologies that wallets do not draw, by our names; each is drawn as it was, in modules of a pixel. */
const AGAIN: Readonly<Record<string, DrawingOptions>> = {
  EAN13: barsOf('ean13', 11),
  EAN8: barsOf('ean8', 11),
  UPCA: barsOf('upca', 11),
  Code39: barsOf('code39', 10),
  Code93: { ...barsOf('code93', 10), includecheck: true },
  ITF: barsOf('interleaved2of5', 10),
  Codabar: barsOf('rationalizedCodabar', 10),
  DataBarExpanded: { bcid: 'databarexpandedstacked', text: '', segments: 6, ...quietZone(4) },
  DataMatrix: { bcid: 'datamatrix', text: '', ...quietZone(2) },
  MicroQRCode: { bcid: 'microqrcode', text: '', ...quietZone(2) },
};

/** Draws a symbol again that has been read; null where its symbology is not among these, as `drawCode` otherwise. */
export async function drawAgain(format: string, text: string): Promise<DrawnCode | null> {
  const options = AGAIN[format];
  return options ? draw({ ...options, text, scale: 1 }) : null;
}

async function draw(options: DrawingOptions | null): Promise<DrawnCode | null> {
  if (options === null) return null;
  try {
    const bytes = await toBuffer({ ...options, backgroundcolor: 'FFFFFF' });
    return { bytes, contentType: 'image/png' };
  } catch {
    return null;
  }
}

function qrcode(code: string): DrawingOptions | null {
  if (code.length === 0 || !isQrText(code)) return null;
  return { bcid: 'qrcode', text: code, ...qrShape(Buffer.byteLength(code)) };
}

function qrShape(bytes: number): Partial<DrawingOptions> {
  return { eclevel: 'M', scale: bytes < LONG_QR_BYTES ? QR_SCALE : LONG_QR_SCALE, ...quietZone(4) };
}

function barcode(code: string): DrawingOptions | null {
  if (isGs1Coupon(code)) {
    return {
      bcid: 'databarexpandedstacked',
      text: code,
      segments: 6,
      scale: BAR_SCALE,
      ...quietZone(4),
    };
  }
  const retail = retailFormat(code);
  if (retail) return { bcid: retail, text: code, scale: BAR_SCALE, height: 18, ...quietZone(11) };
  if (!isBarcodeText(code)) return null;
  return { bcid: 'code128', text: code, scale: BAR_SCALE, height: 18, ...quietZone(10) };
}

/** The retail symbology for a number with a correct check digit; null for any other text. */
function retailFormat(code: string): 'ean8' | 'upca' | 'ean13' | null {
  if (!/^(\d{8}|\d{12}|\d{13})$/.test(code) || !hasGtinCheckDigit(code)) return null;
  return code.length === 8 ? 'ean8' : code.length === 12 ? 'upca' : 'ean13';
}

/** The width of the quiet zone, in modules. */
function quietZone(modules: number): Pick<RenderOptions, 'paddingwidth' | 'paddingheight'> {
  return { paddingwidth: modules, paddingheight: modules };
}
