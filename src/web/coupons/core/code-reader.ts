import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

// From our own origin: by default the decoder loads it from a public CDN.
const WASM_URL = new URL('zxing-wasm/reader/zxing_reader.wasm', import.meta.url).href;

/** A code seen by the camera. */
export interface SeenCode {
  readonly text: string;
  /** Its symbology: QRCode, Code128, EAN13, … */
  readonly format: string;
}

/** Loads the decoder (about 1 MB) before the first picture. */
export async function prepareCodeReader(): Promise<void> {
  await prepareZXingModule({ overrides: { locateFile: () => WASM_URL }, fireImmediately: true });
}

/** The codes in a picture, in no order. */
export async function readCodes(picture: ImageData): Promise<SeenCode[]> {
  const found = await readBarcodes(picture, { tryHarder: true, maxNumberOfSymbols: 32 });
  return found
    .filter(({ isValid, text }) => isValid && text.trim() !== '')
    .map(({ text, format }) => ({ text: text.trim(), format }));
}
