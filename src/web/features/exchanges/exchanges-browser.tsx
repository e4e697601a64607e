import { Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SEARCH_MAX } from '#contract/bounds.ts';
import { EXCHANGE_TABS, type Exchange, type ExchangeTab } from '#contract/exchanges.ts';
import { SearchBox } from '#web/components/search-box.tsx';
import { useAddress } from '#web/lib/address.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useIsBelow } from '#web/lib/screen.ts';
import { OUTCOME_ID } from './exchange-actions.tsx';
import { ExchangeDetailDialog, NEXT_STEP_ID } from './exchange-detail.tsx';
import { ExchangeList } from './exchange-list.tsx';
import { detailsButtonId } from './exchange-rows.tsx';
import classes from './exchanges.module.css';
import { EXCHANGES_ADDRESS, useExchanges } from './queries.ts';
import type { ExchangeAct } from './sides.ts';

const TAB_NAMES: Record<ExchangeTab, string> = {
  all: 'All',
  requested: 'Requested',
  received: 'Received',
  pending: 'Pending',
  completed: 'Completed',
};

const LIST_ID = 'exchange-list';

interface ExchangesBrowserProps {
  /** Renders what follows a completed exchange: claims and ratings. */
  readonly renderAftermath: (exchange: Exchange) => ReactNode;
}

/** The viewer's exchanges, and the details of one. The address holds the tab, the search and the open exchange. */
export function ExchangesBrowser(props: ExchangesBrowserProps) {
  const { renderAftermath } = props;
  const [address, go] = useAddress(EXCHANGES_ADDRESS);
  const query = useExchanges(address);
  const isWide = !useIsBelow('md');
  const [swappedId, setSwappedId] = useState<number | null>(null);

  const act = (exchange: Exchange, what: ExchangeAct) => {
    if (what === 'revise' || what === 'counter') {
      const onCountered = ({ id }: Exchange) => go({ openId: id }, { replace: true });
      openDialog('changeOffer', { exchange, act: what, onCountered });
    } else {
      const focusAfter = [OUTCOME_ID, NEXT_STEP_ID, detailsButtonId(exchange.id), LIST_ID];
      openDialog('actOnExchange', { exchange, act: what, onDone: done }, { focusAfter });
    }
  };
  const done = (exchange: Exchange) => {
    if (exchange.status !== 'completed') return;
    // The details show the swap as an animation, and a button for the next step.
    setSwappedId(exchange.id);
    if (address.openId === null) go({ openId: exchange.id });
  };
  const close = () => {
    setSwappedId(null);
    go({ openId: null }, { replace: true });
  };

  return (
    <>
      <Tabs
        value={address.tab}
        onChange={(value) => go({ tab: EXCHANGE_TABS.find((known) => known === value) })}
      >
        <div className={classes.toolbar}>
          <Tabs.List className={classes.tabs} aria-label="Which exchanges">
            {EXCHANGE_TABS.map((tab) => (
              <Tabs.Tab key={tab} value={tab} className={classes.tab}>
                {TAB_NAMES[tab]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <SearchBox
            className={classes.search}
            label="Search exchanges"
            placeholder="Search exchanges..."
            maxLength={SEARCH_MAX}
            value={address.search}
            onSearch={(search) => go({ search }, { replace: true })}
          />
        </div>
        <Tabs.Panel value={address.tab}>
          <div id={LIST_ID} tabIndex={-1}>
            <ExchangeList
              query={query}
              address={address}
              isWide={isWide}
              onPage={(page) => go({ page })}
              onShowAll={() => go({ tab: 'all', search: '' })}
              onOpen={({ id }) => go({ openId: id })}
              onAct={act}
            />
          </div>
        </Tabs.Panel>
      </Tabs>
      <ExchangeDetailDialog
        id={address.openId}
        known={query.data?.items.find(({ id }) => id === address.openId)}
        hasJustSwapped={swappedId !== null && swappedId === address.openId}
        renderAftermath={renderAftermath}
        onAct={act}
        focusAfter={[
          ...(typeof address.openId === 'number' ? [detailsButtonId(address.openId)] : []),
          LIST_ID,
        ]}
        onClose={close}
      />
    </>
  );
}
