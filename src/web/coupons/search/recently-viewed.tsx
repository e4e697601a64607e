import { Trans } from '@lingui/react/macro';
import { Anchor, Group, Text, Title } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { trpc } from '#web/lib/trpc.ts';
import classes from './recently-viewed.module.css';

interface RecentlyViewedProps {
  readonly ids: readonly number[];
  /** Gets the ids of those that are still on offer. */
  readonly onFound: (ids: readonly number[]) => void;
  readonly onClear: () => void;
}

/** The coupons that were opened last in this browser, as long as they are on offer. */
export function RecentlyViewed({ ids, onFound, onClear }: RecentlyViewedProps) {
  const { data: coupons } = trpc.coupons.viewed.useQuery({ ids: [...ids] });
  const keep = useEffectEvent(onFound);
  useEffect(() => {
    if (coupons) keep(coupons.map(({ id }) => id));
  }, [coupons]);
  return (
    <section aria-labelledby="recently-viewed">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h5" id="recently-viewed">
          <Trans>Recently viewed</Trans>
        </Title>
        <Anchor component="button" type="button" size="sm" lh="44px" onClick={onClear}>
          <Trans>Clear</Trans>
        </Anchor>
      </Group>
      {coupons?.length === 0 && (
        <Text size="sm" c="dimmed">
          <Trans>The coupons that you opened are no longer available.</Trans>
        </Text>
      )}
      <PlainList className={classes.row}>
        {coupons?.map((coupon) => (
          <li key={coupon.id}>
            <CouponTicket coupon={coupon} size="mini" />
          </li>
        ))}
      </PlainList>
    </section>
  );
}
