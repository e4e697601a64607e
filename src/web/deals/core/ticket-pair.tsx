import { IconArrowsLeftRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import {
  CouponTicket,
  CouponTicketSkeleton,
  type TicketCoupon,
  type TicketSize,
} from '#web/components/coupon-ticket.tsx';
import classes from './ticket-pair.module.css';

interface TicketPairProps<Shown extends TicketCoupon> {
  /** What the viewer gives, and what they get. */
  readonly sides: readonly [TicketSide<Shown>, TicketSide<Shown>];
  readonly size: TicketSize;
  /** Whether one side is below the other, with the labels beside them; links would be too small for a finger. */
  readonly isColumn?: boolean;
  readonly renderBadges?: (coupon: Shown) => ReactNode;
  /** Plays the swap animation once. */
  readonly hasJustSwapped?: boolean;
}

interface TicketSide<Shown extends TicketCoupon> {
  readonly label: string;
  readonly coupons: readonly Shown[];
}

/** The tickets of a swap: what the viewer gives on the left, what they get on the right. */
export function TicketPair<Shown extends TicketCoupon>({
  sides: [gives, gets],
  size,
  isColumn,
  renderBadges,
  hasJustSwapped,
}: TicketPairProps<Shown>) {
  return (
    <div
      className={`${classes.pair} ${hasJustSwapped ? classes.swapped : ''}`}
      data-column={isColumn || undefined}
    >
      <div className={classes.left}>
        <Tickets side={gives} size={size} isLinked={!isColumn} renderBadges={renderBadges} />
      </div>
      <span className={classes.sign} aria-hidden="true">
        <IconArrowsLeftRight size={22} />
      </span>
      <div className={classes.right}>
        <Tickets side={gets} size={size} isLinked={!isColumn} renderBadges={renderBadges} />
      </div>
    </div>
  );
}

interface TicketsProps<Shown extends TicketCoupon>
  extends Pick<TicketPairProps<Shown>, 'size' | 'renderBadges'> {
  readonly side: TicketSide<Shown>;
  readonly isLinked: boolean;
}

function Tickets<Shown extends TicketCoupon>({
  side: { label, coupons },
  size,
  isLinked,
  renderBadges,
}: TicketsProps<Shown>) {
  return (
    <>
      <div className={classes.label}>{label}</div>
      <div className={classes.tickets}>
        {coupons.map((coupon) => (
          <CouponTicket
            key={coupon.id}
            coupon={coupon}
            size={size}
            isLinked={isLinked}
            badges={renderBadges?.(coupon)}
          />
        ))}
      </div>
    </>
  );
}

/** A pair of tickets while it loads. */
export function TicketPairSkeleton({ size }: { size: TicketSize }) {
  return (
    <div className={classes.pair} aria-hidden="true">
      <CouponTicketSkeleton size={size} />
      <span className={classes.sign} />
      <CouponTicketSkeleton size={size} />
    </div>
  );
}
