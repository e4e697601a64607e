import { t } from '@lingui/core/macro';
import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { CouponValidator } from '#web/coupons/validations/coupon-validator.tsx';

/** Checks a coupon's code; for everybody. */
export function Component() {
  return (
    <PageShell
      title={PAGES.validateCoupon.title()}
      text={t`Check a code before you rely on it: type it, upload a picture of it, or scan it.`}
    >
      <CouponValidator />
    </PageShell>
  );
}
