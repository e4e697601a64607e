import { PageShell } from '#web/components/page-shell.tsx';
import { CouponValidator } from '#web/features/coupons/validate/coupon-validator.tsx';

/** Checks a coupon's code; for everybody. */
export function ValidateCouponPage() {
  return (
    <PageShell
      title="Validate Coupon"
      text="Check a code before you rely on it: type it in, upload a picture of it, or scan it."
    >
      <CouponValidator />
    </PageShell>
  );
}
