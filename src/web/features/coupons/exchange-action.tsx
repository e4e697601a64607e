import { Button, Text } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import type { Coupon } from '#contract/coupons.ts';
import { exchangeObstacle } from './coupon-state.ts';

interface ExchangeActionProps {
  readonly coupon: Coupon;
  readonly onExchange: (coupon: Coupon) => void;
  /** Whether this is what the screen is for. */
  readonly isPrimary?: boolean;
}

/** Asks for somebody else's coupon, or says why nobody can. */
export function ExchangeAction({ coupon, onExchange, isPrimary }: ExchangeActionProps) {
  const obstacle = exchangeObstacle(coupon);
  if (obstacle !== null) {
    return (
      <Text size="sm" c="dimmed" py={7}>
        {obstacle}
      </Text>
    );
  }
  return (
    <Button
      variant={isPrimary ? 'filled' : 'default'}
      leftSection={<IconArrowsLeftRight size={18} aria-hidden="true" />}
      onClick={() => onExchange(coupon)}
    >
      Exchange
    </Button>
  );
}
