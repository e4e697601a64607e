import { Skeleton, Stack } from '@mantine/core';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import classes from './checkout.module.css';
import { CardFieldsSkeleton } from './form-skeleton.tsx';

/** The checkout while it loads, in the shape it will have. */
export function CheckoutSkeleton() {
  return (
    <div className={classes.columns} role="status" aria-label="The checkout is loading" aria-busy="true">
      <div className={classes.card} aria-hidden="true">
        <Skeleton height={24} width={150} />
        <CouponTicketSkeleton size="small" />
        <Stack gap="sm">
          <Skeleton height={18} />
          <Skeleton height={18} />
          <Skeleton height={28} mt={14} />
        </Stack>
      </div>
      <div className={`${classes.card} ${classes.payment}`} aria-hidden="true">
        <Skeleton height={24} width={100} />
        <CardFieldsSkeleton />
        <Skeleton height={24} width={220} />
        <Skeleton height={50} radius="xl" />
      </div>
      <div className={classes.card} aria-hidden="true">
        <Skeleton height={24} width={220} />
        <Repeat count={3}>
          <Skeleton height={46} />
        </Repeat>
      </div>
    </div>
  );
}
