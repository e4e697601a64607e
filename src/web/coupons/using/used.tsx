import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Marks an own coupon as used, and takes that back; both say so on their own, even when the button has gone. */
export function useMarkUsed() {
  const utils = trpc.useUtils();
  const show = (coupon: Coupon) => utils.coupons.byId.setData({ id: coupon.id }, coupon);
  const undoing = trpc.coupons.unmarkUsed.useMutation({
    onSuccess: (coupon) => {
      show(coupon);
      toasts.success(t`Marked as not used`, coupon.isActive ? t`“${coupon.title}” is listed again.` : '');
    },
    onError: (error) => toasts.failed(error, t`Still marked as used`),
  });
  const marking = trpc.coupons.markUsed.useMutation({
    onMutate: () => {
      if (!onlineManager.isOnline())
        toasts.neutral(t`Kept until you are back online`, t`Then we mark it as used. Leave this page open.`);
    },
    onSuccess: (coupon) => {
      show(coupon);
      toasts.success(
        t`Marked as used`,
        <Button variant="default" size="xs" mt={6} onClick={() => undoing.mutate({ id: coupon.id })}>
          <Trans>Undo</Trans>
        </Button>,
      );
    },
    onError: (error) => toasts.failed(error, t`Not marked as used`),
  });
  return { marking, undoing };
}
