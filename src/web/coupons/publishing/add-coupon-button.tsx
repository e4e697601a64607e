import { Trans } from '@lingui/react/macro';
import { Button, type ButtonProps } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { ActiveOnly } from '#web/lib/viewer.tsx';

interface AddCouponButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  readonly onClick: () => void;
}

/** Opens the dialog that adds a coupon. */
export function AddCouponButton(props: AddCouponButtonProps) {
  return (
    <ActiveOnly>
      <Button leftSection={<IconPlus size={18} aria-hidden="true" />} {...props}>
        <Trans>Add a Coupon</Trans>
      </Button>
    </ActiveOnly>
  );
}
