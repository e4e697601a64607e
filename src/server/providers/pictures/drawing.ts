import { type RenderOptions, toBuffer } from 'bwip-js/node';
import { type ImageKind, isBarcodeText, isGs1Coupon } from '#contract/images.ts';
import { hasGtinCheckDigit } from '#server/core/check-digits.ts';
import type { DrawnCode } from './pictures.ts';

/** Pixels a module: a phone's screen shows it, a scanner at arm's length reads it. */
const QR_SCALE = 8;
const BAR_SCALE = 3;

/** From this many bytes a QR code has so many modules that fewer pixels must do. */
const LONG_QR_BYTES = 300;
const LONG_QR_SCALE = 4;

/** bwip-js declares what all symbologies share; these are options of one each. */
type DrawingOptions = RenderOptions & { readonly eclevel?: 'M'; readonly segments?: number };

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
  if (isGs1Coupon(code)) {
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
  if (!isBarcodeText(code)) return null;
  return { bcid: 'code128', text: code, scale: BAR_SCALE, height: 18, ...quiet(10) };
}

/** The shop's symbology of a number with its right check digit; null for any other text. */
function retailFormat(code: string): 'ean8' | 'upca' | 'ean13' | null {
  if (!/^(\d{8}|\d{12}|\d{13})$/.test(code) || !hasGtinCheckDigit(code)) return null;
  return code.length === 8 ? 'ean8' : code.length === 12 ? 'upca' : 'ean13';
}

/** The quiet zone, in modules. */
function quiet(modules: number): Pick<RenderOptions, 'paddingwidth' | 'paddingheight'> {
  return { paddingwidth: modules, paddingheight: modules };
}
