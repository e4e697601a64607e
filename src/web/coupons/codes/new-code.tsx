import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { IconRefreshDot, IconShieldCheck } from '@tabler/icons-react';
import type { CouponSummary } from '#contract/coupons/coupons.ts';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { useViewer } from '#web/lib/viewer.tsx';

/** On the ticket of the viewer's own coupon whose code its merchant has made for them alone. */
export function NewCodeBadge({ coupon }: { coupon: Pick<CouponSummary, 'ownerId' | 'reissuedAt'> }) {
  const { user } = useViewer();
  if (coupon.reissuedAt === null || coupon.ownerId !== user?.id) return null;
  return (
    <ToneBadge tone="success">
      <IconShieldCheck size={14} aria-hidden="true" /> <Trans>New code, seen by nobody else</Trans>
    </ToneBadge>
  );
}

/** Says before a deal that the merchant makes a new code for whoever gets the coupon. */
export function NewCodeNote({ merchant }: { merchant: string }) {
  return (
    <Alert color="teal" role="note" icon={<IconRefreshDot aria-hidden="true" />}>
      <Trans>You get a new code: {merchant} retires the old one when the coupon changes hands.</Trans>
    </Alert>
  );
}
