import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import { trpc } from '#web/lib/trpc.ts';
import { notReadyText } from './wording.ts';

function waysText(payBy: readonly PaymentProviderName[], ownerUsername: string): string {
  if (payBy.length === 0) return notReadyText({ ownerUsername });
  if (payBy.length > 1) return t`You can pay ${ownerUsername} by card or PayPal.`;
  return payBy.includes('paypal')
    ? t`You can pay ${ownerUsername} by PayPal.`
    : t`You can pay ${ownerUsername} by card.`;
}

/** How the owner of a coupon can be paid, before somebody binds themselves. */
export function PaymentWays({
  coupon: { id, ownerUsername },
}: {
  coupon: Pick<Coupon, 'id' | 'ownerUsername'>;
}) {
  const { data } = trpc.deals.forCoupon.useQuery({ id });
  return data && <Text size="sm">{waysText(data.payBy, ownerUsername)}</Text>;
}
