/** Answers that every code starts with, so that a single one moves it little: as many that it worked as that it did not. */
const PRIOR = 3;
/** The lower bound holds with 90%. */
const Z = 1.2816;

/**
 * How doubtful a public code is, from 0 to 10,000: 10,000 less the lower bound of Wilson's interval for the share of
 * people for whom it works. Few answers leave much doubt.
 */
export function doubtOf({ worked, failed }: { worked: number; failed: number }): number {
  const count = worked + failed + 2 * PRIOR;
  const share = (worked + PRIOR) / count;
  const spread = Z * Math.sqrt((share * (1 - share) + Z ** 2 / (4 * count)) / count);
  const lowest = (share + Z ** 2 / (2 * count) - spread) / (1 + Z ** 2 / count);
  return Math.round(10_000 * (1 - lowest));
}
