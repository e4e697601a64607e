import type { RowOutcome, RowOutcomes } from '#contract/base/tables.ts';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';

/**
 * Does the same to several rows, one after the other; `act` opens a transaction for each. A refusal concerns its row alone.
 * After any other failure no further row is tried, and what was done stays done.
 * @returns what became of each row, in the order of the ids and each once
 */
export async function forSeveral(
  ctx: Pick<Context, 'log'>,
  ids: readonly number[],
  act: (id: number) => Promise<unknown>,
): Promise<RowOutcomes> {
  const outcomes: RowOutcome[] = [];
  let isBroken = false;
  for (const id of new Set(ids)) {
    if (isBroken) {
      outcomes.push({ id, outcome: 'not_tried', text: null });
      continue;
    }
    try {
      await act(id);
      outcomes.push({ id, outcome: 'done', text: null });
    } catch (error) {
      const isRefused = error instanceof AppError;
      isBroken = !isRefused;
      if (isBroken) ctx.log.error({ err: error, id }, 'an act on several rows stopped at this one');
      outcomes.push(
        isRefused ? { id, outcome: 'refused', text: error.message } : { id, outcome: 'failed', text: null },
      );
    }
  }
  return { outcomes };
}
