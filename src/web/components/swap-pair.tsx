import { IconArrowsLeftRight } from '@tabler/icons-react';
import { CouponTicket, type TicketCoupon } from './coupon-ticket.tsx';
import classes from './swap-pair.module.css';

interface SwapPairProps {
  readonly left: { label: string; coupon: TicketCoupon };
  readonly right: { label: string; coupon: TicketCoupon };
  /** Plays the swap animation once. */
  readonly hasJustSwapped?: boolean;
}

/** Two tickets with the swap sign between them. */
export function SwapPair({ left, right, hasJustSwapped }: SwapPairProps) {
  return (
    <div className={`${classes.pair} ${hasJustSwapped ? classes.swapped : ''}`}>
      <div className={classes.left}>
        <div className={classes.label}>{left.label}</div>
        <CouponTicket coupon={left.coupon} size="small" />
      </div>
      <span className={classes.sign} aria-hidden="true">
        <IconArrowsLeftRight size={22} />
      </span>
      <div className={classes.right}>
        <div className={classes.label}>{right.label}</div>
        <CouponTicket coupon={right.coupon} size="small" />
      </div>
    </div>
  );
}
