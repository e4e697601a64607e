import type { FoundCode } from '#contract/coupons/images.ts';
import {
  acceptReading,
  boxAround,
  ERROR_PRONE_FORMATS,
  type GreyPicture,
  lengthOf,
  type Reading,
  rankCodes,
} from './found-codes.ts';
import { basePicture, type Look, looksFor } from './looks.ts';
import { blurred, localContrast } from './pixels.ts';
import { readWithZbar } from './zbar.ts';

/** Symbologies that a decoder mistakes parts of longer ones for when the lines are slanted. */
const FRAGMENTS: ReadonlySet<string> = new Set(['EAN8', 'UPCE']);

/** Retail symbologies. One weak digit checks them: nearly all wrong readings of photographs are theirs. */
const RETAIL_FORMATS: ReadonlySet<string> = new Set(['EAN13', 'UPCA', 'EAN8', 'UPCE']);

/** How many lines must agree before a reading of an error-prone symbology is certain. */
const ERROR_PRONE_LINES = 24;

/** How far around a code belongs to it, relative to its length: decoders see the middle of linear ones, and digits follow. */
const MARGIN = 0.25;

/** Contrast beyond a code, relative to the highest one, from which on there may be another code. */
const OTHER_CONTRAST = 1 / 3;

/** A code with the evidence for it. */
interface Candidate {
  /** The longest one: decoders see some codes in part only. */
  reading: Reading;
  /** How many looks found it. */
  looks: number;
  /** How many scan lines agree on it, in all looks together. */
  lines: number;
  /** Whether ZXing found it, or ZBar in the unaltered picture. */
  isTrusted: boolean;
  /** Whether ZXing found it in the unaltered picture. */
  isPlain: boolean;
}

/**
 * Finds the codes in a picture, the likeliest first. Tries the looks, the cheapest first, until one finds something
 * certain. If there may be more codes, it also tries the remaining looks at the unaltered picture. In the end, a code
 * on which two looks agree counts. The choice of looks depends on the picture alone, never on time.
 * @param how.isGlance whether to look at the unaltered picture only
 */
export async function findCodes(
  picture: GreyPicture,
  how: { isGlance?: boolean } = {},
): Promise<FoundCode[]> {
  const base = await basePicture(picture);
  const soft = await blurred(base);
  const found = new Map<string, Candidate>();
  let { isGlance = false } = how;
  let certain: Candidate[] = [];
  for (const look of looksFor(picture, base, soft)) {
    if ((isGlance && look.isAltered) || (look.isConfirming && found.size === 0)) continue;
    await take(look, found);
    certain = [...found.values()].filter(isCertain);
    const [only] = certain;
    if (certain.length === 1 && only && isAlone(only, soft, picture.width / base.width)) break;
    isGlance ||= certain.length > 0;
  }
  const known = certain.length > 0 ? certain : [...found.values()].filter(isSeenTwice);
  return rankCodes(
    known.map(({ reading }) => reading),
    picture,
  );
}

/** Takes a look, and adds what it finds. */
async function take(
  { prepare, decode, isAltered, isTurned }: Look,
  found: Map<string, Candidate>,
): Promise<void> {
  const { picture, back } = await prepare();
  const seen = new Set<string>();
  for (const raw of await decode(picture)) {
    const accepted = acceptReading(raw);
    if (!accepted || (isTurned && FRAGMENTS.has(accepted.format))) continue;
    const [a, b, c, d] = accepted.position;
    const reading: Reading = { ...accepted, position: [back(a), back(b), back(c), back(d)] };
    const key = `${reading.format} ${reading.text}`;
    const candidate = found.get(key) ?? { reading, looks: 0, lines: 0, isTrusted: false, isPlain: false };
    const longest = lengthOf(reading) > lengthOf(candidate.reading) ? reading : candidate.reading;
    candidate.reading = { ...longest, isText: candidate.reading.isText && reading.isText };
    // A code that is in the picture twice does not agree with itself.
    if (!seen.has(key)) candidate.looks += 1;
    seen.add(key);
    candidate.lines += reading.lines;
    candidate.isTrusted ||= !isAltered || decode !== readWithZbar;
    candidate.isPlain ||= !isAltered && decode !== readWithZbar;
    found.set(key, candidate);
  }
}

const isSeenTwice = ({ looks }: Candidate) => looks > 1;

/**
 * Without a second look that agrees, ZBar is not believed about an altered picture, nor anything but ZXing at the picture
 * as it is about retail symbologies. A slanting line across another code can read as one of an error-prone symbology, so
 * many lines have to agree on that.
 */
function isCertain(candidate: Candidate): boolean {
  const { reading, lines, isTrusted, isPlain } = candidate;
  const isBelieved = RETAIL_FORMATS.has(reading.format) ? isPlain : isTrusted;
  if (!isBelieved && !isSeenTwice(candidate)) return false;
  return !ERROR_PRONE_FORMATS.has(reading.format) || lines >= ERROR_PRONE_LINES;
}

/** Whether the surroundings of a code show no sign of another one. @param scale of the picture's points to those of `soft` */
function isAlone({ reading }: Candidate, soft: GreyPicture, scale: number): boolean {
  const { left, right, top, bottom } = boxAround(reading.position);
  const margin = MARGIN * lengthOf(reading);
  const beyond = localContrast(soft, {
    left: (left - margin) / scale,
    right: (right + margin) / scale,
    top: (top - margin) / scale,
    bottom: (bottom + margin) / scale,
  });
  return beyond < OTHER_CONTRAST * localContrast(soft);
}
