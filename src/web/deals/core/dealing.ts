import { useMemo } from 'react';
import { paths } from '#contract/base/pages.ts';
import { SHELL_TEXTS } from '#contract/base/shell-texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { useAsMember } from '#web/lib/as-member.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/**
 * Opens the dialogs in which somebody deals for a coupon. A visitor signs in first; who has not confirmed their address is
 * asked to before anything is typed (decisions 3.16, 6.1), and goes on once they have.
 */
export function useDealing() {
  const { user } = useViewer();
  const asMember = useAsMember();
  return useMemo(() => {
    const deal = (open: () => unknown, from: string, reason?: string) =>
      asMember(
        async () => {
          let isConfirmed = user?.isEmailVerified === true;
          const onGiven = () => {
            isConfirmed = true;
          };
          if (!isConfirmed) await openDialog('confirmAddress', { from, onGiven });
          if (isConfirmed) open();
        },
        from,
        reason,
      );
    const toBid = SHELL_TEXTS.requests.logInToBid();
    return {
      exchange: (coupon: Coupon) =>
        deal(() => openDialog('proposeExchange', { coupon }), paths.exchangeFor(coupon.id)),
      bid: (coupon: Coupon) => deal(() => openDialog('placeBid', { coupon }), paths.bidFor(coupon.id), toBid),
      buy: (coupon: Coupon) => deal(() => openDialog('buy', { coupon }), paths.buyFor(coupon.id)),
    };
  }, [user, asMember]);
}
