import type { FoundCode } from '#contract/images.ts';

/** A picture in grey, one byte a pixel, row by row. */
export interface GreyPicture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What a decoder says: its symbology under our name for it, the corners in pixels of what it was given. */
export interface Reading {
  readonly text: string;
  readonly format: string;
  readonly position: readonly [Point, Point, Point, Point];
  /** Whether it takes another look that says the same to be believed. */
  readonly isDoubtful: boolean;
}

/** Linear symbologies so short or so loosely checked that a line slanting across another code may read as one. */
export const SLIGHT_FORMATS: ReadonlySet<string> = new Set(['EAN8', 'UPCE', 'ITF', 'Codabar', 'Code39']);

/** Symbologies without a check digit of their own: lines of print and textures are taken for them. */
const WEAK_FORMATS: ReadonlyMap<string, number> = new Map([
  // The shortest text that is believed.
  ['ITF', 6],
  ['Codabar', 6],
  ['Code39', 3],
]);

/** What a weak symbology costs, in the unit of the picture's diagonal. */
const WEAKNESS = 0.2;

/** What a code's way from the centre costs, against its length. */
const CENTRE_WEIGHT = 0.5;

/**
 * One reading as it is told: a UPC-A, which is an EAN-13 that begins with 0, by the 12 digits printed under it.
 * Null for what is not to be believed: nothing in it, or too little of a symbology that proves nothing.
 */
export function believable(reading: Reading): Reading | null {
  const { format, text } = reading;
  if (format === 'EAN13' && /^0\d{12}$/.test(text))
    return { ...reading, format: 'UPCA', text: text.slice(1) };
  return text.trim().length < (WEAK_FORMATS.get(format) ?? 1) ? null : reading;
}

/**
 * Every code once, the likeliest first: by size and closeness to the centre, those whose symbology does not check
 * itself further down. Corners are rounded and kept within the picture.
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
    .map(({ text, format, position }) => ({
      text,
      format,
      position: position.map(({ x, y }) => ({ x: clamp(x, size.width), y: clamp(y, size.height) })),
    }));
}

/** A code's length against the picture's, less for what is far from the centre or proves nothing. */
function prominence(
  { position, format }: Reading,
  { width, height }: { width: number; height: number },
): number {
  const diagonal = Math.hypot(width, height);
  // Of a linear code a decoder tells the line it was read along, so that an area would say nothing.
  const length = Math.max(distance(position[0], position[2]), distance(position[1], position[3]));
  const centre = {
    x: position.reduce((sum, { x }) => sum + x / 4, 0),
    y: position.reduce((sum, { y }) => sum + y / 4, 0),
  };
  const remoteness = CENTRE_WEIGHT * distance(centre, { x: width / 2, y: height / 2 });
  return (length - remoteness) / diagonal - (WEAK_FORMATS.has(format) ? WEAKNESS : 0);
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function clamp(value: number, size: number): number {
  return Math.min(Math.max(Math.round(value), 0), size - 1);
}
