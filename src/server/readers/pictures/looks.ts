import type { GreyPicture, Point, Reading } from './found-codes.ts';
import { blackAndWhite, blurred, localContrast, negative, normalised, resized, rotated } from './pixels.ts';
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
  readonly prepare: () => Promise<Variant>;
  readonly decode: Decoder;
  readonly isAltered: boolean;
  /** Whether it is rotated: horizontal lines of the original are slanted here. */
  readonly isTurned: boolean;
  /** Whether it is too costly unless something was seen that it may confirm. */
  readonly isConfirming: boolean;
}

/** At most REDUCED_PX wide and high. */
export async function basePicture(picture: GreyPicture): Promise<GreyPicture> {
  const factor = REDUCED_PX / Math.max(picture.width, picture.height);
  return factor < 1 ? resized(picture, factor) : picture;
}

/**
 * The looks at a picture, in the order of what they find for their cost; docs/barcodes.md has the table.
 * @param base the picture, reduced if it is large
 * @param soft `base`, blurred: the grain of a photo is no contrast
 */
export function* looksFor(picture: GreyPicture, base: GreyPicture, soft: GreyPicture): Generator<Look> {
  const isReduced = base !== picture;
  const scale = { x: picture.width / base.width, y: picture.height / base.height };
  const plain = {
    picture: base,
    back: ({ x, y }: Point) => ({ x: x * scale.x, y: y * scale.y }),
  };
  const asItIs = (variant: Variant, decode: Decoder): Look => ({
    prepare: async () => variant,
    decode,
    isAltered: false,
    isTurned: false,
    isConfirming: false,
  });
  function* altered(
    alter: () => Promise<Variant>,
    decoders: readonly Decoder[],
    { isTurned = false, isConfirming = false } = {},
  ): Generator<Look> {
    let variant: Promise<Variant> | undefined;
    const prepare = () => {
      variant ??= alter().then((made) => ({ ...made, back: (point) => plain.back(made.back(point)) }));
      return variant;
    };
    for (const decode of decoders) yield { prepare, decode, isAltered: true, isTurned, isConfirming };
  }

  yield asItIs(plain, readQuickly);
  if (localContrast(soft) < BLANK_CONTRAST) return;
  if (isReduced) {
    const whole = { picture, back: (point: Point) => point };
    yield asItIs(whole, readQuickly);
    yield asItIs(whole, readThoroughly);
  }
  const isThin = Math.min(base.width, base.height) < THIN_PX;
  if (!isThin)
    for (const divisor of [3, 2])
      yield* altered(() => scaled(base, 1 / divisor), [readQuickly, readLinear, readWithZbar]);
  yield asItIs(plain, readWithZbar);
  yield asItIs(plain, readThoroughly);
  if (isThin) return;
  for (const degrees of [67.5, 22.5])
    yield* altered(() => within(scaled(base, 0.5), (half) => turned(half, degrees)), [readQuickly], {
      isTurned: true,
    });
  yield* altered(() => turned(base, 45), [readQuickly], { isTurned: true });
  yield* altered(
    async () => inBlackAndWhite(normalised(await blurred(soft))),
    [readQuickly, readLinear, readWithZbar],
  );
  yield* altered(async () => same(await negative(base)), [readQuickly, readLinear]);
  yield* altered(() => within(scaled(normalised(soft), 2), inBlackAndWhite), [readThoroughly], {
    isConfirming: true,
  });
  if (base.width * base.height > SMALL_PIXELS) return;
  for (const factor of [2, 4])
    yield* altered(
      () => within(scaled(normalised(base), factor), inBlackAndWhite),
      [readThoroughly, readWithZbar],
    );
}

const same = (picture: GreyPicture): Variant => ({ picture, back: (point) => point });

async function scaled(picture: GreyPicture, factor: number): Promise<Variant> {
  return {
    picture: await resized(picture, factor),
    back: ({ x, y }) => ({ x: x / factor, y: y / factor }),
  };
}

/** Applies two alterations in turn. */
async function within(
  made: Promise<Variant>,
  alter: (picture: GreyPicture) => Promise<Variant>,
): Promise<Variant> {
  const { picture, back } = await made;
  const next = await alter(picture);
  return { picture: next.picture, back: (point) => back(next.back(point)) };
}

const inBlackAndWhite = async (picture: GreyPicture) => same(await blackAndWhite(picture));

/** Rotated about the centre, so that a slanted code becomes horizontal. */
async function turned(picture: GreyPicture, degrees: number): Promise<Variant> {
  const result = await rotated(normalised(picture), degrees);
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
