import { Button, CloseButton, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#web/lib/paths.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { dismiss, isDismissed } from './dismissal.ts';
import { useSellerReadiness } from './queries.ts';
import classes from './seller-banner.module.css';

/**
 * Tells a signed-in person who cannot be paid yet that selling needs a payment account. It lies over the page's lower
 * edge: nothing moves when it comes, and nothing when it goes.
 */
export function SellerBanner() {
  const { user } = useViewer();
  return user && <BannerOf key={user.id} userId={user.id} />;
}

function BannerOf({ userId }: { userId: number }) {
  const [isAway, setIsAway] = useState(() => isDismissed(userId, new Date()));
  const { data } = useSellerReadiness(!isAway);
  if (isAway || !data || data.isReady || !data.isAvailable) return null;
  const putAway = () => {
    dismiss(userId, new Date());
    setIsAway(true);
    // The button that had the keyboard is gone; the page's content is where it was.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <aside className={classes.banner} aria-label="Selling" data-seller-banner>
      <Text className={classes.text} size="sm">
        <Text span inherit fw={700}>
          You can swap right away.
        </Text>{' '}
        To sell coupons too, set up a payment account.
      </Text>
      <Button component={Link} to={paths.sellerOnboarding} variant="default" size="compact-md">
        Setup Now
      </Button>
      <CloseButton
        className={classes.close}
        iconSize={18}
        aria-label="Hide until tomorrow"
        onClick={putAway}
      />
    </aside>
  );
}
