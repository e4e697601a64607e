import { t } from '@lingui/core/macro';
import { AppError } from '#server/core/errors.ts';
import { createShares } from '#server/core/shares.ts';

/** At most six searches run at once, two of them for one address. */
const running = createShares(6);
/** An address may have as many searches as requests of any kind (rest/shedding.ts), and leaves places for others. */
const PLACES = 256;
const RETRY_AFTER = 2;

/** The places of searches that run or wait. */
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
 * Runs a search for a text, which may have to read all coupons. It waits for its turn without a connection, so that
 * other requests have connections.
 * @throws AppError unavailable when too many wait, of the address or of all
 */
export async function withSemaphore<Result>(ip: string, search: () => Promise<Result>): Promise<Result> {
  if (!places.take(ip)) {
    const text = t`Too many people are searching right now. Please try again in a moment.`;
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
