import { AppError } from '#server/core/errors.ts';
import { createShares } from '#server/core/shares.ts';

/** At most six run at once, two of them of one address. */
const running = createShares(6);
/** An address may have as many as requests of any kind (rest/shedding.ts), and leaves places for others. */
const PLACES = 256;
const RETRY_AFTER = 2;

/** Those that run, and those that wait. */
const places = createShares(PLACES);
const waiting = new Set<{ readonly ip: string; readonly start: () => void }>();

function startNext(): void {
  for (const next of waiting) {
    if (!running.take(next.ip)) continue;
    waiting.delete(next);
    next.start();
  }
}

/**
 * Runs a search for a text, which may have to read all coupons. Others wait without a connection, so that connections
 * are left for everybody else.
 * @throws AppError unavailable when too many wait, of the address or of all
 */
export async function withSemaphore<Result>(ip: string, search: () => Promise<Result>): Promise<Result> {
  if (!places.take(ip)) {
    const text = 'Too many people search for texts like this right now. Please try again in a moment.';
    throw new AppError('unavailable', text, { retryAfter: RETRY_AFTER });
  }
  try {
    await new Promise<void>((start) => {
      waiting.add({ ip, start });
      startNext();
    });
    return await search().finally(() => running.leave(ip));
  } finally {
    places.leave(ip);
    startNext();
  }
}
