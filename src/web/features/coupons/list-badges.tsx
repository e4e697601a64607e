import type { Coupon } from '#contract/coupons.ts';
import { moneyText } from '#contract/money.ts';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { useViewer } from '#web/lib/viewer.tsx';
import { useIsInMatch } from './queries.ts';

/** What a coupon costs at once, and whether a match of the viewer's includes it. */
export function ListBadges({ coupon }: { coupon: Coupon }) {
  const { user } = useViewer();
  const { id, askingPrice, isReserved, ownerId } = coupon;
  return (
    <>
      {askingPrice !== null && !isReserved && (
        <ToneBadge tone="neutral">
          {ownerId === user?.id ? 'You ask' : 'Buy now for'} {moneyText(askingPrice)}
        </ToneBadge>
      )}
      {user && <MatchBadge couponId={id} />}
    </>
  );
}

function MatchBadge({ couponId }: { couponId: number }) {
  return useIsInMatch(couponId) && <ToneBadge tone="info">In a match</ToneBadge>;
}
