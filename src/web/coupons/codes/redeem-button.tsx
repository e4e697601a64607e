import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { openDialog } from '#web/lib/open-dialog.ts';
import type { RedeemableCoupon } from './redeem-dialog.tsx';

interface RedeemButtonProps {
  readonly coupon: RedeemableCoupon;
  /** Shows the code as the main action. */
  readonly isPrimary?: boolean;
  /** Shares a row with other buttons on a small ticket. */
  readonly isCompact?: boolean;
}

/** Opens the dialog with an own coupon's code. */
export function RedeemButton({ coupon, isPrimary, isCompact }: RedeemButtonProps) {
  return (
    <Button
      variant={isPrimary ? 'filled' : 'default'}
      leftSection={!isCompact && <IconEye size={18} aria-hidden="true" />}
      px={isCompact ? 12 : undefined}
      onClick={() => openDialog('redeem', { coupon })}
    >
      <Trans>Show code</Trans>
    </Button>
  );
}
