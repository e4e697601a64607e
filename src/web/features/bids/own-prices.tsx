import { Text } from '@mantine/core';
import type { Coupon } from '#contract/coupons.ts';
import { decimalToCents } from '#contract/money.ts';
import { charged } from './wording.ts';

/** For the owner of a coupon: the prices that they have set. */
export function OwnPrices({ coupon: { askingPrice, priceFloor, usedAt } }: { coupon: Coupon }) {
  if (askingPrice === null || usedAt !== null) return null;
  return (
    <Text component="section" aria-label="Your prices">
      You ask <b>{charged(decimalToCents(askingPrice))}</b>. We accept bids at or above it right away.
      {priceFloor !== null &&
        ` We do not tell you about bids below ${charged(decimalToCents(priceFloor))}. Only you can see this.`}
    </Text>
  );
}
