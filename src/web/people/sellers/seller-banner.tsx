import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { PageNotice } from '#web/components/page-notice.tsx';
import { withStorage } from '#web/lib/storage.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';

const PLACE = { name: 'selling', label: t`Selling` };

/** Tells a signed-in person who cannot be paid yet that selling needs a payment account. */
export function SellerBanner() {
  const { user, isLoading } = useViewer();
  if (!user) return <PageNotice {...PLACE} isKnown={!isLoading} notice={null} />;
  return <BannerOf key={user.id} userId={user.id} />;
}

function BannerOf({ userId }: { userId: number }) {
  const [isAway, setIsAway] = useState(() => isDismissed(userId, new Date()));
  const { data } = trpc.sellers.readiness.useQuery(undefined, { enabled: !isAway });
  const isNeeded = data !== undefined && !data.isReady && data.isAvailable;
  const hide = () => {
    dismiss(userId, new Date());
    setIsAway(true);
  };
  return (
    <PageNotice
      {...PLACE}
      isKnown={isAway || data !== undefined}
      notice={
        isNeeded && !isAway
          ? {
              lead: t`You can start swapping right away.`,
              text: t`To sell coupons too, set up a payment account.`,
              action: (
                <Button component={Link} to={paths.sellerOnboarding} variant="default" size="compact-md">
                  <Trans>Setup Now</Trans>
                </Button>
              ),
              close: { label: t`Hide until tomorrow`, onClose: hide },
            }
          : null
      }
    />
  );
}

const keyOf = (userId: number) => `clipswap.seller-banner.${userId}`;

/** Whether this person has dismissed the banner today, in this browser. */
function isDismissed(userId: number, now: Date): boolean {
  return withStorage('localStorage', (storage) => storage.getItem(keyOf(userId))) === now.toDateString();
}

/** Dismisses the banner until the next calendar day; where nothing can be stored, until the page is left. */
function dismiss(userId: number, now: Date): void {
  withStorage('localStorage', (storage) => storage.setItem(keyOf(userId), now.toDateString()));
}
