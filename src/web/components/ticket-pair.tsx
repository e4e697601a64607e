import { IconArrowsLeftRight } from '@tabler/icons-react';
import { CouponTicket, CouponTicketSkeleton, type TicketCoupon, type TicketSize } from './coupon-ticket.tsx';
import classes from './ticket-pair.module.css';

interface TicketPairProps {
  /** What the viewer gives, and what they get. */
  readonly sides: readonly [TicketSide, TicketSide];
  readonly size: TicketSize;
  /** Whether one side is below the other, with the labels beside them; links would be too small for a finger. */
  readonly isColumn?: boolean;
  /** Plays the swap animation once. */
  readonly hasJustSwapped?: boolean;
}

interface TicketSide {
  readonly label: string;
  readonly coupons: readonly TicketCoupon[];
}

/** The tickets of a swap: what the viewer gives on the left, what they get on the right. */
export function TicketPair({ sides: [gives, gets], size, isColumn, hasJustSwapped }: TicketPairProps) {
  return (
    <div
      className={`${classes.pair} ${hasJustSwapped ? classes.swapped : ''}`}
      data-column={isColumn || undefined}
    >
      <div className={classes.left}>
        <Tickets side={gives} size={size} isLinked={!isColumn} />
      </div>
      <span className={classes.sign} aria-hidden="true">
        <IconArrowsLeftRight size={22} />
      </span>
      <div className={classes.right}>
        <Tickets side={gets} size={size} isLinked={!isColumn} />
      </div>
    </div>
  );
}

interface TicketsProps extends Pick<TicketPairProps, 'size'> {
  readonly side: TicketSide;
  readonly isLinked: boolean;
}

function Tickets({ side: { label, coupons }, size, isLinked }: TicketsProps) {
  return (
    <>
      <div className={classes.label}>{label}</div>
      <div className={classes.tickets}>
        {coupons.map((coupon) => (
          <CouponTicket key={coupon.id} coupon={coupon} size={size} isLinked={isLinked} />
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
