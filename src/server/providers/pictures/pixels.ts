import type { Box, GreyPicture } from './found-codes.ts';

/*
 * Changes of grey pixels. sharp has most of them, but hands each picture to a thread and converts its colours twice: it
 * takes three to ten times as long, which is more than a decoder needs for the result.
 */

/** Each value by itself. */
export function mapValues(picture: GreyPicture, to: (value: number) => number): GreyPicture {
  const table = Uint8Array.from(Uint8ClampedArray.from({ length: 256 }, (_, value) => to(value)));
  const { data: from } = picture;
  const data = Buffer.allocUnsafe(from.length);
  for (let at = 0; at < from.length; at += 1) data[at] = table[from[at] ?? 0] ?? 0;
  return { ...picture, data };
}

/** Stretches the values so that all but the darkest and lightest hundredth lie between black and white. */
export function normalised(picture: GreyPicture): GreyPicture {
  const counts = new Uint32Array(256);
  const { data } = picture;
  for (let at = 0; at < data.length; at += 1) counts[data[at] ?? 0] = (counts[data[at] ?? 0] ?? 0) + 1;
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

/** The side of a square in which contrast is measured, in pixels. */
const SQUARE_PX = 32;

/** The greatest contrast within any square of the picture, or any beyond a box, as a standard deviation. */
export function localContrast({ data, width, height }: GreyPicture, box?: Box): number {
  let most = 0;
  for (let top = 0; top < height; top += SQUARE_PX)
    for (let left = 0; left < width; left += SQUARE_PX) {
      const [right, bottom] = [Math.min(width, left + SQUARE_PX), Math.min(height, top + SQUARE_PX)];
      if (box && right > box.left && left < box.right && bottom > box.top && top < box.bottom) continue;
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

/** Coloured pixels, row by row: red, green and blue, and perhaps more. */
export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

/** What decoders look at. */
export function greyOf({ data, width, height, channels }: Pixels): GreyPicture {
  const grey = Buffer.allocUnsafe(width * height);
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2];
  for (let to = 0, at = 0; to < grey.length; to += 1, at += channels)
    grey[to] =
      (306 * (data[at] ?? 0) + 601 * (data[at + green] ?? 0) + 117 * (data[at + blue] ?? 0) + 512) >> 10;
  return { data: grey, width, height };
}

/** Reduces each square of `side` × `side` pixels to one, their mean. */
export function reduced({ data: from, width, height }: GreyPicture, side: number): GreyPicture {
  const size = { width: Math.floor(width / side), height: Math.floor(height / side) };
  const data = Buffer.allocUnsafe(size.width * size.height);
  const sums = new Uint32Array(size.width);
  for (let y = 0; y < size.height; y += 1) {
    sums.fill((side * side) >> 1);
    for (let row = y * side; row < (y + 1) * side; row += 1)
      for (let x = 0, at = row * width; x < size.width; x += 1) {
        let sum = 0;
        for (let column = 0; column < side; column += 1, at += 1) sum += from[at] ?? 0;
        sums[x] = (sums[x] ?? 0) + sum;
      }
    for (let x = 0, to = y * size.width; x < size.width; x += 1, to += 1)
      data[to] = (sums[x] ?? 0) / (side * side);
  }
  return { data, ...size };
}

/** Twice as wide: between each two pixels comes one that continues the curve through the four around it. */
export function widened({ data: from, width, height }: GreyPicture): GreyPicture {
  const data = new Uint8ClampedArray(from.length * 2);
  for (let y = 0; y < height; y += 1) {
    const [first, last] = [y * width, (y + 1) * width - 1];
    for (let at = first; at <= last; at += 1) {
      const [before, here] = [from[Math.max(first, at - 1)] ?? 0, from[at] ?? 0];
      const [next, after] = [from[Math.min(last, at + 1)] ?? 0, from[Math.min(last, at + 2)] ?? 0];
      data[2 * at] = here;
      data[2 * at + 1] = (9 * (here + next) - before - after + 8) >> 4;
    }
  }
  return { data: Buffer.from(data.buffer), width: width * 2, height };
}

/** Twice as high, as `widened`. */
export function heightened({ data: from, width, height }: GreyPicture): GreyPicture {
  const data = new Uint8ClampedArray(from.length * 2);
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    const before = Math.max(0, y - 1) * width;
    const [next, after] = [Math.min(height - 1, y + 1) * width, Math.min(height - 1, y + 2) * width];
    for (let x = 0; x < width; x += 1) {
      const [here, below] = [from[row + x] ?? 0, from[next + x] ?? 0];
      data[2 * row + x] = here;
      data[2 * row + width + x] =
        (9 * (here + below) - (from[before + x] ?? 0) - (from[after + x] ?? 0) + 8) >> 4;
    }
  }
  return { data: Buffer.from(data.buffer), width, height: height * 2 };
}

/** Blurred a little: each pixel counts twice, its neighbours on both sides once, across and then down. */
export function blurred({ data: from, width, height }: GreyPicture): GreyPicture {
  const rows = new Uint16Array(from.length);
  const data = Buffer.allocUnsafe(from.length);
  for (let y = 0; y < height; y += 1) {
    const [first, last] = [y * width, (y + 1) * width - 1];
    for (let at = first; at <= last; at += 1)
      rows[at] =
        (from[Math.max(first, at - 1)] ?? 0) + 2 * (from[at] ?? 0) + (from[Math.min(last, at + 1)] ?? 0);
  }
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    const [above, below] = [Math.max(0, y - 1) * width, Math.min(height - 1, y + 1) * width];
    for (let x = 0; x < width; x += 1)
      data[row + x] = ((rows[above + x] ?? 0) + 2 * (rows[row + x] ?? 0) + (rows[below + x] ?? 0) + 8) >> 4;
  }
  return { data, width, height };
}

/** Rotated clockwise about its centre, on white, in a picture that holds all of it. */
export function rotated({ data: from, width, height }: GreyPicture, degrees: number): GreyPicture {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const size = {
    width: upTo(width * Math.abs(cos) + height * Math.abs(sin)),
    height: upTo(width * Math.abs(sin) + height * Math.abs(cos)),
  };
  const data = Buffer.alloc(size.width * size.height, 255);
  for (let y = 0; y < size.height; y += 1) {
    const [right, down] = [0.5 - size.width / 2, y + 0.5 - size.height / 2];
    let u = right * cos + down * sin + width / 2 - 0.5;
    let v = down * cos - right * sin + height / 2 - 0.5;
    for (let to = y * size.width; to < (y + 1) * size.width; to += 1, u += cos, v -= sin) {
      if (u < 0 || v < 0 || u >= width - 1 || v >= height - 1) continue;
      const [left, top] = [u | 0, v | 0];
      const [x, z] = [u - left, v - top];
      const at = top * width + left;
      const upper = (from[at] ?? 0) * (1 - x) + (from[at + 1] ?? 0) * x;
      const lower = (from[at + width] ?? 0) * (1 - x) + (from[at + width + 1] ?? 0) * x;
      data[to] = upper + (lower - upper) * z;
    }
  }
  return { data, ...size };
}

/** The next whole number; the sine of 180° is not quite 0. */
function upTo(length: number): number {
  return Math.ceil(length - 1e-9);
}
