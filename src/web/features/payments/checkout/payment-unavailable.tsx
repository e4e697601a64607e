import { TEXTS } from '#contract/texts.ts';
import { ErrorState } from '#web/components/query-content.tsx';

/** The payment system cannot be loaded or reached. */
export function PaymentUnavailable({ onRetry, isRetrying }: { onRetry: () => void; isRetrying?: boolean }) {
  return (
    <ErrorState
      title={TEXTS.checkout.unavailable}
      message={TEXTS.checkout.unavailableText}
      onRetry={onRetry}
      isRetrying={isRetrying}
    />
  );
}
