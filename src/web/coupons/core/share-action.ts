import { t } from '@lingui/core/macro';
import { IconShare2 } from '@tabler/icons-react';
import { localPath } from '#contract/base/i18n.ts';
import { paths } from '#contract/base/pages.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { Action } from '#web/components/action-button.tsx';
import { copyText } from '#web/lib/copy-text.ts';

/** Shares a coupon's page by the device's own means, or copies its link where there are none. */
export function shareAction({ id, title }: Pick<Coupon, 'id' | 'title'>): Action {
  const share = async () => {
    const url = new URL(localPath(paths.coupon(id)), window.location.origin).href;
    if (!('share' in navigator)) {
      const done = [t`Link copied`, t`Send it to anyone who might like this coupon.`] as const;
      return copyText(url, done, [t`Link not copied`, url]);
    }
    // It also fails when the person closes it.
    await navigator.share({ title, url }).catch(() => {});
  };
  return { icon: IconShare2, label: t`Share`, name: t`Share`, onClick: share };
}
