import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEye } from '@tabler/icons-react';
import { RedeemDialog } from './dialogs.ts';
import { useRevealCode } from './queries.ts';
import type { RedeemableCoupon } from './redeem-dialog.tsx';

interface RedeemButtonProps {
  readonly coupon: RedeemableCoupon;
  /** Shows the code as the main action. */
  readonly isPrimary?: boolean;
  /** Shares a row with other buttons on a small ticket. */
  readonly isCompact?: boolean;
}

/**
 * Opens the dialog with an own coupon's code. The server records each reveal, so only a press requests the code. The
 * page forgets it when the dialog closes.
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
