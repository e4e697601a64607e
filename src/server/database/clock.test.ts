import { expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '#server/core/log.ts';
import { openDatabaseClock } from './clock.ts';
import type { ConnectionPool } from './connections.ts';

const MINUTE_MS = 60_000;

it('a machine that was suspended has the time again with its first question, not a minute later', async () => {
  const start = Date.UTC(2035, 5, 15);
  const time = { ofDatabase: start, ofMachine: start, counted: 0 };
  vi.spyOn(Date, 'now').mockImplementation(() => time.ofMachine);
  vi.spyOn(performance, 'now').mockImplementation(() => time.counted);
  onTestFinished(() => void vi.restoreAllMocks());
  const query = vi.fn(async () => ({ rows: [{ ms: time.ofDatabase }] }));
  const log = createLogger({ logLevel: 'silent', isProduction: true });
  const { clock, close } = await openDatabaseClock({ query } as unknown as ConnectionPool, log);
  onTestFinished(close);

  time.ofDatabase += 20 * MINUTE_MS;
  time.ofMachine += 20 * MINUTE_MS;
  clock();
  await vi.waitFor(() => expect(clock().getTime()).toBe(time.ofDatabase));
  expect(query).toHaveBeenCalledTimes(2);

  // Somebody sets the machine's clock back: the database is asked, and its time counts.
  time.ofMachine -= 60 * MINUTE_MS;
  expect(clock().getTime()).toBe(time.ofDatabase);
  expect(query).toHaveBeenCalledTimes(3);
});
