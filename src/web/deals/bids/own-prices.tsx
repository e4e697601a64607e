import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { decimalToCents } from '#contract/base/money.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { charged } from './wording.ts';

/** For the owner of a coupon: the prices that they have set. */
export function OwnPrices({ coupon: { askingPrice, priceFloor, usedAt } }: { coupon: Coupon }) {
  if (askingPrice === null || usedAt !== null) return null;
  return (
    <Text component="section" aria-label={t`Your prices`}>
      <Trans>
        You ask <b>{charged(decimalToCents(askingPrice))}</b>. We accept bids at or above it right away.
      </Trans>{' '}
      {priceFloor !== null && (
        <Trans>
          We do not tell you about bids below {charged(decimalToCents(priceFloor))}. Only you can see this.
        </Trans>
      )}
    </Text>
  );
}
