import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Coupon } from '#contract/coupons.ts';
import { moneyText } from '#contract/money.ts';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/** What a coupon costs at once, and whether a match of the viewer's includes it. */
export function ListBadges({ coupon }: { coupon: Coupon }) {
  const { user } = useViewer();
  const { id, askingPrice, isReserved, usedAt, ownerId } = coupon;
  return (
    <>
      {askingPrice !== null && !isReserved && usedAt === null && (
        <ToneBadge tone="neutral">
          {ownerId === user?.id
            ? t`You ask ${moneyText(askingPrice)}`
            : t`Buy now for ${moneyText(askingPrice)}`}
        </ToneBadge>
      )}
      {user && <MatchBadge couponId={id} />}
    </>
  );
}

/** All tickets share the answer of the header. */
function MatchBadge({ couponId }: { couponId: number }) {
  const { data: isInMatch } = trpc.matches.count.useQuery(undefined, {
    refetchOnMount: false,
    select: ({ couponIds }) => couponIds.includes(couponId),
  });
  return (
    isInMatch && (
      <ToneBadge tone="info">
        <Trans>In a match</Trans>
      </ToneBadge>
    )
  );
}
