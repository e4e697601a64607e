import { Button, Text } from '@mantine/core';
import { IconArrowsLeftRight, IconCoin } from '@tabler/icons-react';
import type { Coupon } from '#contract/coupons.ts';
import { dealObstacle } from './coupon-state.ts';

interface DealActionsProps {
  readonly coupon: Coupon;
  readonly onExchange: (coupon: Coupon) => void;
  readonly onBid: (coupon: Coupon) => void;
  /** Whether this is what the screen is for. */
  readonly isPrimary?: boolean;
}

/** In lists both fit side by side on the narrowest ticket. */
const NARROW = 14;

/** Asks for somebody else's coupon or bids money on it, or says why nobody can. */
export function DealActions({ coupon, onExchange, onBid, isPrimary }: DealActionsProps) {
  const obstacle = dealObstacle(coupon);
  if (obstacle !== null) {
    return (
      <Text size="sm" c="dimmed" py={7}>
        {obstacle}
      </Text>
    );
  }
  return (
    <>
      <Button
        variant={isPrimary ? 'filled' : 'default'}
        px={isPrimary ? undefined : NARROW}
        leftSection={isPrimary && <IconArrowsLeftRight size={18} aria-hidden="true" />}
        onClick={() => onExchange(coupon)}
      >
        Exchange
      </Button>
      <Button
        variant="default"
        px={isPrimary ? undefined : NARROW}
        leftSection={isPrimary && <IconCoin size={18} aria-hidden="true" />}
        onClick={() => onBid(coupon)}
      >
        Bid
      </Button>
    </>
  );
}
