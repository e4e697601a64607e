import type { ErrorCode } from '#contract/errors.ts';
import { TEXTS } from '#contract/texts.ts';
import { AppError } from '#server/core/errors.ts';
import { ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';

/** What a screen is told while a provider cannot be reached, or is not set up. */
export function unavailable(cause?: unknown): AppError {
  return new AppError('payments_unavailable', TEXTS.checkout.unavailable, { cause });
}

/**
 * A provider's failure in words for people: no answer as payments_unavailable, a refusal in the provider's own words.
 * @param code of a refusal
 */
export async function orRefusal<Result>(
  answer: Promise<Result>,
  code: ErrorCode = 'payment_changed',
): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw unavailable(error);
    if (error instanceof ProviderRefusal) throw new AppError(code, error.message, { cause: error });
    throw error;
  }
}
