import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEye } from '@tabler/icons-react';
import { useRevealCode } from './queries.ts';
import { type RedeemableCoupon, RedeemDialog } from './redeem-dialog.tsx';

interface RedeemButtonProps {
  readonly coupon: RedeemableCoupon;
  /** Whether this is what the screen is for. */
  readonly isPrimary?: boolean;
  /** Whether it shares a row with others on a small ticket. */
  readonly isCompact?: boolean;
}

/**
 * Opens the dialog with an own coupon's code. Each press is a look that is recorded, so nothing but a press asks for
 * the code; and once the dialog is closed, nothing in the page keeps it.
 */
export function RedeemButton({ coupon, isPrimary, isCompact }: RedeemButtonProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const reveal = useRevealCode();
  const look = () => reveal.mutate({ id: coupon.id });
  return (
    <>
      <Button
        variant={isPrimary ? 'filled' : 'default'}
        leftSection={!isCompact && <IconEye size={18} aria-hidden="true" />}
        px={isCompact ? 12 : undefined}
        onClick={() => {
          dialog.open();
          look();
        }}
      >
        Show code
      </Button>
      <RedeemDialog
        coupon={coupon}
        opened={isOpen}
        revealed={reveal.data}
        error={reveal.error}
        onRetry={look}
        onClose={() => {
          dialog.close();
          reveal.reset();
        }}
      />
    </>
  );
}
