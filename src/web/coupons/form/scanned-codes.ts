/*
 * The codes that somebody has scanned in one dialog wait here for the page that takes them. In memory alone: codes are
 * secrets, and the history of a browser is on the disk.
 */

let waiting: readonly string[] = [];

/** Hands codes over to the page that is opened next. */
export function handOver(codes: readonly string[]): void {
  waiting = codes;
}

/** Takes what was handed over, once. */
export function takeScanned(): readonly string[] {
  const codes = waiting;
  waiting = [];
  return codes;
}
