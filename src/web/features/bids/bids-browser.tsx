import { SegmentedControl, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Bid } from '#contract/bids.ts';
import { useAddress, usePageNumber } from '#web/lib/address.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { BidActDialog, type BidActRequest } from './bid-act-dialog.tsx';
import { detailsButtonId } from './bid-cards.tsx';
import { BidDetailDialog, NEXT_STEP_ID } from './bid-detail.tsx';
import { BidList } from './bid-list.tsx';
import classes from './bids.module.css';
import { BIDS_ADDRESS, PAGE_SIZE, useBids } from './queries.ts';

interface BidsBrowserProps {
  readonly viewerId: number;
  /** How a bid's payment stands, in a few words: another domain's to say. */
  readonly describePayment: (bid: Bid) => string | null;
  /** What protects both sides of a paid bid: another domain's to show. */
  readonly renderProtection: (bid: Bid) => ReactNode;
  /** Opens what the parties of a bid write to each other: another domain's to show. */
  readonly onMessages: (bid: Bid) => void;
  /** What a party can say of the other one once the bid is done: another domain's to show. */
  readonly renderRating: (bid: Bid) => ReactNode;
}

const LIST_ID = 'bid-list';

/** Everything the viewer bids and is bid, and the one bid that is open. The address says which. */
export function BidsBrowser(props: BidsBrowserProps) {
  const { viewerId, describePayment, renderProtection, onMessages, renderRating } = props;
  const [page, setPage] = usePageNumber(PAGE_SIZE);
  const [{ tab, show, openId }, go] = useAddress(BIDS_ADDRESS);
  const onlyOpen = show === 'open';
  const query = useBids({ role: tab === 'placed' ? 'bidder' : 'owner', onlyOpen, page });
  const confirming = useDialog<BidActRequest>();

  const act = (bid: Bid, what: BidActRequest['act']) => confirming.open({ bid, act: what });
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
        onDone={({ id }) => rescueFocus([NEXT_STEP_ID, detailsButtonId(id), LIST_ID])}
      />
    </>
  );
}
