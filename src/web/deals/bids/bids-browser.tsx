import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { defineAddress, keyed, oneOf, openedId } from '#contract/base/address.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Bid } from '#contract/deals/bids.ts';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { Surface } from '#web/components/surface.tsx';
import { DealBrowser } from '#web/deals/core/deal-browser.tsx';
import { useAddress, usePage } from '#web/lib/address.ts';
import { isOffline } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { PlacedBids, ReceivedBids } from './bid-cards.tsx';
import { BidDetail } from './bid-detail.tsx';
import classes from './bids.module.css';
import { useBid } from './queries.ts';

/** Bids on one page of a list. */
const PAGE_SIZE = 20;

/** Whose bids are shown: the viewer's own, or those on the viewer's coupons. */
type BidsTab = 'placed' | 'received';

/** The list's tab and filter, and the open bid. The page number is kept apart. */
const ADDRESS = defineAddress({
  tab: oneOf<BidsTab>(['placed', 'received']),
  show: oneOf(['all', 'open']),
  openId: keyed('bid', openedId),
});

interface BidsBrowserProps {
  /** The state of a bid's payment in a few words; the page passes it in from the payments feature. */
  readonly describePayment: (bid: Bid) => string | null;
  /** Renders the buyer protection of a paid bid; passed in from the payments feature. */
  readonly renderProtection: (bid: Bid) => ReactNode;
  /** Renders the rating of the other party; passed in from the ratings feature. */
  readonly renderRating: (bid: Bid) => ReactNode;
}

/** The viewer's placed and received bids, and the details of one. The address holds the tab, the filter and the open bid. */
export function BidsBrowser({ describePayment, ...detail }: BidsBrowserProps) {
  const [page, setPage] = usePage();
  const [{ tab, show, openId }, go] = useAddress(ADDRESS);
  const onlyOpen = show === 'open';
  const query = trpc.bids.list.useQuery(
    { role: tab === 'placed' ? 'bidder' : 'owner', onlyOpen, page, limit: PAGE_SIZE },
    // Always refetched (spec/2 section 9).
    { placeholderData: keepPreviousData, staleTime: 0 },
  );
  const open = useBid(openId, query.data?.items);
  const hasFailed = query.error !== null && !query.data && !isOffline(query.error);
  useEffect(() => {
    if (hasFailed) toasts.failure(TEXTS.bids.loadFailedTitle(), TEXTS.bids.loadFailedToast());
  }, [hasFailed]);
  const Cards = tab === 'placed' ? PlacedBids : ReceivedBids;
  return (
    <DealBrowser
      noun="bid"
      tabs={[
        ['placed', t`My Bids`],
        ['received', t`Received Bids`],
      ]}
      tab={tab}
      onTab={(next) => go({ tab: next })}
      filter={
        <SegmentedControl
          className={classes.filter}
          aria-label={t`Which states`}
          value={show}
          onChange={(value) => go({ show: value }, { replace: true })}
          data={[
            { value: 'all', label: t`All` },
            { value: 'open', label: t`Open` },
          ]}
        />
      }
      heading={tab === 'placed' ? t`Bids you placed` : t`Bids on your coupons`}
      query={query}
      page={page}
      pageSize={PAGE_SIZE}
      onChange={setPage}
      errorTitle={TEXTS.bids.loadFailed()}
      errorText={
        <>
          <Text span display="block">
            {TEXTS.bids.fetchFailed()}
          </Text>
          <Text span display="block">
            {TEXTS.bids.loadFailedHint()}
          </Text>
        </>
      }
      skeleton={<BidsSkeleton />}
      empty={<NoBids tab={tab} onlyOpen={onlyOpen} onShowAll={() => go({ show: 'all' })} />}
      openId={openId}
      detail={open}
      detailWidth={640}
      renderDetail={(bid) => <BidDetail bid={bid} {...detail} />}
      onClose={() => go({ openId: null }, { replace: true })}
    >
      {(bids) => (
        <Cards bids={bids} describePayment={describePayment} onOpen={({ id }) => go({ openId: id })} />
      )}
    </DealBrowser>
  );
}

/** The list while it loads, in its final shape. */
function BidsSkeleton() {
  return (
    <Stack gap={16}>
      <Repeat count={3}>
        <Surface className={classes.card}>
          <div>
            <CouponTicketSkeleton size="small" />
          </div>
          <div className={classes.offer}>
            <Group justify="space-between" gap="8px 12px">
              <Skeleton height={28} width={120} />
              <Skeleton height={22} width={80} radius="xl" />
            </Group>
            <Skeleton height={18} width="70%" />
            <Skeleton height={18} width="35%" />
            <Skeleton height={36} width={190} radius="xl" mt={4} />
          </div>
        </Surface>
      </Repeat>
    </Stack>
  );
}

interface NoBidsProps {
  readonly tab: BidsTab;
  readonly onlyOpen: boolean;
  readonly onShowAll: () => void;
}

function NoBids({ tab, onlyOpen, onShowAll }: NoBidsProps) {
  if (onlyOpen) {
    return (
      <EmptyState
        title={t`No open bids`}
        text={t`No bid needs an answer or a payment right now.`}
        drawing={<SearchDrawing />}
        action={
          <Button onClick={onShowAll}>
            <Trans>Show all bids</Trans>
          </Button>
        }
      />
    );
  }
  return tab === 'placed' ? (
    <EmptyState
      title={t`You have not bid on anything yet`}
      text={t`Find a coupon you would use and say what it is worth to you.`}
      action={
        <Button component={Link} to={paths.home}>
          <Trans>Browse Coupons</Trans>
        </Button>
      }
    />
  ) : (
    <EmptyState
      title={t`No one has bid on your coupons yet`}
      text={t`The more coupons you list, the more bids you can get.`}
      action={
        <Button component={Link} to={paths.addCoupon}>
          <Trans>Add a Coupon</Trans>
        </Button>
      }
    />
  );
}
