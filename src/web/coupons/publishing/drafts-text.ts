import { plural } from '@lingui/core/macro';

/** '3 coupons from your email are waiting.' */
export function draftsText(count: number): string {
  return plural(count, {
    one: '# coupon from your email is waiting.',
    other: '# coupons from your email are waiting.',
  });
}
