import type { FoundCode } from '#contract/coupons/images.ts';

/** A grey picture, one byte per pixel, row by row. */
export interface GreyPicture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A decoder's result: the symbology by our name, and the corners in pixels of the picture it was given. */
export interface Reading {
  readonly text: string;
  /** Whether the text says all that the symbol holds (symbol-text.ts). */
  readonly isText: boolean;
  readonly format: string;
  readonly position: readonly [Point, Point, Point, Point];
  /** How many scan lines agree on it; of a matrix code at least one. */
  readonly lines: number;
}

/** Linear symbologies so short or so weakly checked that a line slanting across another code may be read as one. */
export const ERROR_PRONE_FORMATS: ReadonlySet<string> = new Set(['EAN8', 'UPCE', 'ITF', 'Codabar', 'Code39']);

/** Symbologies without a check digit of their own: decoders see them in printed lines and textures. */
const WEAK_FORMATS: ReadonlyMap<string, number> = new Map([
  // The minimum length of a text that counts.
  ['ITF', 6],
  ['Codabar', 6],
  ['Code39', 3],
]);

/** What a weak symbology subtracts from the score, which is in units of the picture's diagonal. */
const WEAK_PENALTY = 0.2;

/** How much the distance from the centre subtracts, relative to the code's length. */
const CENTRE_WEIGHT = 0.5;

/**
 * Normalises a reading: an EAN-13 that begins with 0 is a UPC-A, whose 12 digits are printed under it. Null for a
 * reading that does not count: an empty one, or one that is too short for its weak symbology.
 */
export function acceptReading(reading: Reading): Reading | null {
  const { format, text } = reading;
  if (format === 'EAN13' && /^0\d{12}$/.test(text))
    return { ...reading, format: 'UPCA', text: text.slice(1) };
  return text.trim().length < (WEAK_FORMATS.get(format) ?? 1) ? null : reading;
}

/**
 * Removes duplicates and sorts the codes, the likeliest first: by size and closeness to the centre, with weak
 * symbologies lower. Corners are rounded and kept within the picture.
 */
export function rankCodes(
  readings: readonly Reading[],
  size: { width: number; height: number },
): FoundCode[] {
  const seen = new Set<string>();
  const score = new Map(readings.map((reading) => [reading, prominence(reading, size)]));
  const ranked = readings.toSorted((a, b) => (score.get(b) ?? 0) - (score.get(a) ?? 0));
  return ranked
    .filter(({ format, text }) => {
      const key = `${format} ${text}`;
      return !seen.has(key) && seen.add(key);
    })
    .map(({ text, isText, format, position }) => ({
      text,
      isText,
      format,
      position: position.map(({ x, y }) => ({ x: clamp(x, size.width), y: clamp(y, size.height) })),
    }));
}

/**
 * The code's length relative to the picture's diagonal, minus its distance from the centre and the penalty for a
 * weak symbology.
 */
function prominence(reading: Reading, { width, height }: { width: number; height: number }): number {
  const { position, format } = reading;
  const diagonal = Math.hypot(width, height);
  const centre = {
    x: position.reduce((sum, { x }) => sum + x / 4, 0),
    y: position.reduce((sum, { y }) => sum + y / 4, 0),
  };
  const remoteness = CENTRE_WEIGHT * distance(centre, { x: width / 2, y: height / 2 });
  return (lengthOf(reading) - remoteness) / diagonal - (WEAK_FORMATS.has(format) ? WEAK_PENALTY : 0);
}

/** The longer diagonal, in pixels. Of a linear code decoders report the line that they read: an area would say nothing. */
export function lengthOf({ position: [a, b, c, d] }: Reading): number {
  return Math.max(distance(a, c), distance(b, d));
}

/** The smallest upright box around points. */
export function boxAround(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function clamp(value: number, size: number): number {
  return Math.min(Math.max(Math.round(value), 0), size - 1);
}
