import { t } from '@lingui/core/macro';
import { trpc } from '#web/lib/trpc.ts';

/** The next step of somebody who has no coupon. */
export const FIRST_COUPON = t`List one coupon and see what you could get`;

/** Whether the viewer has a coupon, as most have where that cannot be asked; undefined while it loads. */
export function useHasCoupon(isAsked: boolean): boolean | undefined {
  const { data, isError } = trpc.profiles.firstSteps.useQuery(undefined, { enabled: isAsked });
  return isError ? true : data?.hasCoupon;
}
