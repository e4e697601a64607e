/** A time limit in milliseconds that only ends hanging tests and hooks. It measures nothing: a busy machine is slow. */
export const HANGS_MS = 600_000;

/**
 * How long to wait for one thing within a test, in milliseconds; shorter, so that a failure names what did not come.
 */
export const WAIT_MS = 120_000;
