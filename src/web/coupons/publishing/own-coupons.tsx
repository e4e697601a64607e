import { t } from '@lingui/core/macro';
import { CloseButton, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { type ReactNode, useCallback, useRef } from 'react';
import { defineAddress, plainText } from '#contract/base/address.ts';
import { idSchema } from '#contract/base/primitives.ts';
import { FILTERS_ADDRESS, toOwnListInput } from '#contract/coupons/coupon-filters.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { FIRST_COUPON } from '#web/coupons/core/first-coupon.ts';
import { useCoupon } from '#web/coupons/core/queries.ts';
import classes from '#web/coupons/search/coupon-list.module.css';
import { CouponResults, useShowResults } from '#web/coupons/search/coupon-results.tsx';
import { ListBadges } from '#web/coupons/search/list-badges.tsx';
import { ListToolbar } from '#web/coupons/search/list-toolbar.tsx';
import { useAddress } from '#web/lib/address.ts';
import { isNetworkFailure, readErrorText } from '#web/lib/errors.ts';
import { KEEP_PAGE } from '#web/lib/paged-list.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { OwnerActions } from './owner-actions.tsx';

const LINK = defineAddress({ coupon: plainText });

/** The viewer's own coupons, with the one that a link names on top. The address holds search and order. */
export function OwnCoupons({ addButton }: { addButton: ReactNode }) {
  const [filters, changeFilters] = useAddress(FILTERS_ADDRESS);
  const [{ coupon: linked }, link] = useAddress(LINK);
  const list = trpc.coupons.mine.useQuery(toOwnListInput(filters), KEEP_PAGE);
  const count = useRef<HTMLHeadingElement>(null);
  const changeAndShow = useShowResults(count, changeFilters);

  const unlink = () => link({ coupon: '' }, { replace: true });
  const afterDeletion = useCallback(
    ({ id }: Coupon) => {
      if (linked === String(id)) link({ coupon: '' }, { replace: true });
      // The focused button has gone with its ticket.
      count.current?.focus({ preventScroll: true });
    },
    [linked, link],
  );
  const renderActions = useCallback(
    (coupon: Coupon) => <OwnerActions coupon={coupon} onDeleted={afterDeletion} isQuiet />,
    [afterDeletion],
  );

  return (
    <>
      {linked !== '' && (
        <LinkedCoupon
          key={linked}
          id={linked}
          onClose={unlink}
          renderActions={(coupon) => <OwnerActions coupon={coupon} onDeleted={afterDeletion} />}
        />
      )}
      <div className={`${classes.results} ${classes.own}`}>
        <ListToolbar filters={filters} onChange={changeFilters} searchLabel={t`Search your coupons`} />
        <CouponResults
          ref={count}
          query={list}
          filters={filters}
          onChange={changeFilters}
          onShow={changeAndShow}
          renderActions={renderActions}
          addButton={addButton}
          noneText={`${FIRST_COUPON}.`}
        />
      </div>
    </>
  );
}

interface LinkedCouponProps {
  /** As in the address. */
  readonly id: string;
  readonly renderActions: (coupon: Coupon) => ReactNode;
  readonly onClose: () => void;
}

/** The own coupon that a link names, above the list, whatever its page. */
function LinkedCoupon({ id, renderActions, onClose }: LinkedCouponProps) {
  const { user } = useViewer();
  const parsed = idSchema.safeParse(Number(id)).data ?? null;
  const { data: coupon, isLoading, error } = useCoupon(parsed);
  const isKnown = !isNetworkFailure(error);
  const isOwn = coupon?.ownerId === user?.id;
  return (
    <Paper component="section" className={classes.linked} aria-labelledby="linked-coupon" radius="lg">
      <Group justify="space-between" wrap="nowrap" mb="sm">
        <Title order={2} size="h4" id="linked-coupon">
          {isLoading ? (
            <Skeleton component="span" display="inline-block" w={160} h={20} />
          ) : (
            titleOf(coupon, isOwn, isKnown)
          )}
        </Title>
        <CloseButton size={44} iconSize={20} aria-label={t`Show all coupons`} onClick={onClose} />
      </Group>
      <div className={classes.linkedTicket}>
        {isLoading && <CouponTicketSkeleton />}
        {coupon && isOwn && (
          <CouponTicket
            coupon={coupon}
            badges={<ListBadges coupon={coupon} />}
            actions={renderActions(coupon)}
          />
        )}
        {!isLoading && !(coupon && isOwn) && (
          <Text>{isKnown ? t`It has changed hands, or it was deleted.` : readErrorText(error)}</Text>
        )}
      </div>
    </Paper>
  );
}

/** @param isKnown whether the server has answered */
function titleOf(coupon: Coupon | undefined, isOwn: boolean, isKnown: boolean): string {
  if (!coupon && !isKnown) return t`Failed to load the coupon`;
  return coupon && isOwn ? t`Here is your coupon` : t`This coupon is no longer yours`;
}
