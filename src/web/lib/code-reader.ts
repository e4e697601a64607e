import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

// From our own origin: by itself the decoder would ask a delivery network of other people's for it.
const WASM_URL = new URL('zxing-wasm/reader/zxing_reader.wasm', import.meta.url).href;

/** A code seen by the camera. */
export interface SeenCode {
  readonly text: string;
  /** Its symbology: QRCode, Code128, EAN13, … */
  readonly format: string;
}

/** Loads the decoder, about a megabyte, ahead of the first picture. */
export async function prepareCodeReader(): Promise<void> {
  await prepareZXingModule({ overrides: { locateFile: () => WASM_URL }, fireImmediately: true });
}

/** The codes in a picture, in no order; none where there is none. */
export async function readCodes(picture: ImageData): Promise<SeenCode[]> {
  const found = await readBarcodes(picture, { tryHarder: true, maxNumberOfSymbols: 4 });
  return found
    .filter(({ isValid, text }) => isValid && text.trim() !== '')
    .map(({ text, format }) => ({ text: text.trim(), format }));
}
