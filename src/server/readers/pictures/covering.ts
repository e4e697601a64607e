import { findCodes } from './decoding.ts';
import { boxAround } from './found-codes.ts';
import { greyOf, type Pixels } from './pixels.ts';

/** How often a picture is searched: a code may hide another one. */
const SEARCHES = 4;

/** How far around a code is covered, relative to its length: the digits stand below a barcode. */
const MARGIN = 0.15;

/** The least height of the cover, relative to its length: of a barcode, decoders see one line only. */
const LEAST_SIDE = 0.8;

const GREY = 0x77;

/**
 * Paints over every code that can be read in a picture.
 * @returns false if codes are left
 */
export async function coverCodes(pixels: Pixels): Promise<boolean> {
  for (let search = 0; search < SEARCHES; search += 1) {
    const codes = await findCodes(await greyOf(pixels));
    if (codes.length === 0) return true;
    for (const { position } of codes) cover(pixels, boxAround(position));
  }
  return false;
}

function cover({ data, width, height, channels }: Pixels, box: ReturnType<typeof boxAround>): void {
  const length = Math.max(box.right - box.left, box.bottom - box.top);
  const [left, right] = grown(box.left, box.right, length, width);
  const [top, bottom] = grown(box.top, box.bottom, length, height);
  for (let y = top; y < bottom; y += 1)
    data.fill(GREY, (y * width + left) * channels, (y * width + right) * channels);
}

/** One side of the cover, within the picture. */
function grown(from: number, to: number, length: number, limit: number): [number, number] {
  const half = Math.max(to - from, length * LEAST_SIDE) / 2 + length * MARGIN;
  const middle = (from + to) / 2;
  return [Math.max(0, Math.floor(middle - half)), Math.min(limit, Math.ceil(middle + half))];
}
