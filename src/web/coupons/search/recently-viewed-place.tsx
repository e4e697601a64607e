import { Container } from '@mantine/core';
import { useState } from 'react';
import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './recently-viewed.module.css';
import { keepViewed, viewedIds } from './viewed.ts';

const rowOnDemand = onDemand(async () => (await import('./recently-viewed.tsx')).RecentlyViewed);

/** The place on Home of the coupons that were opened last in this browser: it has its height before they are loaded. */
export function RecentlyViewedPlace() {
  const { user, isLoading } = useViewer();
  return isLoading ? null : <PlaceOf key={user?.id} userId={user?.id} />;
}

function PlaceOf({ userId }: { userId: number | undefined }) {
  const [ids, setIds] = useState(() => viewedIds(userId));
  const Row = useOnDemand(rowOnDemand, ids.length > 0);
  if (ids.length === 0) return null;
  const clear = () => {
    keepViewed(userId, []);
    setIds([]);
    // The focused button is gone: move the focus to the page's content.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <Container size="xl" className={classes.place}>
      {Row && <Row ids={ids} onFound={(found) => keepViewed(userId, found)} onClear={clear} />}
    </Container>
  );
}
