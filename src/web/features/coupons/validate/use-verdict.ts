import { useCallback, useState } from 'react';
import { TEXTS } from '#contract/texts.ts';
import { isOffline, type ValidatePayload, type ValidationResult } from '#contract/validation.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useValidate } from '../queries.ts';

export interface Verdict<Subject> {
  readonly result: ValidationResult;
  /** What was judged. */
  readonly subject: Subject;
}

/**
 * Has a code judged and says how that went; the last verdict stays with what it is about until the next one.
 * @param invalidTitle what the toast of an invalid verdict is called
 */
export function useVerdict<Subject>(invalidTitle: string) {
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
        toasts.failure(TEXTS.validation.errorTitle, writeErrorText(error, TEXTS.validation.failed));
      }
    },
    [mutateAsync, invalidTitle],
  );
  return { verdict, ask, isPending: validate.isPending, error: validate.error };
}

/** What a verdict has to be noticed for; a good one speaks for itself where it stands. */
function announce(result: ValidationResult, invalidTitle: string): void {
  if (!result.valid) {
    toasts.failure(invalidTitle, result.error || result.message || TEXTS.validation.failedShort);
  } else if (isOffline(result.validatedWith)) {
    toasts.neutral(TEXTS.validation.offlineTitle, TEXTS.validation.offlineText);
  }
}
