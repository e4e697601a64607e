import sharp, { type Sharp } from 'sharp';
import type { FoundCode } from '#contract/images.ts';
import {
  acceptReading,
  ERROR_PRONE_FORMATS,
  type GreyPicture,
  lengthOf,
  type Point,
  type Reading,
  rankCodes,
} from './found-codes.ts';
import { equalised, localContrast, mapValues, normalised, sharpened } from './pixels.ts';
import { prepareZbar, readWithZbar } from './zbar.ts';
import { prepareZxing, readWithZxing } from './zxing.ts';

/** In pixels. A picture whose longer side exceeds this is reduced to it before anything is tried. */
const REDUCED_PX = 1000;

/** In pixels. A picture whose longer side is at most this is also enlarged threefold. */
const TINY_PX = 350;

/** With less contrast in any part there is nothing like a code: a blank sheet has 4, a code in hardly any light 9. */
const BLANK_CONTRAST = 6;

/** In pixels. A picture with a side below this is not altered: filters and reductions need more. */
const THIN_PX = 9;

/** A transformed picture, and the function that maps its points back to the original one. */
interface Variant {
  readonly picture: GreyPicture;
  readonly back: (point: Point) => Point;
  /** Whether it is rotated: horizontal lines of the original are slanted here. */
  readonly isTurned?: true;
}

type Transform = (picture: GreyPicture) => Promise<Variant>;
type Decoder = (picture: GreyPicture) => Promise<Reading[]>;

/** One attempt: the decoders that try a transformed picture. */
interface Look {
  readonly transform: Transform;
  readonly decoders: readonly Decoder[];
}

const ZXING = [readWithZxing];
const ZBAR = [readWithZbar];
const BOTH = [readWithZxing, readWithZbar];

/** Symbologies that a decoder mistakes parts of longer ones for when the lines are slanted. */
const FRAGMENTS: ReadonlySet<string> = new Set(['EAN8', 'UPCE']);

/** Retail symbologies. One weak digit checks them: nearly all wrong readings of photographs are theirs. */
const RETAIL_FORMATS: ReadonlySet<string> = new Set(['EAN13', 'UPCA', 'EAN8', 'UPCE']);

/** Loads the decoders; await it once before the first search. */
export async function prepareDecoders(): Promise<void> {
  await Promise.all([prepareZxing(), prepareZbar()]);
}

/** How many lines must agree before a reading of an error-prone symbology is certain. */
const ERROR_PRONE_LINES = 24;

/** A code, and what speaks for it. */
interface Candidate {
  /** The longest one: decoders see some codes in part only. */
  reading: Reading;
  /** How many looks found it. */
  looks: number;
  /** How many scan lines agree on it, in all looks together. */
  lines: number;
  /** Whether ZXing found it, or ZBar in the picture as it is. */
  isTrusted: boolean;
  /** Whether ZXing found it in the picture as it is. */
  isPlain: boolean;
}

/**
 * The codes in a picture, the likeliest first. Tries one look after the other, the cheapest first, while nothing
 * certain is found. At the end, what two looks agree on counts. The number of looks depends on the picture alone, never
 * on the time that they take.
 * @param most the number of looks, if they shall be fewer
 */
export async function findCodes(picture: GreyPicture, most?: number): Promise<FoundCode[]> {
  const found = new Map<string, Candidate>();
  let index = -1;
  for await (const { transform, decoders } of looksFor(picture)) {
    index += 1;
    if (index === most) break;
    const variant = await transform(picture);
    for (const decode of decoders) {
      const seen = new Set<string>();
      for (const raw of await decode(variant.picture)) {
        const accepted = acceptReading(raw);
        if (!accepted || (variant.isTurned && FRAGMENTS.has(accepted.format))) continue;
        const reading = mapBack(accepted, variant.back);
        const key = `${reading.format} ${reading.text}`;
        const candidate = found.get(key) ?? {
          reading,
          looks: 0,
          lines: 0,
          isTrusted: false,
          isPlain: false,
        };
        if (lengthOf(reading) > lengthOf(candidate.reading)) candidate.reading = reading;
        // A code that is in the picture twice does not agree with itself.
        if (!seen.has(key)) candidate.looks += 1;
        seen.add(key);
        candidate.lines += reading.lines;
        candidate.isTrusted ||= index === 0 || decode === readWithZxing;
        candidate.isPlain ||= index === 0 && decode === readWithZxing;
        found.set(key, candidate);
      }
      const certain = [...found.values()].filter(isCertain);
      // On a sheet of codes, the first look sees some and the second one the others.
      const mayHaveMore = certain.length > 1 && index === 0;
      if (certain.length > 0 && !mayHaveMore) return rank(certain, picture);
    }
  }
  return rank(
    [...found.values()].filter((each) => isCertain(each) || isSeenTwice(each)),
    picture,
  );
}

const isSeenTwice = ({ looks }: Candidate) => looks > 1;

/**
 * Without a second look that agrees, ZBar is not believed about an altered picture, nor anything but the first look about
 * retail symbologies. A slanting line across another code can read as one of an error-prone symbology, so many lines have
 * to agree on that.
 */
function isCertain(candidate: Candidate): boolean {
  const { reading, lines, isTrusted, isPlain } = candidate;
  const isBelieved = RETAIL_FORMATS.has(reading.format) ? isPlain : isTrusted;
  if (!isBelieved && !isSeenTwice(candidate)) return false;
  return !ERROR_PRONE_FORMATS.has(reading.format) || lines >= ERROR_PRONE_LINES;
}

function rank(candidates: readonly Candidate[], picture: GreyPicture): FoundCode[] {
  return rankCodes(
    candidates.map(({ reading }) => reading),
    picture,
  );
}

/** The looks at a picture, in the order of what they find for their cost; docs/barcodes.md has the table. */
async function* looksFor(picture: GreyPicture): AsyncGenerator<Look> {
  const whole = { transform: unchanged, decoders: BOTH };
  const longer = Math.max(picture.width, picture.height);
  const base = longer > REDUCED_PX ? await resized(picture, REDUCED_PX / longer) : await unchanged(picture);
  if (Math.min(base.picture.width, base.picture.height) < THIN_PX) return yield whole;
  /** Works on the reduced picture. */
  const look = (transform: Transform, decoders: Look['decoders']): Look => ({
    decoders,
    transform: async () => {
      const { back, ...variant } = await transform(base.picture);
      return { ...variant, back: (point) => base.back(back(point)) };
    },
  });
  yield look(unchanged, BOTH);
  // Without the grain of a photo, which is no contrast.
  const blurred = await pixels(open(base.picture).blur(1));
  if (localContrast(blurred) < BLANK_CONTRAST) return;
  if (longer > REDUCED_PX) yield whole;
  yield look((from) => resized(from, 0.5), BOTH);
  yield look((from) => resized(from, 1 / 3), BOTH);
  yield look(
    changed(() => blurred),
    BOTH,
  );
  yield look(
    changed((from) => blackAndWhite(from, 150)),
    BOTH,
  );
  yield look(turned(67.5), ZXING);
  yield look(changed(withoutShadows), ZXING);
  yield look((from) => resized(from, 2, 1), ZBAR);
  yield look(
    changed((from) => blackAndWhite(normalised(from), 128), 2),
    BOTH,
  );
  yield look(turned(22.5), BOTH);
  yield look(turned(45), ZXING);
  yield look(changed(negative), BOTH);
  yield look((from) => resized(from, 2), BOTH);
  yield look(
    changed((from) => withEdges(from, 1.5), 2),
    ZXING,
  );
  if (longer <= TINY_PX)
    yield look(
      changed((from) => withEdges(from, 2), 3),
      ZXING,
    );
}

async function unchanged(picture: GreyPicture): Promise<Variant> {
  return { picture, back: (point) => point };
}

/** Enlarges, then changes the pixels. */
function changed(work: (picture: GreyPicture) => GreyPicture | Promise<GreyPicture>, factor = 1): Transform {
  return async (from) => {
    const { picture, back } = await resized(from, factor);
    return { picture: await work(picture), back };
  };
}

/** Black below a value, white from it on. */
const blackAndWhite = (picture: GreyPicture, from: number) =>
  mapValues(picture, (value) => (value >= from ? 255 : 0));

/** Swaps black and white: ZXing itself only does so for matrix codes. */
const negative = (picture: GreyPicture) => mapValues(picture, (value) => 255 - value);

/** @param sigma of the blur, in pixels */
async function withEdges(picture: GreyPicture, sigma: number): Promise<GreyPicture> {
  return sharpened(picture, await pixels(open(picture).blur(sigma)), 3);
}

/** Without the specks, which its contrast would show. */
async function withoutShadows(picture: GreyPicture): Promise<GreyPicture> {
  return equalised(await pixels(open(picture).median(3)));
}

/** Rotates about the centre, so that a slanted code becomes horizontal. */
function turned(degrees: number): Transform {
  return async (picture) => {
    const result = await pixels(open(normalised(picture)).rotate(degrees, { background: '#fff' }));
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const back = ({ x, y }: Point) => {
      const [right, down] = [x - result.width / 2, y - result.height / 2];
      return {
        x: right * cos + down * sin + picture.width / 2,
        y: down * cos - right * sin + picture.height / 2,
      };
    };
    return { picture: result, back, isTurned: true };
  };
}

/** @param factorY of the height, if it differs */
async function resized(picture: GreyPicture, factor: number, factorY = factor): Promise<Variant> {
  const width = Math.max(1, Math.round(picture.width * factor));
  const height = Math.max(1, Math.round(picture.height * factorY));
  if (width === picture.width && height === picture.height) return unchanged(picture);
  return {
    picture: await pixels(open(picture).resize({ width, height, fit: 'fill', kernel: 'cubic' })),
    back: ({ x, y }) => ({ x: x / factor, y: y / factorY }),
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
