/** Ends what hangs, and measures nothing: a busy machine is slow, not wrong. Of a test or a hook, in milliseconds. */
export const HANGS_MS = 600_000;

/** How long one thing is waited for within a test, so that a failure still says what did not come. */
export const WAIT_MS = 120_000;
