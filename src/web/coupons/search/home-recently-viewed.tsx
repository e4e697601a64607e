import { Container } from '@mantine/core';
import { useState } from 'react';
import { lazyWithPreload } from '#web/components/on-demand.tsx';
import { useIsTakenOver } from '#web/lib/is-taken-over.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './recently-viewed.module.css';
import { storeViewed, viewedIds } from './viewed.ts';

const RecentlyViewed = lazyWithPreload(async () => (await import('./recently-viewed.tsx')).RecentlyViewed);

/** The coupons that were opened last in this browser, on Home. Their place has its height before they are loaded. */
export function HomeRecentlyViewed() {
  const { user, isLoading } = useViewer();
  return isLoading ? null : <ViewedBy key={user?.id} userId={user?.id} />;
}

function ViewedBy({ userId }: { userId: number | undefined }) {
  const [ids, setIds] = useState(() => viewedIds(userId));
  const isTakenOver = useIsTakenOver();
  if (!isTakenOver) return <Container size="xl" className={`${classes.place} ${classes.early}`} />;
  if (ids.length === 0) return null;
  const clear = () => {
    storeViewed(userId, []);
    setIds([]);
    // The focused button is gone: move the focus to the page's content.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <Container size="xl" className={classes.place}>
      <RecentlyViewed ids={ids} onFound={(found) => storeViewed(userId, found)} onClear={clear} />
    </Container>
  );
}
