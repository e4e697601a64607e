import { SegmentedControl, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Bid } from '#contract/bids.ts';
import { useAddress, usePage } from '#web/lib/address.ts';
import { detailsButtonId } from './bid-actions.tsx';
import { BidDetailDialog } from './bid-detail.tsx';
import { BidList } from './bid-list.tsx';
import classes from './bids.module.css';
import { BIDS_ADDRESS, useBids } from './queries.ts';

interface BidsBrowserProps {
  /** The state of a bid's payment in a few words; the page passes it in from the payments feature. */
  readonly describePayment: (bid: Bid) => string | null;
  /** Renders the buyer protection of a paid bid; passed in from the payments feature. */
  readonly renderProtection: (bid: Bid) => ReactNode;
  /** Renders the rating of the other party; passed in from the ratings feature. */
  readonly renderRating: (bid: Bid) => ReactNode;
}

const LIST_ID = 'bid-list';

/** The viewer's placed and received bids, and the details of one. The address holds the tab, the filter and the open bid. */
export function BidsBrowser(props: BidsBrowserProps) {
  const { describePayment, renderProtection, renderRating } = props;
  const [page, setPage] = usePage();
  const [{ tab, show, openId }, go] = useAddress(BIDS_ADDRESS);
  const onlyOpen = show === 'open';
  const query = useBids({ role: tab === 'placed' ? 'bidder' : 'owner', onlyOpen, page });
  const close = () => {
    go({ openId: null }, { replace: true });
  };

  return (
    <>
      <Tabs value={tab} onChange={(value) => go({ tab: value === 'received' ? 'received' : 'placed' })}>
        <div className={classes.toolbar}>
          <Tabs.List className={classes.tabs} aria-label="Which bids">
            <Tabs.Tab value="placed" className={classes.tab}>
              My Bids
            </Tabs.Tab>
            <Tabs.Tab value="received" className={classes.tab}>
              Received Bids
            </Tabs.Tab>
          </Tabs.List>
          <SegmentedControl
            className={classes.filter}
            aria-label="Which states"
            value={show}
            onChange={(value) => go({ show: value }, { replace: true })}
            data={[
              { value: 'all', label: 'All' },
              { value: 'open', label: 'Open' },
            ]}
          />
        </div>
        <Tabs.Panel value={tab}>
          <div id={LIST_ID} tabIndex={-1}>
            <BidList
              key={tab}
              query={query}
              tab={tab}
              onlyOpen={onlyOpen}
              page={page}
              describePayment={describePayment}
              onPage={setPage}
              onShowAll={() => go({ show: 'all' })}
              onOpen={({ id }) => go({ openId: id })}
            />
          </div>
        </Tabs.Panel>
      </Tabs>
      <BidDetailDialog
        id={openId}
        known={query.data?.items.find(({ id }) => id === openId)}
        renderProtection={renderProtection}
        renderRating={renderRating}
        focusAfter={[...(typeof openId === 'number' ? [detailsButtonId(openId)] : []), LIST_ID]}
        onClose={close}
      />
    </>
  );
}
