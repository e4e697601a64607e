import sharp, { type Metadata } from 'sharp';
import { findCodes } from './decoding.ts';
import { PictureRefusal, type ReadPicture } from './pictures.ts';

/** Of one picture, decoded: above it no camera's picture lies, below it no machine of ours is hurt. */
const MAX_PIXELS = 50e6;

/** What a decoder may hold at once where it cannot go line by line, in bytes. */
const MAX_WHOLE_BYTES = 200e6;

/** The longer side of what is stored. */
const MAX_SIDE_PX = 2000;

/** Up to so many pixels a picture is kept without loss whatever it shows: in a small one every pixel counts. */
const SMALL_PIXELS = 500_000;

/** From this share of pixels that are as their left neighbour a picture is drawn and not photographed. */
const FLAT_SHARE = 0.6;

/** For the decoding itself, in seconds: a native call does not end with its thread. */
const NATIVE_LIMIT_S = 4;

/** How a file of each allowed format begins; read before any decoder sees the file. */
const SIGNATURES: readonly { readonly format: string; readonly at: number; readonly bytes: string }[] = [
  { format: 'jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { format: 'png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { format: 'gif', at: 0, bytes: 'GIF8' },
  { format: 'webp', at: 8, bytes: 'WEBP' },
  // AVIF alone: for HEIC's decoder a patent's licence is asked, so that sharp comes without it.
  { format: 'heif', at: 4, bytes: 'ftypavif' },
  { format: 'heif', at: 4, bytes: 'ftypmif1' },
];

/**
 * Decodes a file, upright and on white, encodes its pixels anew and finds the codes in them.
 * @param searchMs after how many milliseconds, the decoding included, to look no further for codes; the picture
 *   itself is not given up for it
 * @throws PictureRefusal
 */
export async function readPicture(file: Uint8Array, searchMs: number): Promise<ReadPicture> {
  const untilMs = performance.now() + searchMs;
  const format = formatOf(file);
  if (format === null) throw new PictureRefusal('not_an_image');
  const source = sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  check(await source.metadata().catch(refuse), format);
  const decoded = await source
    .autoOrient()
    .flatten({ background: '#fff' })
    .resize(MAX_SIDE_PX, MAX_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .timeout({ seconds: NATIVE_LIMIT_S })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(refuse);
  const { width, height, channels } = decoded.info;
  // Without loss where that is small, so that the edges of a code stay crisp; as a photograph otherwise.
  const lossless = width * height <= SMALL_PIXELS || isFlat(decoded.data, channels);
  const bytes = await sharp(decoded.data, { raw: { width, height, channels } })
    .webp(lossless ? { lossless: true, effort: 1 } : { quality: 90, effort: 2 })
    .toBuffer();
  // Searched is what is kept, so that a code that was found is in the stored picture.
  const { data } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const codes = await findCodes({ data, width, height }, untilMs);
  return { bytes, contentType: 'image/webp', width, height, codes };
}

function formatOf(file: Uint8Array): string | null {
  const head = Buffer.from(file.subarray(0, 16)).toString('latin1');
  return SIGNATURES.find(({ at, bytes }) => head.startsWith(bytes, at))?.format ?? null;
}

function check(metadata: Metadata, expected: string): void {
  const isHevc = metadata.format === 'heif' && metadata.compression !== 'av1';
  if (metadata.format !== expected || isHevc) throw new PictureRefusal('not_an_image');
  const pixels = metadata.width * metadata.height;
  const inWhole = metadata.isProgressive || metadata.format === 'heif' || (metadata.orientation ?? 1) > 1;
  const bytes = pixels * metadata.channels * (metadata.depth === 'uchar' ? 1 : 2);
  if (pixels > MAX_PIXELS || (inWhole && bytes > MAX_WHOLE_BYTES))
    throw new PictureRefusal('too_many_pixels');
}

function isFlat(pixels: Buffer, channels: number): boolean {
  let same = 0;
  for (let at = channels; at < pixels.length; at += channels) {
    if (pixels[at] === pixels[at - channels] && pixels[at + 1] === pixels[at + 1 - channels]) same += 1;
  }
  return (same * channels) / pixels.length >= FLAT_SHARE;
}

function refuse(error: unknown): never {
  const text = error instanceof Error ? error.message : '';
  if (/pixel limit/.test(text)) throw new PictureRefusal('too_many_pixels');
  if (/^timeout/.test(text)) throw new PictureRefusal('too_slow');
  throw new PictureRefusal('broken');
}
