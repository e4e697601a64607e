import type { ReactNode } from 'react';
import type { Coupon } from '#contract/coupons.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import classes from './coupon-grid.module.css';
import { isExpired } from './coupon-state.ts';
import { PAGE_SIZE } from './filters.ts';

interface CouponGridProps {
  readonly label: string;
  readonly coupons: readonly Coupon[];
  readonly renderActions: (coupon: Coupon) => ReactNode;
}

/** Tickets side by side, as many as there is room for. */
export function CouponGrid({ label, coupons, renderActions }: CouponGridProps) {
  return (
    <ul className={classes.grid} aria-label={label}>
      {coupons.map((coupon) => (
        <li key={coupon.id} className={classes.item} data-expired={isExpired(coupon) || undefined}>
          <CouponTicket coupon={coupon} actions={renderActions(coupon)} />
        </li>
      ))}
    </ul>
  );
}

/** A page of tickets that is still coming. */
export function CouponGridSkeleton() {
  return (
    <div className={classes.grid}>
      <Repeat count={PAGE_SIZE}>
        <CouponTicketSkeleton />
      </Repeat>
    </div>
  );
}
