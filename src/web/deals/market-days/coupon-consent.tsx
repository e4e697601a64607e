import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';

/** For its owner: lets a coupon go on market day without asking. The dialog knows whether it may already. */
export function CouponConsent({ coupon }: { coupon: Coupon }) {
  if (!coupon.isActive || coupon.isReserved || coupon.transferable === 'no') return null;
  return (
    <ActiveOnly>
      <div>
        <Button
          size="compact-md"
          variant="light"
          aria-haspopup="dialog"
          onClick={() => openDialog('consentForCoupon', { coupon })}
        >
          <Trans>Swap without asking me again</Trans>
        </Button>
      </div>
    </ActiveOnly>
  );
}
