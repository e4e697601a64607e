import type { GreyPicture } from './found-codes.ts';

/*
 * Changes of grey pixels. sharp has most of them, but converts to LAB colours and back for each: sharpening a picture
 * of 2 million pixels takes it 60 ms instead of 10.
 */

/** Each value by itself. */
export function mapValues(picture: GreyPicture, to: (value: number) => number): GreyPicture {
  const table = Uint8ClampedArray.from({ length: 256 }, (_, value) => to(value));
  const { data: from } = picture;
  const data = Buffer.allocUnsafe(from.length);
  for (let at = 0; at < from.length; at += 1) data[at] = table[from[at] ?? 0] ?? 0;
  return { ...picture, data };
}

/** Stretches the values so that all but the darkest and lightest hundredth lie between black and white. */
export function normalised(picture: GreyPicture): GreyPicture {
  const counts = new Uint32Array(256);
  for (const value of picture.data) counts[value] = (counts[value] ?? 0) + 1;
  const rare = picture.data.length / 100;
  const [low, high] = [firstBeyond(counts, rare), 255 - firstBeyond(counts.toReversed(), rare)];
  return high > low ? mapValues(picture, (value) => ((value - low) * 255) / (high - low)) : picture;
}

function firstBeyond(counts: Uint32Array, rare: number): number {
  let sum = 0;
  return counts.findIndex((count) => {
    sum += count;
    return sum > rare;
  });
}

/** Adds `strength` times what sets each pixel apart from a blurred picture, which makes lines out of blurred edges. */
export function sharpened(picture: GreyPicture, blurred: GreyPicture, strength: number): GreyPicture {
  const [from, soft] = [picture.data, blurred.data];
  const data = new Uint8ClampedArray(from.length);
  for (let at = 0; at < from.length; at += 1) {
    const value = from[at] ?? 0;
    data[at] = value + strength * (value - (soft[at] ?? 0));
  }
  return { ...picture, data: Buffer.from(data.buffer) };
}

/** The side of a tile in pixels, and how many times contrast may grow. */
const TILE_PX = 64;
const MAX_SLOPE = 6;

/** Stretches the contrast of each part of the picture (CLAHE): tables of tiles, and between their centres their mean. */
export function equalised(picture: GreyPicture): GreyPicture {
  const { data: from, width, height } = picture;
  const columns = Math.max(1, Math.round(width / TILE_PX));
  const rows = Math.max(1, Math.round(height / TILE_PX));
  const tables = Array.from({ length: columns * rows }, (_, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const [left, right] = [(column * width) / columns, ((column + 1) * width) / columns].map(Math.floor);
    const [top, bottom] = [(row * height) / rows, ((row + 1) * height) / rows].map(Math.floor);
    return tableOf(picture, left ?? 0, right ?? width, top ?? 0, bottom ?? height);
  });
  const data = Buffer.allocUnsafe(from.length);
  const across = Array.from({ length: width }, (_, x) => between(x, width, columns));
  for (let y = 0; y < height; y += 1) {
    const [up, down, toDown] = between(y, height, rows);
    for (let x = 0; x < width; x += 1) {
      const [left, right, toRight] = across[x] ?? [0, 0, 0];
      const value = from[y * width + x] ?? 0;
      const upper = mixed(tables[up * columns + left], tables[up * columns + right], value, toRight);
      const lower = mixed(tables[down * columns + left], tables[down * columns + right], value, toRight);
      data[y * width + x] = upper + (lower - upper) * toDown;
    }
  }
  return { ...picture, data };
}

/** The tiles on both sides of a place, and how near it is to the second. */
function between(place: number, length: number, tiles: number): [one: number, other: number, share: number] {
  const at = Math.min(tiles - 1, Math.max(0, ((place + 0.5) * tiles) / length - 0.5));
  const one = Math.floor(at);
  return [one, Math.min(tiles - 1, one + 1), at - one];
}

function mixed(one: Uint8Array | undefined, other: Uint8Array | undefined, value: number, share: number) {
  const first = one?.[value] ?? 0;
  return first + ((other?.[value] ?? 0) - first) * share;
}

/** What each value becomes in a tile, so that all are about as frequent, within MAX_SLOPE. */
function tableOf(
  { data, width }: GreyPicture,
  left: number,
  right: number,
  top: number,
  bottom: number,
): Uint8Array {
  const counts = new Uint32Array(256);
  for (let y = top; y < bottom; y += 1)
    for (let at = y * width + left; at < y * width + right; at += 1) {
      const value = data[at] ?? 0;
      counts[value] = (counts[value] ?? 0) + 1;
    }
  const pixels = (right - left) * (bottom - top);
  const most = (MAX_SLOPE * pixels) / 256;
  let cut = 0;
  for (const count of counts) cut += Math.max(0, count - most);
  const table = new Uint8Array(256);
  let sum = 0;
  for (let value = 0; value < 256; value += 1) {
    sum += Math.min(counts[value] ?? 0, most) + cut / 256;
    table[value] = (sum * 255) / pixels;
  }
  return table;
}

/** Of the values that differ most within a square: how far they are from its mean, as a standard deviation. */
const SQUARE_PX = 32;

/**
 * The greatest contrast within any square of the picture, as a standard deviation.
 */
export function localContrast({ data, width, height }: GreyPicture): number {
  let most = 0;
  for (let top = 0; top < height; top += SQUARE_PX)
    for (let left = 0; left < width; left += SQUARE_PX) {
      const [right, bottom] = [Math.min(width, left + SQUARE_PX), Math.min(height, top + SQUARE_PX)];
      let [sum, squares] = [0, 0];
      for (let y = top; y < bottom; y += 1)
        for (let at = y * width + left; at < y * width + right; at += 1) {
          const value = data[at] ?? 0;
          sum += value;
          squares += value * value;
        }
      const pixels = (right - left) * (bottom - top);
      most = Math.max(most, squares / pixels - (sum / pixels) ** 2);
    }
  return Math.sqrt(most);
}
