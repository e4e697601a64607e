import { IconArrowsLeftRight } from '@tabler/icons-react';
import { CouponTicket, type TicketCoupon } from './coupon-ticket.tsx';
import classes from './swap-pair.module.css';

interface SwapSide {
  readonly label: string;
  readonly coupons: readonly TicketCoupon[];
}

interface SwapPairProps {
  readonly left: SwapSide;
  readonly right: SwapSide;
  /** Plays the swap animation once. */
  readonly hasJustSwapped?: boolean;
}

/** The tickets of two sides with the swap sign between them. */
export function SwapPair({ left, right, hasJustSwapped }: SwapPairProps) {
  return (
    <div className={`${classes.pair} ${hasJustSwapped ? classes.swapped : ''}`}>
      <div className={classes.left}>
        <div className={classes.label}>{left.label}</div>
        <Tickets coupons={left.coupons} />
      </div>
      <span className={classes.sign} aria-hidden="true">
        <IconArrowsLeftRight size={22} />
      </span>
      <div className={classes.right}>
        <div className={classes.label}>{right.label}</div>
        <Tickets coupons={right.coupons} />
      </div>
    </div>
  );
}

function Tickets({ coupons }: Pick<SwapSide, 'coupons'>) {
  return (
    <div className={classes.tickets}>
      {coupons.map((coupon) => (
        <CouponTicket key={coupon.id} coupon={coupon} size="small" />
      ))}
    </div>
  );
}
