import { IconArrowsLeftRight } from '@tabler/icons-react';
import type { CouponSummary } from '#contract/coupons.ts';
import type { Exchange } from '#contract/exchanges.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { useMember } from '#web/lib/viewer.tsx';
import classes from './exchange-pair.module.css';
import { couponsOf } from './sides.ts';

const LABELS = {
  pending: ['You give', 'You get'],
  accepted: ['You give', 'You get'],
  completed: ['You gave', 'You got'],
  rejected: ['Your coupon', 'Their coupon'],
  cancelled: ['Your coupon', 'Their coupon'],
} as const;

interface ExchangePairProps {
  readonly exchange: Exchange;
  /** Plays the swap animation once. */
  readonly hasJustSwapped?: boolean;
}

/** The tickets for this viewer: what they give on the left, what they get on the right. */
export function ExchangePair({ exchange, hasJustSwapped }: ExchangePairProps) {
  const { gives, gets } = couponsOf(exchange, useMember().id);
  const [give, get] = LABELS[exchange.status];
  return (
    <div className={`${classes.pair} ${hasJustSwapped ? classes.swapped : ''}`}>
      <div className={classes.left}>
        <div className={classes.label}>{give}</div>
        <Tickets coupons={gives} />
      </div>
      <span className={classes.sign} aria-hidden="true">
        <IconArrowsLeftRight size={22} />
      </span>
      <div className={classes.right}>
        <div className={classes.label}>{get}</div>
        <Tickets coupons={gets} />
      </div>
    </div>
  );
}

function Tickets({ coupons }: { coupons: readonly CouponSummary[] }) {
  return (
    <div className={classes.tickets}>
      {coupons.map((coupon) => (
        <CouponTicket key={coupon.id} coupon={coupon} size="small" />
      ))}
    </div>
  );
}
