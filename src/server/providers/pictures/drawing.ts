import { type RenderOptions, toBuffer } from 'bwip-js/node';
import type { ImageKind } from '#contract/images.ts';
import type { DrawnCode } from './pictures.ts';

/** Pixels a module: a phone's screen shows it, a scanner at arm's length reads it. */
const QR_SCALE = 8;
const BAR_SCALE = 3;

/** From this many bytes a QR code has so many modules that fewer pixels must do. */
const LONG_QR_BYTES = 300;
const LONG_QR_SCALE = 4;

/** bwip-js declares what all symbologies share; these are options of one each. */
type DrawingOptions = RenderOptions & { readonly eclevel?: 'M'; readonly segments?: number };

/** The longest text of a linear code that a scanner still takes in at one stroke. */
const MAX_BARCODE_CHARS = 48;

/** GS1's coupon codes, North American (8110) and of positive offer files (8112): digits after the identifier. */
const GS1_COUPON = /^\(811[02]\)\d{1,70}$/;

/**
 * Draws a code in black on white, its quiet zone around it, without the text under it.
 * @returns null where there is no such drawing: the text is too long or has signs that the symbology lacks
 */
export async function drawCode(kind: ImageKind, code: string): Promise<DrawnCode | null> {
  const options = kind === 'qrcode' ? qrcode(code) : barcode(code);
  if (options === null) return null;
  try {
    const bytes = await toBuffer({ ...options, backgroundcolor: 'FFFFFF' });
    return { bytes, contentType: 'image/png' };
  } catch {
    return null;
  }
}

function qrcode(code: string): DrawingOptions | null {
  if (code.length === 0) return null;
  const scale = Buffer.byteLength(code) < LONG_QR_BYTES ? QR_SCALE : LONG_QR_SCALE;
  return { bcid: 'qrcode', text: code, eclevel: 'M', scale, ...quiet(4) };
}

function barcode(code: string): DrawingOptions | null {
  if (GS1_COUPON.test(code)) {
    return {
      bcid: 'databarexpandedstacked',
      text: code,
      segments: 6,
      scale: BAR_SCALE,
      ...quiet(4),
    };
  }
  const retail = retailFormat(code);
  if (retail) return { bcid: retail, text: code, scale: BAR_SCALE, height: 18, ...quiet(11) };
  // The signs of Code 128: more than these would need switches that few scanners take.
  if (!/^[\x20-\x7e]+$/.test(code) || code.length > MAX_BARCODE_CHARS) return null;
  return { bcid: 'code128', text: code, scale: BAR_SCALE, height: 18, ...quiet(10) };
}

/** The shop's symbology of a number with its right check digit; null for any other text. */
function retailFormat(code: string): 'ean8' | 'upca' | 'ean13' | null {
  if (!/^(\d{8}|\d{12}|\d{13})$/.test(code) || !hasCheckDigit(code)) return null;
  return code.length === 8 ? 'ean8' : code.length === 12 ? 'upca' : 'ean13';
}

/** GS1's check digit: weights 3 and 1 in turn, from the right. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/** The quiet zone, in modules. */
function quiet(modules: number): Pick<RenderOptions, 'paddingwidth' | 'paddingheight'> {
  return { paddingwidth: modules, paddingheight: modules };
}
