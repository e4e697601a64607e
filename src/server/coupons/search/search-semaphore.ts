import { createShares } from '#server/core/shares.ts';

/** At most six searches run at once, two of them for one address. */
const running = createShares(6);
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
 * other requests have connections. No more wait than requests of all kinds may be answered (rest/shedding.ts).
 */
export async function withSemaphore<Result>(ip: string, search: () => Promise<Result>): Promise<Result> {
  await new Promise<void>((start) => {
    waiting.add({ ip, start });
    startNext();
  });
  try {
    return await search();
  } finally {
    running.leave(ip);
    startNext();
  }
}
