import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import type { Stripe } from '@stripe/stripe-js';
import { IconLock } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { moneyText } from '#contract/base/money.ts';
import { SHELL_TEXTS } from '#contract/base/shell-texts.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Checkout } from '#contract/money/payments.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { toasts } from '#web/lib/toasts.ts';
import { LOAD_LIMIT_MS } from './stripe.ts';

/** How a payment ended in the browser. */
export type AttemptResult =
  | { readonly isPaid: true }
  /** `message`: the provider's reason. `isShown`: the form already shows it. */
  | { readonly isPaid: false; readonly message?: string | undefined; readonly isShown?: boolean };

interface PaymentAttempt {
  /** Why the last attempt failed; null before the first and during an attempt. */
  readonly failure: string | null;
  /** Makes an attempt, unless another one is running. @returns whether it was paid */
  readonly attempt: (pay: () => Promise<AttemptResult>) => Promise<boolean>;
}

/** Allows one attempt to pay at a time. A failure is shown in the form and in a toast (spec/2 section 8). */
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
      const message = navigator.onLine ? result.message : SHELL_TEXTS.requests.network();
      setFailure(message || TEXTS.checkout.unknownError());
      toasts.failure(TEXTS.checkout.failed(), message || TEXTS.checkout.failedText());
    }
    return false;
  };
  return { failure, attempt };
}

/** The props of every way to pay. */
export interface WayToPay {
  readonly checkout: Checkout;
  /** The provider has accepted the payment. `clientSecret` is Stripe's; null for PayPal. */
  readonly onPaid: (clientSecret: string | null) => void;
  /** The payment cannot be prepared. */
  readonly onProblem: (text: string) => void;
  /** Whether a payment is running; the form is disabled meanwhile. */
  readonly isBusy: boolean;
  readonly onBusy: (isBusy: boolean) => void;
}

/** The props of every way to pay by card. */
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

/** The form's submit button with the amount, and the last failure. */
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
        <Trans>Pay {moneyText(buyerTotal)}</Trans>
      </Button>
      <Text size="sm" c="dimmed" ta="center">
        <Trans>We hold the seller’s money for {HOLD_HOURS} hours in case the code does not work.</Trans>
      </Text>
    </Stack>
  );
}

/** Whether waiting has taken longer than `LOAD_LIMIT_MS`. The time starts again with each wait. */
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
