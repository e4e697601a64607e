import { useCallback } from 'react';
import { paths } from '#contract/base/pages.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { RedeemButton } from '#web/coupons/codes/redeem-button.tsx';
import { DealActions } from '#web/coupons/search/coupon-actions.tsx';
import { useDealing } from '#web/deals/core/dealing.ts';
import { useAsMember } from '#web/lib/as-member.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { ReportButton } from '#web/oversight/moderation/report-button.tsx';

/**
 * The actions for a listed coupon; visitors sign in first. The function is the same between renders until the viewer
 * changes, so that tickets are not rendered again.
 */
export function useDealActions() {
  const { user } = useViewer();
  const asMember = useAsMember();
  const dealing = useDealing();
  return useCallback(
    (coupon: Coupon) => {
      if (coupon.ownerId === user?.id) return coupon.hasCode && <RedeemButton coupon={coupon} />;
      const { id, ownerId, ownerUsername } = coupon;
      return (
        <DealActions
          coupon={coupon}
          onExchange={dealing.exchange}
          onBid={dealing.bid}
          onValidate={() => asMember(() => openDialog('validate', { coupon }), paths.validateFor(id))}
          report={
            <ReportButton
              userId={ownerId}
              username={ownerUsername}
              relatedEntityType="coupon"
              relatedEntityId={id}
              isIcon
            />
          }
        />
      );
    },
    [user, asMember, dealing],
  );
}
