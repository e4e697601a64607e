import { Button, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { type ComponentProps, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import type { PageRef } from '#contract/primitives.ts';
import { TEXTS } from '#contract/texts.ts';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { PlacedBids, ReceivedBids } from './bid-cards.tsx';
import classes from './bids.module.css';
import type { BidsTab } from './queries.ts';
import { PAGE_SIZE, type useBids } from './queries.ts';

interface BidListProps extends Omit<ComponentProps<typeof PlacedBids>, 'bids'> {
  readonly query: ReturnType<typeof useBids>;
  readonly tab: BidsTab;
  readonly onlyOpen: boolean;
  readonly page: PageRef;
  readonly onPage: (page: PageRef) => void;
  readonly onShowAll: () => void;
}

/** A page of the viewer's bids. */
export function BidList(props: BidListProps) {
  const { query, tab, onlyOpen, page, onPage, onShowAll, ...cards } = props;
  const hasFailed = query.error !== null && !query.data;
  useEffect(() => {
    if (hasFailed) toasts.failure(TEXTS.bids.loadFailedTitle, TEXTS.bids.loadFailedToast);
  }, [hasFailed]);
  const Cards = tab === 'placed' ? PlacedBids : ReceivedBids;
  return (
    <PagedList
      query={query}
      page={page}
      pageSize={PAGE_SIZE}
      onChange={onPage}
      label="Bids"
      noun="bid"
      errorTitle={TEXTS.bids.loadFailed}
      errorText={
        <>
          <Text span display="block">
            {TEXTS.bids.fetchFailed}
          </Text>
          <Text span display="block">
            {TEXTS.bids.loadFailedHint}
          </Text>
        </>
      }
      skeleton={<BidListSkeleton />}
      empty={<NoBids tab={tab} onlyOpen={onlyOpen} onShowAll={onShowAll} />}
    >
      {(bids) => (
        <>
          <VisuallyHidden>
            <Title order={2}>{tab === 'placed' ? 'Bids you placed' : 'Bids on your coupons'}</Title>
          </VisuallyHidden>
          <Cards {...cards} bids={bids} />
        </>
      )}
    </PagedList>
  );
}

/** The list while it loads, in its final shape. */
function BidListSkeleton() {
  return (
    <div className={classes.list}>
      <Repeat count={3}>
        <div className={classes.card}>
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
      </Repeat>
    </div>
  );
}

function NoBids({ tab, onlyOpen, onShowAll }: Pick<BidListProps, 'tab' | 'onlyOpen' | 'onShowAll'>) {
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
