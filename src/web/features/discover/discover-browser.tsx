import { Button, Tabs } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { MERCHANT_MAX } from '#contract/coupons.ts';
import { EmptyTableDrawing, SearchDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/error-state.tsx';
import { SearchBox } from '#web/components/search-box.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import { paths } from '#web/lib/paths.ts';
import { useIsBelow } from '#web/lib/screen.ts';
import classes from './discover.module.css';
import { changeAddress, type DiscoverAddress, readAddress } from './discover-address.ts';
import { DiscoverSkeleton, OfferGridSkeleton } from './discover-skeleton.tsx';
import { MerchantOffers } from './merchant-offers.tsx';
import { MerchantTabs, merchantOf, tabValue } from './merchant-tabs.tsx';
import { useMerchants } from './queries.ts';

/** Merchants, and the public codes of the one that the address names. */
export function DiscoverBrowser() {
  const [params, setParams] = useSearchParams();
  const address = readAddress(params);
  const { search } = address;
  const merchants = useMerchants(search);
  const isWide = !useIsBelow('sm');

  // Arrow keys choose tab after tab: Back leads past all of them.
  const go = (change: Partial<DiscoverAddress>, { replace } = { replace: true }) =>
    setParams((now) => changeAddress(now, change), { preventScrollReset: true, replace });

  if (!merchants.isLoaded && search === '' && !merchants.error) return <DiscoverSkeleton />;
  if (merchants.error && merchants.groups.length === 0) {
    return (
      <ErrorState
        title="The offers could not be read"
        message={readErrorText(merchants.error)}
        onRetry={merchants.retry}
        isRetrying={merchants.isFetching}
      />
    );
  }
  const selected = address.merchant ?? merchants.groups[0]?.merchant ?? null;
  if (merchants.isLoaded && search === '' && selected === null) return <NothingToDiscover />;

  return (
    <Tabs
      className={classes.browser}
      classNames={{ tabLabel: classes.label }}
      orientation={isWide ? 'vertical' : 'horizontal'}
      value={selected && tabValue(selected)}
      onChange={(value) => go({ merchant: value && merchantOf(value) })}
    >
      <div className={classes.side}>
        <SearchBox
          label="Search merchants"
          placeholder="Search merchants..."
          maxLength={MERCHANT_MAX}
          value={search}
          onSearch={(text) => go({ search: text })}
        />
        <MerchantTabs
          groups={merchants.groups}
          selected={selected}
          isLoading={!merchants.isLoaded}
          hasMore={merchants.hasMore}
          isCapped={merchants.isCapped}
          isFetching={merchants.isFetching}
          onMore={merchants.showMore}
        />
      </div>
      {selected === null && !merchants.isLoaded && <OfferGridSkeleton />}
      {selected === null && merchants.isLoaded && <NoMatch onReset={() => go({ search: '' })} />}
      {selected !== null && (
        <Tabs.Panel value={tabValue(selected)} className={classes.offers}>
          <MerchantOffers
            key={selected}
            merchant={selected}
            known={merchants.groups.find(({ merchant }) => merchant === selected)}
            page={address.page}
            onPage={(page) => go({ page }, { replace: false })}
          />
        </Tabs.Panel>
      )}
    </Tabs>
  );
}

function NothingToDiscover() {
  return (
    <EmptyState
      title="No offers to discover yet"
      text="Public codes come from merchants’ feeds that this site is set up to read. None has brought any so far. Meanwhile, see what people offer."
      drawing={<EmptyTableDrawing />}
      action={
        <Button component={Link} to={paths.home}>
          Browse Coupons
        </Button>
      }
    />
  );
}

function NoMatch({ onReset }: { onReset: () => void }) {
  return (
    <EmptyState
      title="No merchant of that name"
      text="Try a part of the name."
      drawing={<SearchDrawing />}
      action={
        <Button variant="default" onClick={onReset}>
          Show all merchants
        </Button>
      }
    />
  );
}
