import type { MarketDayRecord } from '#contract/deals/market-day-record.ts';
import { checkRecord } from '#contract/deals/market-day-record.ts';
import { sha256 } from '#server/core/crypto.ts';
import type { Trx } from '#server/database/client.ts';
import { certificateText, commitmentOf } from './record.ts';
import * as store from './runs-store.ts';

/** A market day as the daily root has it. */
interface Published {
  readonly day: string;
  readonly commitment: string;
  readonly certificateHash: string | null;
}

/** The market days whose hour is after an instant, planned ones, too. */
export async function recentMarketDays(trx: Trx, since: Date): Promise<Published[]> {
  const runs = await store.listRunsSince(trx, since);
  return runs.map(({ day, seed, certificateHash }) => ({
    day,
    commitment: commitmentOf(seed),
    certificateHash,
  }));
}

/**
 * Computes again what was published of each market day, and proves that nothing better was possible.
 * @returns the days that are not as was said of them, with the reason, and how many there are
 */
export async function checkMarketDays(
  trx: Trx,
): Promise<{ count: number; faults: { day: string; fault: string }[] }> {
  const days = await store.listDone(trx);
  const faults: { day: string; fault: string }[] = [];
  for (const { day, seed, certificateHash } of days) {
    const text = certificateText(
      { day, seed },
      await store.listRounds(trx, day),
      await store.listRings(trx, day),
    );
    if (sha256(text) !== certificateHash) faults.push({ day, fault: 'it is not what was published' });
    const record: MarketDayRecord = JSON.parse(text);
    for (const fault of checkRecord(record)) faults.push({ day, fault });
    for (const fault of await store.listUntrue(trx, day)) faults.push({ day, fault });
  }
  return { count: days.length, faults };
}
