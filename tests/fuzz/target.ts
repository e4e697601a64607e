/** A parser of what others wrote. */
export interface Target {
  readonly name: string;
  /** Inputs that it takes, or nearly; the first steps of every search. */
  readonly seeds: readonly (string | Uint8Array)[];
  /**
   * Parts of its inputs. Each is repeated until the input is as long as one may be: a parser whose time grows faster than
   * its input hangs there.
   */
  readonly parts: readonly string[];
  /** The longest input that is made of repeated parts, in bytes. */
  readonly longest: number;
  /** Packages that it uses, whose code guides the search as ours does. */
  readonly packages?: readonly string[];
  /** Parses an input. @throws anything, if what the parser makes of it breaks a promise: its own refusals are caught */
  parse(input: Buffer): unknown;
}

/** @throws Error naming the promise, where it is broken */
export function promise(isKept: boolean, what: string): asserts isKept {
  if (!isKept) throw new Error(`Broken promise: ${what}`);
}

/** Waits for what may fail in one documented way. @returns null where it did */
export async function unlessRefused<Result>(
  act: () => Promise<Result> | Result,
  refusal: new (...given: never[]) => Error,
): Promise<Result | null> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof refusal) return null;
    throw error;
  }
}

/** A parser of texts. */
export function textTarget(
  given: Omit<Target, 'parse' | 'longest'> & { longest?: number; read: (text: string) => unknown },
): Target {
  const { read, longest = 60_000, ...target } = given;
  return { ...target, longest, parse: (input) => read(input.toString()) };
}

/** Whether a text can be stored: PostgreSQL refuses U+0000 and lone surrogates. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day of the calendar. */
export function isDay(text: string): boolean {
  return DAY.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}

/** A whole number from 1 to `max`. */
export function isCount(value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= max;
}

/** What a JSON text says; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
