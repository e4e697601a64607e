import type { Metadata, Sharp } from 'sharp';
import type { FoundCode } from '#contract/coupons/images.ts';
import { coverCodes } from './covering.ts';
import { findCodes } from './decoding.ts';
import type { Page } from './documents.ts';
import type { GreyPicture } from './found-codes.ts';
import { PictureRefusal, type ReadPicture } from './pictures.ts';
import { greyOf, type Pixels } from './pixels.ts';
import { sharp } from './sharp.ts';

/** Pixels of one decoded picture: cameras take smaller ones, and our machines can decode them. */
const MAX_PIXELS = 50e6;

/** Bytes that a decoder may hold when it cannot decode line by line. */
const MAX_WHOLE_BYTES = 200e6;

/** The longer side of a stored picture. */
const MAX_SIDE_PX = 2000;

/** How many pages without such a code, but with a picture, are searched like photographs. */
const SEARCHED_PAGES = 2;

/** A picture up to this size is stored without loss whatever it shows: it costs little, and each pixel counts. */
const SMALL_PIXELS = 60_000;

/** With this share of pixels that equal their left neighbour, a picture counts as drawn, not photographed. */
const FLAT_SHARE = 0.6;

/** PNG takes a quarter of the time of WebP without loss; grey ones are smaller, coloured ones half as large again. */
const PNG_LEVEL = 4;

/** The first bytes of each allowed format, checked before a decoder gets the file. */
const SIGNATURES: readonly { readonly format: string; readonly at: number; readonly bytes: string }[] = [
  { format: 'jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { format: 'png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { format: 'gif', at: 0, bytes: 'GIF8' },
  { format: 'webp', at: 8, bytes: 'WEBP' },
  { format: 'heif', at: 4, bytes: 'ftypavif' },
  { format: 'heif', at: 4, bytes: 'ftypmif1' },
  { format: 'heif', at: 4, bytes: 'ftypheic' },
  { format: 'heif', at: 4, bytes: 'ftypheix' },
];

/**
 * Decodes a file, rotates it upright and puts it on white, finds the codes in it, and encodes the pixels again. Of a PDF,
 * this is the first page with a code, unless one is asked for; of a wallet pass, a drawing of its barcode.
 * @param page of a PDF, or a pass of a bundle, from 1
 * @throws PictureRefusal
 */
export async function readPicture(file: Uint8Array, page?: number): Promise<ReadPicture> {
  const start = Buffer.from(file.subarray(0, 5)).toString('latin1');
  if (start === '%PDF-') return page === undefined ? readDocument(file) : readPage(file, page);
  if (start.startsWith('PK\x03\x04')) {
    const { readPass } = await import('./passes.ts');
    const { drawing, facts, count } = await readPass(file, page);
    const read = await readPixels(await decodePicture(drawing));
    return { ...read, facts, ...(page !== undefined && { pages: count }) };
  }
  return readPixels(await decodePicture(file));
}

/**
 * Decodes a picture, paints over the codes in it, and encodes the pixels again. `codes` is empty.
 * @throws PictureRefusal
 */
export async function coverPicture(file: Uint8Array): Promise<ReadPicture> {
  const pixels = await decodePicture(file);
  if (!(await coverCodes(pixels))) throw new PictureRefusal('shows_code');
  return encode(pixels, await greyOf(pixels), []);
}

/**
 * The first page on which a code is seen at once, as one that is drawn is. Else the first pages with a picture are
 * searched thoroughly: they may be scans. A document without a code is kept as its first page.
 */
async function readDocument(file: Uint8Array): Promise<ReadPicture> {
  const { renderPages } = await import('./documents.ts');
  const scans: { readonly pixels: Pixels; readonly grey: GreyPicture }[] = [];
  let first: { readonly pixels: Pixels; readonly grey: GreyPicture } | undefined;
  for await (const page of renderPages(file, MAX_SIDE_PX)) {
    const { hasPicture } = page;
    const pixels = await pixelsOf(page);
    const grey = await greyOf(pixels);
    const codes = await findCodes(grey, { isGlance: true });
    if (codes.length > 0) return encode(pixels, grey, codes);
    if (hasPicture && scans.length < SEARCHED_PAGES) scans.push({ pixels, grey });
    first ??= { pixels, grey };
  }
  for (const { pixels, grey } of scans) {
    const codes = await findCodes(grey);
    if (codes.length > 0) return encode(pixels, grey, codes);
  }
  if (!first) throw new PictureRefusal('broken');
  return encode(first.pixels, first.grey, []);
}

/** One page of a document, with a code or without, searched like a photograph. */
async function readPage(file: Uint8Array, number: number): Promise<ReadPicture> {
  const { renderPages } = await import('./documents.ts');
  for await (const page of renderPages(file, MAX_SIDE_PX, number))
    return { ...(await readPixels(await pixelsOf(page))), pages: page.count };
  throw new PictureRefusal('no_such_page');
}

async function pixelsOf({ data, width, height }: Page): Promise<Pixels> {
  const page = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
  return { data: await page.raw().toBuffer(), width, height, channels: 3 };
}

async function readPixels(pixels: Pixels): Promise<ReadPicture> {
  const grey = await greyOf(pixels);
  return encode(pixels, grey, await findCodes(grey));
}

async function encode(pixels: Pixels, grey: GreyPicture, codes: readonly FoundCode[]): Promise<ReadPicture> {
  const { width, height, data, channels } = pixels;
  // Lossless where that is small, so that the edges of a code stay sharp; else like a photograph.
  const isLossless = width * height <= SMALL_PIXELS || isFlat(data, channels);
  const isGrey = isLossless && hasNoColour(data, channels);
  const image = isGrey
    ? sharp(grey.data, { raw: { width, height, channels: 1 } }).toColourspace('b-w')
    : sharp(data, { raw: { width, height, channels } });
  const bytes = await (isLossless
    ? image.png({ compressionLevel: PNG_LEVEL })
    : image.webp({ quality: 90, effort: 0 })
  ).toBuffer();
  return {
    bytes,
    contentType: isLossless ? 'image/png' : 'image/webp',
    width,
    height,
    codes,
    facts: null,
  };
}

/**
 * The pixels of a file in sRGB: upright, on white, its longer side MAX_SIDE_PX at most.
 * @throws PictureRefusal
 */
export async function decodePicture(file: Uint8Array): Promise<Pixels> {
  const format = formatOf(file);
  if (format === null) throw new PictureRefusal('not_an_image');
  const source = sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const metadata = await source.metadata().catch(refuse);
  checkMetadata(metadata, format);
  const decoded = await (metadata.compression === 'hevc' ? await openHeic(file) : source)
    .autoOrient()
    .flatten({ background: '#fff' })
    .resize(MAX_SIDE_PX, MAX_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(refuse);
  const { width, height, channels } = decoded.info;
  return { data: decoded.data, width, height, channels };
}

/** HEIC: sharp ships without a decoder for it. */
async function openHeic(file: Uint8Array): Promise<Sharp> {
  const { decodeHeic } = await import('./heic.ts');
  const { data, ...size } = decodeHeic(file, MAX_PIXELS);
  return sharp(data, { raw: { ...size, channels: 4 } });
}

function formatOf(file: Uint8Array): string | null {
  const head = Buffer.from(file.subarray(0, 16)).toString('latin1');
  return SIGNATURES.find(({ at, bytes }) => head.startsWith(bytes, at))?.format ?? null;
}

function checkMetadata(metadata: Metadata, expected: string): void {
  if (metadata.format !== expected) throw new PictureRefusal('not_an_image');
  const pixels = metadata.width * metadata.height;
  const needsWholeImage =
    metadata.isProgressive || metadata.format === 'heif' || (metadata.orientation ?? 1) > 1;
  const bytes = pixels * metadata.channels * (metadata.depth === 'uchar' ? 1 : 2);
  if (pixels > MAX_PIXELS || (needsWholeImage && bytes > MAX_WHOLE_BYTES))
    throw new PictureRefusal('too_many_pixels');
}

function isFlat(pixels: Buffer, channels: number): boolean {
  let same = 0;
  for (let at = channels; at < pixels.length; at += channels) {
    if (pixels[at] === pixels[at - channels] && pixels[at + 1] === pixels[at + 1 - channels]) same += 1;
  }
  return (same * channels) / pixels.length >= FLAT_SHARE;
}

function hasNoColour(pixels: Buffer, channels: number): boolean {
  for (let at = 0; channels >= 3 && at < pixels.length; at += channels)
    if (pixels[at] !== pixels[at + 1] || pixels[at] !== pixels[at + 2]) return false;
  return true;
}

function refuse(error: unknown): never {
  const text = error instanceof Error ? error.message : '';
  if (/pixel limit/.test(text)) throw new PictureRefusal('too_many_pixels');
  throw new PictureRefusal('broken');
}
