import sharp, { type Sharp } from 'sharp';
import type { FoundCode } from '#contract/images.ts';
import { acceptReading, type GreyPicture, type Point, type Reading, rankCodes } from './found-codes.ts';
import { prepareZbar, readWithZbar } from './zbar.ts';
import { prepareZxing, readWithZxing } from './zxing.ts';

/**
 * In pixels. If nothing is found, a picture whose longer side is at most this is enlarged, and a larger one is
 * halved.
 */
const SMALL_PX = 1000;

/** In pixels. A picture whose longer side is at most this is also enlarged threefold. */
const TINY_PX = 700;

/** A transformed picture, and the function that maps its points back to the original one. */
interface Variant {
  readonly picture: GreyPicture;
  readonly back: (point: Point) => Point;
  /** Whether it is rotated: horizontal lines of the original are slanted here. */
  readonly isTurned?: true;
}

/** Symbologies that a decoder mistakes parts of longer ones for when the lines are slanted. */
const FRAGMENTS: ReadonlySet<string> = new Set(['EAN8', 'UPCE']);

type Transform = (picture: GreyPicture) => Promise<Variant>;

/** Loads the decoders; await it once before the first search. */
export async function prepareDecoders(): Promise<void> {
  await Promise.all([prepareZxing(), prepareZbar()]);
}

/**
 * The codes in a picture, the likeliest first. Reads the picture unchanged; while nothing is found, also negated,
 * sharpened at other sizes, with stretched contrast, and rotated (linear codes are only read along rows and
 * columns). A reading that may be wrong counts only if there is no better one and two attempts agree on it.
 * @param untilMs when to stop trying, on the clock of `performance.now()`; without it all is tried
 */
export async function findCodes(
  picture: GreyPicture,
  untilMs = Number.POSITIVE_INFINITY,
): Promise<FoundCode[]> {
  // No code is so small, and the median filter needs more.
  if (Math.min(picture.width, picture.height) < 3) return [];
  const doubtful: Reading[][] = [];
  for (const transform of transformsFor(picture)) {
    const variant = await transform(picture);
    for (const decode of [readWithZxing, readWithZbar]) {
      if (performance.now() > untilMs) return rankCodes(seenTwice(doubtful), picture);
      const readings = (await decode(variant.picture))
        .filter(({ format }) => !(variant.isTurned && FRAGMENTS.has(format)))
        .flatMap((reading) => acceptReading(reading) ?? [])
        .map((reading) => mapBack(reading, variant.back));
      const sure = readings.filter((reading) => !reading.isDoubtful);
      if (sure.length > 0) return rankCodes(sure, picture);
      doubtful.push(readings);
    }
  }
  return rankCodes(seenTwice(doubtful), picture);
}

/** The codes that at least two attempts found. */
function seenTwice(looks: readonly (readonly Reading[])[]): Reading[] {
  const has = (look: readonly Reading[], { format, text }: Reading) =>
    look.some((other) => other.format === format && other.text === text);
  return looks.flat().filter((reading) => looks.filter((look) => has(look, reading)).length > 1);
}

function transformsFor({ width, height }: GreyPicture): Transform[] {
  const longer = Math.max(width, height);
  if (longer > SMALL_PX) {
    // The slow steps use a quarter of the pixels: a code in a large picture seldom has fine lines.
    return [unchanged, sharpened(0.5, 1.5), turned(45, 0.5), negative(0.5), sharpened(1, 2)].concat(
      turned(22.5, 0.5),
      turned(67.5, 0.5),
    );
  }
  return [unchanged, turned(45, 1), sharpened(2, 1.5), negative(1)].concat(
    longer > TINY_PX ? [] : sharpened(3, 4),
    [stretched, sharpened(2, 8), turned(22.5, 1), turned(67.5, 1)],
  );
}

async function unchanged(picture: GreyPicture): Promise<Variant> {
  return { picture, back: (point) => point };
}

/** Swaps black and white: ZXing itself only does so for matrix codes. */
function negative(factor: number): Transform {
  return (picture) => resized(picture, factor, (image) => image.negate());
}

/** Resizes, then sharpens, which makes lines out of blurred edges. */
function sharpened(factor: number, sigma: number): Transform {
  const strength = { sigma, m1: 3, m2: 3, x1: 1, y2: 255, y3: 255 };
  return (picture) => resized(picture, factor, (image) => image.sharpen(strength));
}

/** Stretches the contrast of each part of the picture from black to white. */
function stretched(picture: GreyPicture): Promise<Variant> {
  const tile = { width: Math.min(64, picture.width), height: Math.min(64, picture.height) };
  return resized(picture, 1, (image) => image.median(3).clahe({ ...tile, maxSlope: 6 }));
}

/** Rotates about the centre, so that a slanted code becomes horizontal. */
function turned(degrees: number, factor: number): Transform {
  return async (picture) => {
    const upright = await resized(picture, factor, (image) => image.normalise());
    const result = await pixels(open(upright.picture).rotate(degrees, { background: '#fff' }));
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const back = ({ x, y }: Point) => {
      const [right, down] = [x - result.width / 2, y - result.height / 2];
      return upright.back({
        x: right * cos + down * sin + upright.picture.width / 2,
        y: down * cos - right * sin + upright.picture.height / 2,
      });
    };
    return { picture: result, back, isTurned: true };
  };
}

/** Resizes, then applies `work`; in two steps, because sharp orders its operations by itself. */
async function resized(
  picture: GreyPicture,
  factor: number,
  work: (image: Sharp) => Sharp,
): Promise<Variant> {
  const width = Math.max(1, Math.round(picture.width * factor));
  const scaled = factor === 1 ? picture : await pixels(open(picture).resize({ width, kernel: 'cubic' }));
  return {
    picture: await pixels(work(open(scaled))),
    back: ({ x, y }) => ({ x: x / factor, y: y / factor }),
  };
}

function open({ data, width, height }: GreyPicture): Sharp {
  return sharp(data, { raw: { width, height, channels: 1 } });
}

async function pixels(image: Sharp): Promise<GreyPicture> {
  const { data, info } = await image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function mapBack(reading: Reading, back: (point: Point) => Point): Reading {
  const [a, b, c, d] = reading.position;
  return { ...reading, position: [back(a), back(b), back(c), back(d)] };
}
