import type { GreyPicture, Point, Reading } from './found-codes.ts';
import {
  blurred,
  heightened,
  localContrast,
  mapValues,
  normalised,
  reduced,
  rotated,
  widened,
} from './pixels.ts';
import { sharp } from './sharp.ts';
import { readWithZbar } from './zbar.ts';
import { readLinear, readQuickly, readThoroughly } from './zxing.ts';

/** In pixels. A picture whose longer side exceeds this is reduced to it before it is altered. */
const REDUCED_PX = 1000;

/** With less contrast in any part there is nothing like a code: a blank sheet has 4, a code in hardly any light 9. */
const BLANK_CONTRAST = 6;

/** In a picture of at most this many pixels, lines may be one pixel thin. */
const SMALL_PIXELS = 30_000;

/** In pixels. A picture with a side below this is not altered. */
const THIN_PX = 9;

type Decoder = (picture: GreyPicture) => Promise<Reading[]>;

/** A picture to look at, and the function that maps its points back to the original one. */
interface Variant {
  readonly picture: GreyPicture;
  readonly back: (point: Point) => Point;
}

/** One attempt: a decoder tries the picture, unaltered or altered. */
export interface Look {
  /** Alters the picture, once for all its looks. */
  readonly prepare: () => Variant;
  readonly decode: Decoder;
  readonly isAltered: boolean;
  /** Whether it is rotated: horizontal lines of the original are slanted here. */
  readonly isTurned: boolean;
  /** Whether it is too costly unless something was seen that it may confirm. */
  readonly isConfirming: boolean;
}

/** At most REDUCED_PX wide and high. */
export async function basePicture(picture: GreyPicture): Promise<GreyPicture> {
  const { data, width, height } = picture;
  if (Math.max(width, height) <= REDUCED_PX) return picture;
  const resized = await sharp(data, { raw: { width, height, channels: 1 } })
    .resize({ width: REDUCED_PX, height: REDUCED_PX, fit: 'inside', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: resized.data, width: resized.info.width, height: resized.info.height };
}

/**
 * The looks at a picture, in the order of what they find for their cost; docs/barcodes.md has the table.
 * @param base the picture, reduced if it is large
 */
export function* looksFor(picture: GreyPicture, base: GreyPicture): Generator<Look> {
  const isReduced = base !== picture;
  const scale = { x: picture.width / base.width, y: picture.height / base.height };
  const plain = {
    picture: base,
    back: ({ x, y }: Point) => ({ x: x * scale.x, y: y * scale.y }),
  };
  const asItIs = (variant: Variant, decode: Decoder): Look => ({
    prepare: () => variant,
    decode,
    isAltered: false,
    isTurned: false,
    isConfirming: false,
  });
  function* altered(
    alter: () => Variant,
    decoders: readonly Decoder[],
    { isTurned = false, isConfirming = false } = {},
  ): Generator<Look> {
    let variant: Variant | undefined;
    const prepare = () => {
      if (variant) return variant;
      const made = alter();
      variant = { picture: made.picture, back: (point) => plain.back(made.back(point)) };
      return variant;
    };
    for (const decode of decoders) yield { prepare, decode, isAltered: true, isTurned, isConfirming };
  }

  yield asItIs(plain, readQuickly);
  // Without the grain of a photo, which is no contrast.
  const soft = blurred(base);
  if (localContrast(soft) < BLANK_CONTRAST) return;
  if (isReduced) {
    const whole = { picture, back: (point: Point) => point };
    yield asItIs(whole, readQuickly);
    yield asItIs(whole, readThoroughly);
  }
  const isThin = Math.min(base.width, base.height) < THIN_PX;
  if (!isThin)
    for (const divisor of [3, 2])
      yield* altered(() => smaller(base, divisor), [readQuickly, readLinear, readWithZbar]);
  yield asItIs(plain, readWithZbar);
  yield asItIs(plain, readThoroughly);
  if (isThin) return;
  for (const degrees of [67.5, 22.5])
    yield* altered(() => within(smaller(base, 2), (half) => turned(half, degrees)), [readQuickly], {
      isTurned: true,
    });
  yield* altered(() => turned(base, 45), [readQuickly], { isTurned: true });
  const softer = normalised(blurred(soft));
  yield* altered(() => same(blackAndWhite(softer)), [readQuickly, readLinear, readWithZbar]);
  yield* altered(() => same(mapValues(base, (value) => 255 - value)), [readQuickly, readLinear]);
  yield* altered(
    () => within(doubled(normalised(soft)), (twice) => same(blackAndWhite(twice))),
    [readThoroughly],
    { isConfirming: true },
  );
  if (base.width * base.height > SMALL_PIXELS) return;
  const twice = () => doubled(normalised(base));
  const fourTimes = () => within(twice(), doubled);
  for (const larger of [twice, fourTimes])
    yield* altered(
      () => within(larger(), (each) => same(blackAndWhite(each))),
      [readThoroughly, readWithZbar],
    );
}

const same = (picture: GreyPicture): Variant => ({ picture, back: (point) => point });

function smaller(picture: GreyPicture, divisor: number): Variant {
  return {
    picture: reduced(picture, divisor),
    back: ({ x, y }) => ({ x: x * divisor, y: y * divisor }),
  };
}

/** Twice as large. */
function doubled(picture: GreyPicture): Variant {
  return { picture: heightened(widened(picture)), back: ({ x, y }) => ({ x: x / 2, y: y / 2 }) };
}

/** Applies two alterations in turn. */
function within({ picture, back }: Variant, alter: (picture: GreyPicture) => Variant): Variant {
  const next = alter(picture);
  return { picture: next.picture, back: (point) => back(next.back(point)) };
}

const blackAndWhite = (picture: GreyPicture) => mapValues(picture, (value) => (value >= 128 ? 255 : 0));

/** Rotated about the centre, so that a slanted code becomes horizontal. */
function turned(picture: GreyPicture, degrees: number): Variant {
  const result = rotated(normalised(picture), degrees);
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return {
    picture: result,
    back: ({ x, y }) => {
      const [right, down] = [x - result.width / 2, y - result.height / 2];
      return {
        x: right * cos + down * sin + picture.width / 2,
        y: down * cos - right * sin + picture.height / 2,
      };
    },
  };
}
