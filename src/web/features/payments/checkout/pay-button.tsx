import { Button, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { HOLD_HOURS } from '#contract/payments.ts';
import { charged } from './order-summary.tsx';

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
