import sharp, { type Sharp } from 'sharp';
import type { FoundCode } from '#contract/images.ts';
import { believable, type GreyPicture, type Point, type Reading, rankCodes } from './found-codes.ts';
import { prepareZbar, readWithZbar } from './zbar.ts';
import { prepareZxing, readWithZxing } from './zxing.ts';

/** A longer side up to this is enlarged, one above it halved, where the picture as it is shows nothing. */
const SMALL_PX = 1000;

/** A longer side up to this is enlarged threefold too. */
const TINY_PX = 700;

/** A picture worked over so that a decoder may see more, and the way back to the points of the one before. */
interface Variant {
  readonly picture: GreyPicture;
  readonly back: (point: Point) => Point;
  /** Whether it is turned: what lay along the rows now slants across them. */
  readonly isTurned?: true;
}

/** Symbologies that parts of longer ones are taken for where the lines slant. */
const FRAGMENTS: ReadonlySet<string> = new Set(['EAN8', 'UPCE']);

type Remedy = (picture: GreyPicture) => Promise<Variant>;

/** Loads the decoders; to be awaited once. */
export async function prepareDecoders(): Promise<void> {
  await Promise.all([prepareZxing(), prepareZbar()]);
}

/**
 * The codes in a picture, the likeliest first. The picture is read as it is and then, as long as nothing is
 * found, in negative, sharpened at other sizes, with its contrast stretched and turned (linear codes are read
 * along rows and columns). What may be a misreading is told only where nothing better is found
 * and two looks agree on it.
 * @param untilMs when to stop trying, on the clock of `performance.now()`
 */
export async function findCodes(picture: GreyPicture, untilMs: number): Promise<FoundCode[]> {
  const doubtful: Reading[][] = [];
  for (const remedy of remediesFor(picture)) {
    const variant = await remedy(picture);
    for (const decode of [readWithZxing, readWithZbar]) {
      if (performance.now() > untilMs) return rankCodes(seenTwice(doubtful), picture);
      const readings = (await decode(variant.picture))
        .filter(({ format }) => !(variant.isTurned && FRAGMENTS.has(format)))
        .flatMap((reading) => believable(reading) ?? [])
        .map((reading) => moved(reading, variant.back));
      const sure = readings.filter((reading) => !reading.isDoubtful);
      if (sure.length > 0) return rankCodes(sure, picture);
      doubtful.push(readings);
    }
  }
  return rankCodes(seenTwice(doubtful), picture);
}

/** Of what single looks found those codes that another look found as well. */
function seenTwice(looks: readonly (readonly Reading[])[]): Reading[] {
  const has = (look: readonly Reading[], { format, text }: Reading) =>
    look.some((other) => other.format === format && other.text === text);
  return looks.flat().filter((reading) => looks.filter((look) => has(look, reading)).length > 1);
}

function remediesFor({ width, height }: GreyPicture): Remedy[] {
  const longer = Math.max(width, height);
  if (longer > SMALL_PX) {
    // What costs time is done on a quarter of the pixels: a code in a large picture is seldom of fine lines.
    return [asItIs, sharpened(0.5, 1.5), turned(45, 0.5), negative(0.5), sharpened(1, 2)].concat(
      turned(22.5, 0.5),
      turned(67.5, 0.5),
    );
  }
  return [asItIs, turned(45, 1), sharpened(2, 1.5), negative(1)].concat(
    longer > TINY_PX ? [] : sharpened(3, 4),
    [stretched, sharpened(2, 8), turned(22.5, 1), turned(67.5, 1)],
  );
}

async function asItIs(picture: GreyPicture): Promise<Variant> {
  return { picture, back: (point) => point };
}

/** White for black: ZXing turns only matrix codes over by itself. */
function negative(factor: number): Remedy {
  return (picture) => resized(picture, factor, (image) => image.negate());
}

/** Made larger or smaller, then sharpened: edges that a blur has widened become lines again. */
function sharpened(factor: number, sigma: number): Remedy {
  const strength = { sigma, m1: 3, m2: 3, x1: 1, y2: 255, y3: 255 };
  return (picture) => resized(picture, factor, (image) => image.sharpen(strength));
}

/** Each part of the picture stretched to the whole range from black to white. */
function stretched(picture: GreyPicture): Promise<Variant> {
  const tile = { width: Math.min(64, picture.width), height: Math.min(64, picture.height) };
  return resized(picture, 1, (image) => image.median(3).clahe({ ...tile, maxSlope: 6 }));
}

/** Turned about its centre, so that what stood askew lies along the rows. */
function turned(degrees: number, factor: number): Remedy {
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

/** Scaled and then worked over; in two steps, since sharp has an order of its own. */
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

function moved(reading: Reading, back: (point: Point) => Point): Reading {
  const [a, b, c, d] = reading.position;
  return { ...reading, position: [back(a), back(b), back(c), back(d)] };
}
