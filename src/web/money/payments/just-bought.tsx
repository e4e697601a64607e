import { t } from '@lingui/core/macro';
import { Alert, Stack } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { RedeemButton } from '#web/coupons/codes/redeem-button.tsx';
import { useCoupon } from '#web/coupons/core/queries.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';

/** What a buyer should do after paying. */
export const WHAT_NOW = t`Try the code soon: we hold the seller’s money for ${HOLD_HOURS} hours and can refund you if the code does not work.`;

/** Tells the next page that something was just bought, and by which bid. */
export const justBought = (bidId: number | null) => ({ hasJustBought: true, bidId });

/** What was bought, as soon as it is the viewer's and there is a code to show; before that, and of an unknown bid, null. */
export function useBought(bidId: number | null): Coupon | null {
  const { id: viewerId } = useMember();
  const bid = trpc.bids.byId.useQuery({ id: bidId ?? 0 }, { enabled: bidId !== null });
  const { data: coupon } = useCoupon(bid.data?.couponId ?? null);
  return coupon?.ownerId === viewerId && coupon.hasCode ? coupon : null;
}

/** Shows the new code, and repeats the next steps, on the page that opens after a payment. */
export function JustBoughtNote() {
  const { state } = useLocation();
  const coupon = useBought(state?.bidId ?? null);
  const [isAway, setIsAway] = useState(false);
  if (!state?.hasJustBought || isAway) return null;
  return (
    <Alert
      color="teal"
      role="note"
      mb="lg"
      icon={<IconShieldCheck aria-hidden="true" />}
      title={t`Your new coupon is here`}
      withCloseButton
      closeButtonLabel={t`Hide`}
      onClose={() => setIsAway(true)}
    >
      <Stack align="flex-start" gap="sm">
        {WHAT_NOW}
        {coupon && <RedeemButton coupon={coupon} isPrimary />}
      </Stack>
    </Alert>
  );
}
