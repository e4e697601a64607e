/** Half of the races change who acts, or the provider, after two rounds. */
const DEFAULT_ROUNDS = 4;
const LONG_ROUNDS = 50;

const count = Number(process.env.ROUNDS ?? DEFAULT_ROUNDS);
if (!Number.isInteger(count) || count < 2) throw new Error('ROUNDS has to be a whole number above 1');

/** The rounds of a race: 4, or as many as `ROUNDS` says. */
export const ROUNDS = Array.from({ length: count }, (_, round) => round);

/** The form of a test: `long` with ROUNDS=50 or more (`npm run test:long`), else `short`. */
export function shortOrLong<Short, Long>(short: Short, long: Long): Short | Long {
  return count >= LONG_ROUNDS ? long : short;
}
