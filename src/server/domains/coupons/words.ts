import { inTransaction } from '#server/database/client.ts';
import { withStatementLimit } from '#server/database/time-budget.ts';
import type { Context } from '../context.ts';
import { findUnusedWords, removeUnusedWords } from './words-store.ts';

const AT_ONCE = 200;

/** Forgets words that no listed coupon has any more. @returns how many */
export async function forgetUnusedWords(ctx: Context): Promise<number> {
  const unused = await withStatementLimit(null, () => inTransaction(ctx.db, findUnusedWords));
  let count = 0;
  for (let at = 0; at < unused.length; at += AT_ONCE) {
    count += await inTransaction(ctx.db, (trx) => removeUnusedWords(trx, unused.slice(at, at + AT_ONCE)));
  }
  return count;
}
