import { t } from '@lingui/core/macro';
/** What is wrong with a standard code. */
export interface Problem {
  /** The name in GS1's own checker, without `GS1_LINTER_`. */
  readonly name: string;
  /** The problem in words, without the code: 'its offer code is cut short'. */
  readonly text: () => string;
}

/** A part of a code: its name in GS1's problem names, and in words. */
export interface Part {
  readonly name: string;
  readonly text: () => string;
}

/**
 * The allowed first digits of a part of variable length, and how many digits longer the part is than that digit
 * says.
 */
interface Length {
  readonly from: number;
  readonly to: number;
  readonly extra: number;
}

/**
 * Reads a code from left to right. The first problem ends the reading: every part read after it is empty or
 * meaningless, so call `finish()` before using any of them.
 */
export interface DigitReader {
  /** The next `length` digits; `problem` if there are fewer. */
  take(length: number, problem: Problem): string;
  /** A part of fixed length. */
  fixed(part: Part, length: number): string;
  /** A part that begins with its own length. */
  sized(part: Part, length: Length): string;
  /** A part of one digit with a meaning. */
  oneOf<const Digit extends string>(part: Part, allowed: readonly [Digit, ...Digit[]]): Digit;
  /** Skips the next digit if it is this one, and returns whether it was. */
  skip(digit: string): boolean;
  refuse(problem: Problem): void;
  /** The first problem, or null. Digits that are left over are a problem, too. */
  finish(): Problem | null;
}

/** The length of the longest standard coupon. */
const MAX_LENGTH = 70;

export function createDigitReader(data: string): DigitReader {
  let position = 0;
  let problem: Problem | null = null;

  if (!/^\d*$/.test(data)) {
    refuse({ name: 'NON_DIGIT_CHARACTER', text: () => t`it holds something else than digits` });
  } else if (data.length > MAX_LENGTH) {
    refuse({ name: 'TOO_LONG', text: () => t`it is longer than ${MAX_LENGTH} digits` });
  }

  function refuse(found: Problem): void {
    problem ??= found;
  }

  function take(length: number, tooShort: Problem): string {
    if (position + length > data.length) refuse(tooShort);
    if (problem) return '';
    position += length;
    return data.slice(position - length, position);
  }

  const truncated = ({ name, text }: Part): Problem => ({
    name: `COUPON_TRUNCATED_${name}`,
    text: () => t`its ${text()} is cut short`,
  });

  function sized(part: Part, { from, to, extra }: Length): string {
    const { name, text } = part;
    const digit = take(1, { name: `COUPON_MISSING_${name}_VLI`, text: () => t`its ${text()} is missing` });
    if (digit < String(from) || digit > String(to)) {
      refuse({
        name: `COUPON_INVALID_${name}_LENGTH`,
        text: () => t`its ${text()} has a length that the standard does not know`,
      });
    }
    return take(Number(digit) + extra, truncated(part));
  }

  function oneOf<const Digit extends string>(
    { name, text }: Part,
    allowed: readonly [Digit, ...Digit[]],
  ): Digit {
    const digit = take(1, { name: `COUPON_MISSING_${name}`, text: () => t`its ${text()} is missing` });
    const known = allowed.find((one) => one === digit);
    if (!known) {
      refuse({
        name: `COUPON_INVALID_${name}`,
        text: () => t`its ${text()} is none that the standard knows`,
      });
    }
    return known ?? allowed[0];
  }

  function skip(digit: string): boolean {
    const isNext = problem === null && data[position] === digit;
    if (isNext) position += 1;
    return isNext;
  }

  function finish(): Problem | null {
    if (position < data.length) {
      refuse({ name: 'COUPON_EXCESS_DATA', text: () => t`it has digits that belong to nothing` });
    }
    return problem;
  }

  return {
    take,
    fixed: (part, length) => take(length, truncated(part)),
    sized,
    oneOf,
    skip,
    refuse,
    finish,
  };
}

/** Further years belong to another century (GS1 General Specifications 7.12). */
const YEARS_AHEAD = 50;
const YEARS_BEHIND = 49;

/**
 * Reads a day of a GS1 code, YYMMDD, as `YYYY-MM-DD`; null if it does not exist. The century is the one that puts
 * the year between 49 years before and 50 years after `now`.
 */
export function readGs1Day(digits: string, now: Date): string | null {
  const [years, month, day] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].map(Number);
  if (years === undefined || month === undefined || day === undefined) return null;
  const thisYear = now.getUTCFullYear();
  let year = thisYear - (thisYear % 100) + years;
  if (year > thisYear + YEARS_AHEAD) year -= 100;
  if (year < thisYear - YEARS_BEHIND) year += 100;
  const date = new Date(Date.UTC(year, month - 1, day));
  // JavaScript turns the 31st of June into the 1st of July.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.toISOString().slice(0, 10);
}
