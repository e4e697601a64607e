import type { ReactNode } from 'react';
import type { Coupon } from '#contract/coupons.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import classes from './coupon-grid.module.css';
import { isExpired } from './coupon-state.ts';
import { PAGE_SIZE } from './filters.ts';

interface CouponGridProps {
  readonly label: string;
  readonly coupons: readonly Coupon[];
  /** The next ones are on their way. */
  readonly isBusy: boolean;
  readonly renderActions: (coupon: Coupon) => ReactNode;
}

/** Tickets side by side, as many as there is room for. */
export function CouponGrid({ label, coupons, isBusy, renderActions }: CouponGridProps) {
  return (
    <ul className={classes.grid} aria-label={label} aria-busy={isBusy}>
      {coupons.map((coupon) => (
        <li key={coupon.id} className={classes.item} data-expired={isExpired(coupon) || undefined}>
          <CouponTicket coupon={coupon} actions={renderActions(coupon)} />
        </li>
      ))}
    </ul>
  );
}

const PLACES = Array.from({ length: PAGE_SIZE }, (_, index) => index);

/** A page of tickets that is still coming. */
export function CouponGridSkeleton() {
  return (
    <div className={classes.grid} aria-busy="true">
      {PLACES.map((place) => (
        <CouponTicketSkeleton key={place} />
      ))}
    </div>
  );
}
