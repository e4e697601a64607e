import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

/** Opens the dialog that adds a coupon. */
export function AddCouponButton({ onClick, size }: { onClick: () => void; size?: 'sm' | 'md' | 'lg' }) {
  return (
    <Button size={size} leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={onClick}>
      Add a Coupon
    </Button>
  );
}
