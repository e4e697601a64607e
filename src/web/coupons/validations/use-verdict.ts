import { useCallback, useState } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import { isOffline, type ValidatePayload, type ValidationResult } from '#contract/coupons/validation.ts';
import { useValidate } from '#web/coupons/core/queries.ts';
import { toasts } from '#web/lib/toasts.ts';

export interface Verdict<Subject> {
  readonly result: ValidationResult;
  /** What the verdict is about. */
  readonly subject: Subject;
}

/**
 * Validates a code and shows a toast unless it is valid. The verdict stays until the next one.
 * @param invalidTitle title of the toast for an invalid code
 * @param failedTitle title of the toast for a request that fails
 */
export function useVerdict<Subject>(invalidTitle: string, failedTitle = invalidTitle) {
  const validate = useValidate();
  const { mutateAsync } = validate;
  const [verdict, setVerdict] = useState<Verdict<Subject> | null>(null);

  const ask = useCallback(
    async (question: ValidatePayload, subject: Subject): Promise<void> => {
      try {
        const result = await mutateAsync(question);
        setVerdict({ result, subject });
        announce(result, invalidTitle);
      } catch (error) {
        setVerdict(null);
        toasts.failed(error, failedTitle, TEXTS.validation.failed());
      }
    },
    [mutateAsync, invalidTitle, failedTitle],
  );
  return { verdict, ask, isPending: validate.isPending, error: validate.error };
}

/** A valid verdict needs no toast. */
function announce(result: ValidationResult, invalidTitle: string): void {
  if (!result.valid) {
    toasts.failure(invalidTitle, result.error || result.message || TEXTS.validation.failedShort());
  } else if (isOffline(result.validatedWith)) {
    toasts.neutral(TEXTS.validation.offlineTitle(), TEXTS.validation.offlineText());
  }
}
