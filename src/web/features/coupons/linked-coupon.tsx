import { CloseButton, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Coupon } from '#contract/coupons.ts';
import { idSchema } from '#contract/primitives.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './linked-coupon.module.css';
import { useCoupon } from './queries.ts';

interface LinkedCouponProps {
  /** As the address has it. */
  readonly id: string;
  readonly renderActions: (coupon: Coupon) => ReactNode;
  readonly onClose: () => void;
}

/** The own coupon that a link leads to, on top of the list, whichever page of it it is on. */
export function LinkedCoupon({ id, renderActions, onClose }: LinkedCouponProps) {
  const { user } = useViewer();
  const parsed = idSchema.safeParse(Number(id)).data ?? null;
  const { data: coupon, isLoading } = useCoupon(parsed);
  const isOwn = coupon?.ownerId === user?.id;
  return (
    <Paper component="section" className={classes.panel} aria-labelledby="linked-coupon" radius="lg">
      <Group justify="space-between" wrap="nowrap" mb="sm">
        <Title order={2} size="h4" id="linked-coupon">
          {isLoading ? (
            <Skeleton component="span" display="inline-block" w={160} h={20} />
          ) : (
            titleOf(coupon, isOwn)
          )}
        </Title>
        <CloseButton size={44} iconSize={20} aria-label="Show all coupons" onClick={onClose} />
      </Group>
      <div className={classes.ticket}>
        {isLoading && <CouponTicketSkeleton />}
        {coupon && isOwn && <CouponTicket coupon={coupon} actions={renderActions(coupon)} />}
        {!isLoading && !(coupon && isOwn) && <Text>It has changed hands, or it was deleted.</Text>}
      </div>
    </Paper>
  );
}

function titleOf(coupon: Coupon | undefined, isOwn: boolean): string {
  return coupon && isOwn ? 'Here it is' : 'This coupon is not yours any more';
}
