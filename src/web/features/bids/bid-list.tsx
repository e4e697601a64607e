import { Button, Skeleton, Stack, Title, VisuallyHidden } from '@mantine/core';
import { type ComponentProps, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { TEXTS } from '#contract/texts.ts';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { SearchDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/error-state.tsx';
import { countText, ListPagination } from '#web/components/list-pagination.tsx';
import { paths } from '#web/lib/paths.ts';
import { toasts } from '#web/lib/toasts.ts';
import { PlacedBids, ReceivedBids } from './bid-cards.tsx';
import classes from './bids.module.css';
import type { BidsTab } from './bids-address.ts';
import { PAGE_SIZE, type useBids } from './queries.ts';

interface BidListProps extends Omit<ComponentProps<typeof PlacedBids>, 'bids'> {
  readonly query: ReturnType<typeof useBids>;
  readonly tab: BidsTab;
  readonly onlyOpen: boolean;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly onShowAll: () => void;
}

/** A page of bids, or what stands in its place. */
export function BidList(props: BidListProps) {
  const { query, tab, onlyOpen, page, onPage, onShowAll, ...cards } = props;
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  const hasFailed = error !== null && !data;
  useEffect(() => {
    if (hasFailed) toasts.failure(TEXTS.bids.loadFailedTitle, TEXTS.bids.loadFailedToast);
  }, [hasFailed]);
  if (hasFailed) {
    return (
      <ErrorState
        title={TEXTS.bids.loadFailed}
        message={TEXTS.bids.loadFailedHint}
        onRetry={() => refetch()}
        isRetrying={isFetching}
      />
    );
  }
  if (!data) return <BidListSkeleton />;
  if (data.items.length === 0) return <NoBids {...props} total={data.total} />;
  const Cards = tab === 'placed' ? PlacedBids : ReceivedBids;
  return (
    <Stack gap="lg">
      <div className={isPlaceholderData ? classes.stale : undefined} aria-busy={isPlaceholderData}>
        <VisuallyHidden>
          <Title order={2}>{tab === 'placed' ? 'Bids you placed' : 'Bids on your coupons'}</Title>
        </VisuallyHidden>
        <VisuallyHidden role="status">{countText(data.total, data.totalIsCapped)} bids</VisuallyHidden>
        <Cards {...cards} bids={data.items} />
      </div>
      <ListPagination
        page={page}
        pageSize={PAGE_SIZE}
        total={data.total}
        totalIsCapped={data.totalIsCapped}
        onChange={onPage}
        label="Bids"
      />
    </Stack>
  );
}

/** The list while it loads, in the shape it will have. */
function BidListSkeleton() {
  return (
    <div className={classes.list} aria-busy="true">
      {['a', 'b', 'c'].map((key) => (
        <div key={key} className={classes.card} aria-hidden="true">
          <div>
            <CouponTicketSkeleton size="small" />
          </div>
          <div className={classes.offer}>
            <div className={classes.line}>
              <Skeleton height={28} width={120} />
              <Skeleton height={22} width={80} radius="xl" />
            </div>
            <Skeleton height={18} width="70%" />
            <Skeleton height={18} width="35%" />
            <Skeleton height={36} width={190} radius="xl" mt={4} />
          </div>
        </div>
      ))}
    </div>
  );
}

function NoBids({ tab, onlyOpen, total, onPage, onShowAll }: BidListProps & { readonly total: number }) {
  if (total > 0) {
    // The last one of a later page has just left it.
    return (
      <EmptyState
        title="This page of the list is empty now"
        action={<Button onClick={() => onPage(1)}>Back to the first page</Button>}
      />
    );
  }
  if (onlyOpen) {
    return (
      <EmptyState
        title="No open bids"
        text="Nothing waits for an answer or a payment at the moment."
        drawing={<SearchDrawing />}
        action={<Button onClick={onShowAll}>Show all bids</Button>}
      />
    );
  }
  return tab === 'placed' ? (
    <EmptyState
      title="You have not bid on anything yet"
      text="Find a coupon you would use, and say what it is worth to you."
      action={
        <Button component={Link} to={paths.home}>
          Browse Coupons
        </Button>
      }
    />
  ) : (
    <EmptyState
      title="Nobody has bid on your coupons yet"
      text="The more coupons you list, the more there is to bid on."
      action={
        <Button component={Link} to={paths.addCoupon}>
          Add a Coupon
        </Button>
      }
    />
  );
}
