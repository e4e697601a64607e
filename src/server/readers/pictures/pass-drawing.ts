import { type FoundCode, kindOfFormat } from '#contract/coupons/images.ts';
import siteIcon from '../../../web/public/favicon.svg?raw';
import { inSquare } from './app-icons.ts';
import { findCodes } from './decoding.ts';
import { drawAgain } from './drawing.ts';
import { boxAround } from './found-codes.ts';
import type { PassPictures, PicturedCode } from './pictures.ts';
import { greyOf } from './pixels.ts';
import { decodePicture } from './reading.ts';
import { sharp } from './sharp.ts';

/** In points, as Apple asks for; screens have one, two or three pixels a point. */
const [ICON, LOGO] = [29, 50];
const SCREENS = [1, 2, 3];

/** 375 × 144 points with three pixels each. */
const [STRIP_WIDTH, STRIP_HEIGHT] = [1125, 432];
/** Wallets may round the corners. */
const STRIP_MARGIN = 24;

/** What is kept around a symbol that is cut out, in parts of its length: its quiet zone. */
const QUIET_PART = 0.12;
/** Of a linear symbol decoders report a line: so much is kept above and below it. */
const BARS_PART = 0.2;

/** The part of the square that the icon takes. */
const MARK_PART = 0.75;
const GROUND = '#fff';

/**
 * Draws the icons and logos of a wallet pass, and the symbol that the wallet cannot draw.
 * @param own the market's own icon, in place of the usual one
 */
export async function drawPass(
  pictured: PicturedCode | null,
  own: Uint8Array | null = null,
): Promise<PassPictures> {
  const picture = own ?? Buffer.from(siteIcon);
  const marks = (points: number) => Promise.all(SCREENS.map((pixels) => drawMark(picture, points * pixels)));
  return {
    icons: await marks(ICON),
    logos: await marks(LOGO),
    strip: pictured && (await drawStrip(pictured)),
  };
}

async function drawMark(picture: Uint8Array, size: number): Promise<Buffer> {
  const width = Math.round(size * MARK_PART);
  const mark = await inSquare(picture, width);
  const square = { width: size, height: size, channels: 3 as const, background: GROUND };
  return sharp({ create: square })
    .composite([{ input: mark }])
    .png()
    .toBuffer();
}

/** The symbol drawn again, or else cut out of its picture. Each is read again, and does not count if it says anything else. */
async function drawStrip({ file, code }: PicturedCode): Promise<Buffer | null> {
  const drawn = code.isText ? await drawAgain(code.format, code.text) : null;
  const strip = drawn && (await onStrip(drawn.bytes, 'whole'));
  if (strip && (await shows(strip, code))) return strip;
  const cut = await onStrip(await cutOut(file, code), 'any');
  return (await shows(cut, code)) ? cut : null;
}

/** @param by `whole`: each pixel becomes a square of pixels, so that edges stay sharp */
async function onStrip(picture: Buffer, by: 'whole' | 'any'): Promise<Buffer> {
  const { width = 1, height = 1 } = await sharp(picture).metadata();
  const fit = Math.min((STRIP_WIDTH - 2 * STRIP_MARGIN) / width, (STRIP_HEIGHT - 2 * STRIP_MARGIN) / height);
  const factor = by === 'whole' && fit > 1 ? Math.floor(fit) : fit;
  const sized = await sharp(picture)
    .resize(Math.floor(width * factor), Math.floor(height * factor), {
      fit: 'fill',
      kernel: by === 'whole' ? 'nearest' : 'lanczos3',
    })
    .toBuffer();
  return sharp({
    create: { width: STRIP_WIDTH, height: STRIP_HEIGHT, channels: 3, background: '#fff' },
  })
    .composite([{ input: sized }])
    .png()
    .toBuffer();
}

/** The part of a picture with a symbol; one that stands upright lies down, since the strip is wide. */
async function cutOut(file: Uint8Array, { position, format }: FoundCode): Promise<Buffer> {
  const { width = 1, height = 1 } = await sharp(file).metadata();
  const box = boxAround(position);
  const length = Math.max(box.right - box.left, box.bottom - box.top);
  const isLinear = kindOfFormat(format) === 'barcode';
  const isUpright = isLinear && box.bottom - box.top > box.right - box.left;
  const quiet = Math.ceil(length * QUIET_PART);
  const bars = isLinear ? Math.ceil(length * BARS_PART) : quiet;
  const [beside, above] = isUpright ? [bars, quiet] : [quiet, bars];
  const left = Math.max(0, box.left - beside);
  const top = Math.max(0, box.top - above);
  return sharp(file)
    .extract({
      left,
      top,
      width: Math.min(width, box.right + beside + 1) - left,
      height: Math.min(height, box.bottom + above + 1) - top,
    })
    .rotate(isUpright ? 90 : 0)
    .png()
    .toBuffer();
}

async function shows(picture: Buffer, { format, text, isText }: FoundCode): Promise<boolean> {
  const [only, another] = await findCodes(await greyOf(await decodePicture(picture)));
  return !another && only?.format === format && only.text === text && only.isText === isText;
}
