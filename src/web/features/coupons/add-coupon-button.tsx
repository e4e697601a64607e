import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { ActiveOnly } from '#web/lib/viewer.tsx';

/** Opens the dialog that adds a coupon. */
export function AddCouponButton({ onClick, size }: { onClick: () => void; size?: 'sm' | 'md' | 'lg' }) {
  return (
    <ActiveOnly>
      <Button size={size} leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={onClick}>
        Add a Coupon
      </Button>
    </ActiveOnly>
  );
}
