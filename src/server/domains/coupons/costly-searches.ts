import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import { AppError } from '#server/core/errors.ts';

/** Each takes up to two connections. */
const AT_ONCE = 2;
const WAITING = 30;
const RETRY_AFTER = 2;

const places = bulkhead(AT_ONCE, WAITING);

/**
 * Runs a search that may have to read all coupons. In each process only two run at once and others wait, without a
 * connection, so that connections are left for everybody else.
 * @throws AppError unavailable when too many wait
 */
export async function inTurn<Result>(search: () => Promise<Result>): Promise<Result> {
  try {
    return await places.execute(search);
  } catch (error) {
    if (!isBulkheadRejectedError(error)) throw error;
    const text = 'Too many people search for texts like this right now. Please try again in a moment.';
    throw new AppError('unavailable', text, { retryAfter: RETRY_AFTER, cause: error });
  }
}
