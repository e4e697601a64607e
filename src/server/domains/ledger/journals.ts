import type { JournalRows, JournalRowsInput } from '#contract/papers.ts';
import { addDays } from '#server/core/clock.ts';
import type { MemberContext } from '../context.ts';
import { readEntries } from './journals-store.ts';

/**
 * The ledger's entries of some days (UTC), by journal, for an export in portions. `nextCursor` leads to the next portion
 * and is null at the end.
 */
export async function journalRows(
  ctx: MemberContext,
  { from, to, ...paging }: JournalRowsInput,
): Promise<JournalRows> {
  const days = { from: new Date(from), to: addDays(new Date(to), 1) };
  const { rows, nextCursor } = await readEntries(ctx.db, days, paging);
  return { items: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })), nextCursor };
}
