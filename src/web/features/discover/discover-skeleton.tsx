import { Skeleton } from '@mantine/core';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import classes from './discover.module.css';

const TABS = [70, 45, 60, 80, 50, 65, 40, 75];

/** Merchants and offers that are still coming. */
export function DiscoverSkeleton() {
  return (
    <div className={classes.browser} aria-busy="true">
      <div className={classes.side}>
        <Skeleton height={36} />
        <div className={classes.merchants}>
          {TABS.map((width) => (
            <Skeleton key={width} className={classes.waiting} width={`${width}%`} />
          ))}
        </div>
      </div>
      <div className={classes.offers}>
        <div className={classes.head}>
          <Skeleton height={28} width={220} />
          <Skeleton height={36} width={130} radius="xl" />
        </div>
        <OfferGridSkeleton />
      </div>
    </div>
  );
}

/** Offers that are still coming. */
export function OfferGridSkeleton() {
  return (
    <div className={classes.grid} aria-busy="true">
      <Repeat count={6}>
        <CouponTicketSkeleton />
      </Repeat>
    </div>
  );
}
