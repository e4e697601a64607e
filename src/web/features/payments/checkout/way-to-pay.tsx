import { Button, Stack, Text } from '@mantine/core';
import type { Stripe } from '@stripe/stripe-js';
import { IconLock } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Checkout } from '#contract/payments.ts';
import { HOLD_HOURS } from '#contract/payments.ts';
import { TEXTS } from '#contract/texts.ts';
import { toasts } from '#web/lib/toasts.ts';
import { charged } from './order-summary.tsx';
import { LOAD_LIMIT_MS } from './stripe.ts';

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

/** What every way to pay is handed. */
export interface WayToPay {
  readonly checkout: Checkout;
  /** The payment was made, as far as the browser knows. `clientSecret` is Stripe's; PayPal has none. */
  readonly onPaid: (clientSecret: string | null) => void;
  /** The payment cannot be prepared. */
  readonly onProblem: (text: string) => void;
  /** Whether a payment is under way: nothing else can be chosen meanwhile. */
  readonly isBusy: boolean;
  readonly onBusy: (isBusy: boolean) => void;
}

/** What every way to pay by card is handed. */
export interface CardWay extends WayToPay {
  readonly stripe: Stripe;
}

interface PayButtonProps {
  readonly buyerTotal: string;
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  /** What went wrong with the last attempt. */
  readonly failure: string | null;
}

/** Submits the form that it stands in: with the amount on it, and below what is held against it. */
export function PayButton({ buyerTotal, isBusy, isDisabled, failure }: PayButtonProps) {
  return (
    <Stack gap="xs">
      {/* The toast that says the same is the alert. */}
      {failure && <Text c="var(--mantine-color-error)">{failure}</Text>}
      <Button
        type="submit"
        size="lg"
        fullWidth
        loading={isBusy}
        disabled={isDisabled}
        leftSection={<IconLock size={18} aria-hidden="true" />}
      >
        Pay {charged(buyerTotal)}
      </Button>
      <Text size="sm" c="dimmed" ta="center">
        The seller's money is held for {HOLD_HOURS} hours, in case the code does not work.
      </Text>
    </Stack>
  );
}

/** Whether something has been waited for longer than a provider may take. Counts anew whenever the waiting begins. */
export function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    setIsLate(false);
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsLate(true), LOAD_LIMIT_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isWaiting && isLate;
}
