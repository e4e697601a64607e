import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { locale } from '#contract/base/i18n.ts';
import { moneyText } from '#contract/base/money.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { daysLeft } from '#contract/coupons/days-left.ts';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';

const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });

/** 'Checked today', 'Checked yesterday', 'Checked 2 days ago'. */
function checkedText(checkedAt: string): string {
  const days = daysLeft(checkedAt, new Date());
  // Never of tomorrow: the clocks of server and browser differ.
  return t`Checked ${relative.format(Math.min(days, 0), 'day')}`;
}

/** What a coupon costs at once, when its merchant last confirmed the code, and whether a match of the viewer's includes it. */
export function ListBadges({ coupon }: { coupon: Coupon }) {
  const { user } = useViewer();
  const { id, askingPrice, isReserved, usedAt, ownerId, isVerified, checkedAt } = coupon;
  return (
    <>
      {askingPrice !== null && !isReserved && usedAt === null && (
        <ToneBadge tone="neutral">
          {ownerId === user?.id
            ? t`You ask ${moneyText(askingPrice)}`
            : t`Buy now for ${moneyText(askingPrice)}`}
        </ToneBadge>
      )}
      {isVerified && checkedAt && <ToneBadge tone="success">{checkedText(checkedAt)}</ToneBadge>}
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
