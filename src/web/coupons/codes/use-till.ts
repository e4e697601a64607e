import { locale } from '#contract/base/i18n.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { isNetworkFailure } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import type { RedeemableCoupon } from './redeem-dialog.tsx';
import { useKeptCoupons } from './use-kept-coupons.ts';

/**
 * The viewer's coupons whose codes can be shown one after the other: the given one, and the others of its merchant; without
 * a network those that this device keeps. No code is revealed by that.
 */
export function useTill(first: RedeemableCoupon) {
  const utils = trpc.useUtils();
  // While the dialog is open the order stays as it is.
  const asked = trpc.coupons.atTill.useQuery(
    { id: first.id },
    { staleTime: 'static', gcTime: 0, retry: false },
  );
  const same = new Intl.Collator(locale(), { sensitivity: 'base', ignorePunctuation: true });
  const kept = useKeptCoupons(isNetworkFailure(asked.error)).filter(
    ({ merchant }) => same.compare(merchant, first.merchant) === 0,
  );
  const found: readonly RedeemableCoupon[] = asked.data ?? kept;
  const coupons = found.some(({ id }) => id === first.id) ? found : [first, ...found];
  /** Shows a coupon as it is now. */
  const show = (coupon: Coupon) =>
    utils.coupons.atTill.setData({ id: first.id }, (all) =>
      all?.map((each) => (each.id === coupon.id ? coupon : each)),
    );
  return { coupons, show };
}
