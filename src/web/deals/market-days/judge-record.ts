import { t } from '@lingui/core/macro';
import { checkRecord, type MarketDayRecord } from '#contract/deals/market-day-record.ts';

/** What is true of the proof of a market day. */
export interface RecordVerdict {
  /** What is wrong, in words; empty: nothing. */
  readonly faults: readonly string[];
  /** How many wishes it says were fulfilled. */
  readonly wishes: number;
  readonly rounds: number;
}

/** Checks what is published of a market day: that it is what was announced, and the best that was possible. */
export async function judgeRecord(
  text: string,
  announced: { readonly day: string; readonly commitment: string; readonly hash: string | null },
): Promise<RecordVerdict> {
  const record: MarketDayRecord = JSON.parse(text);
  const faults = checkRecord(record);
  if (record.day !== announced.day) faults.push(t`It is of another day.`);
  if ((await sha256(text)) !== announced.hash) faults.push(t`It is not what was announced of this day.`);
  if ((await sha256(record.seed)) !== announced.commitment)
    faults.push(t`Its seed is not the one that was chosen the day before.`);
  const traded = record.rounds.flatMap(({ rings }) => rings.filter(({ isTraded }) => isTraded));
  return {
    faults,
    wishes: traded.reduce((sum, { trades }) => sum + trades.length, 0),
    rounds: record.rounds.length,
  };
}

async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
