import { SegmentedControl, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Bid } from '#contract/bids.ts';
import { useAddress, usePage } from '#web/lib/address.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { BidActDialog, type BidActRequest } from './bid-act-dialog.tsx';
import { detailsButtonId } from './bid-cards.tsx';
import { BidDetailDialog, NEXT_STEP_ID } from './bid-detail.tsx';
import { BidList } from './bid-list.tsx';
import classes from './bids.module.css';
import { CounterDialog } from './dialogs.ts';
import { BIDS_ADDRESS, useBids } from './queries.ts';
import type { BidAct } from './sides.ts';

interface BidsBrowserProps {
  readonly viewerId: number;
  /** The state of a bid's payment in a few words; the page passes it in from the payments feature. */
  readonly describePayment: (bid: Bid) => string | null;
  /** Renders the buyer protection of a paid bid; passed in from the payments feature. */
  readonly renderProtection: (bid: Bid) => ReactNode;
  /** Opens the messages of a bid; passed in from the messages feature. */
  readonly onMessages: (bid: Bid) => void;
  /** Renders the rating of the other party; passed in from the ratings feature. */
  readonly renderRating: (bid: Bid) => ReactNode;
}

const LIST_ID = 'bid-list';

/** The viewer's placed and received bids, and the details of one. The address holds the tab, the filter and the open bid. */
export function BidsBrowser(props: BidsBrowserProps) {
  const { viewerId, describePayment, renderProtection, onMessages, renderRating } = props;
  const [page, setPage] = usePage();
  const [{ tab, show, openId }, go] = useAddress(BIDS_ADDRESS);
  const onlyOpen = show === 'open';
  const query = useBids({ role: tab === 'placed' ? 'bidder' : 'owner', onlyOpen, page });
  const confirming = useDialog<BidActRequest>();

  const countering = useDialog<Bid>();
  const act = (bid: Bid, what: BidAct | 'counter') =>
    what === 'counter' ? countering.open(bid) : confirming.open({ bid, act: what });
  const refocus = ({ id }: Bid) => rescueFocus([NEXT_STEP_ID, detailsButtonId(id), LIST_ID]);
  const close = () => {
    go({ openId: null }, { replace: true });
    rescueFocus([...(typeof openId === 'number' ? [detailsButtonId(openId)] : []), LIST_ID]);
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
              viewerId={viewerId}
              describePayment={describePayment}
              onPage={setPage}
              onShowAll={() => go({ show: 'all' })}
              onOpen={({ id }) => go({ openId: id })}
              onAct={act}
              onMessages={onMessages}
            />
          </div>
        </Tabs.Panel>
      </Tabs>
      <BidDetailDialog
        id={openId}
        known={query.data?.items.find(({ id }) => id === openId)}
        viewerId={viewerId}
        renderProtection={renderProtection}
        renderRating={renderRating}
        onAct={act}
        onMessages={onMessages}
        onClose={close}
      />
      <BidActDialog
        opened={confirming.opened}
        request={confirming.subject}
        onClose={confirming.close}
        viewerId={viewerId}
        onDone={refocus}
      />
      <CounterDialog
        opened={countering.opened}
        bid={countering.subject}
        viewerId={viewerId}
        onClose={countering.close}
        onDone={refocus}
      />
    </>
  );
}
