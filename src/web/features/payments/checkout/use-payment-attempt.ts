import { useRef, useState } from 'react';
import { TEXTS } from '#contract/texts.ts';
import { toasts } from '#web/lib/toasts.ts';

/** How a payment ended in the browser. */
export type AttemptResult =
  | { readonly isPaid: true }
  /** `message` is the provider's; `isShown`: the form itself says already what to mend. */
  | { readonly isPaid: false; readonly message?: string | undefined; readonly isShown?: boolean };

interface PaymentAttempt {
  /** What went wrong with the last attempt, for the form; null before and while one is under way. */
  readonly failure: string | null;
  /** Makes an attempt, unless one is under way. @returns whether it was paid */
  readonly attempt: (pay: () => Promise<AttemptResult>) => Promise<boolean>;
}

/** One attempt to pay at a time; a failed one is told beside the form and in a toast (spec/2 section 8). */
export function usePaymentAttempt(onBusy: (isBusy: boolean) => void): PaymentAttempt {
  const [failure, setFailure] = useState<string | null>(null);
  const isUnderWay = useRef(false);
  const attempt = async (pay: () => Promise<AttemptResult>): Promise<boolean> => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setFailure(null);
    onBusy(true);
    const result = await pay().catch((): AttemptResult => ({ isPaid: false }));
    isUnderWay.current = false;
    if (result.isPaid) return true;
    onBusy(false);
    if (!result.isShown) {
      setFailure(result.message || TEXTS.checkout.unknownError);
      toasts.failure(TEXTS.checkout.failed, result.message || TEXTS.checkout.failedText);
    }
    return false;
  };
  return { failure, attempt };
}
