import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Skeleton, Tabs } from '@mantine/core';
import { Link } from 'react-router-dom';
import { DISCOVER_ADDRESS } from '#contract/base/first-answers.ts';
import { paths } from '#contract/base/pages.ts';
import { MERCHANT_MAX } from '#contract/coupons/limits.ts';
import { EmptyTableDrawing, SearchDrawing } from '#web/components/drawing.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/query-content.tsx';
import { SearchBox } from '#web/components/search-box.tsx';
import { useAddress } from '#web/lib/address.ts';
import { readErrorText } from '#web/lib/errors.ts';
import { useIsBelow } from '#web/lib/screen.ts';
import classes from './discover.module.css';
import { MerchantOffers, OfferGridSkeleton } from './merchant-offers.tsx';
import { MerchantTabs, MerchantTabsSkeleton, merchantOf, tabValue } from './merchant-tabs.tsx';
import { useMerchants } from './queries.ts';

/** Merchants, and the offers of the open one. */
export function DiscoverBrowser() {
  const [{ search, merchant, page }, change] = useAddress(DISCOVER_ADDRESS);
  const merchants = useMerchants(search);
  const isWide = !useIsBelow('sm');

  // Arrow keys open one tab after another; Back skips them all.
  const showMerchant = (name: string) => change({ merchant: name }, { replace: true });
  const find = (text: string) => change({ search: text, merchant: '' }, { replace: true });

  if (!merchants.isLoaded && search === '' && !merchants.error) return <DiscoverSkeleton />;
  if (merchants.error && merchants.groups.length === 0) {
    return (
      <ErrorState
        title={t`Error loading offers`}
        message={readErrorText(merchants.error)}
        onRetry={merchants.retry}
        isRetrying={merchants.isFetching}
      />
    );
  }
  const selected = merchant || (merchants.groups[0]?.merchant ?? null);
  if (merchants.isLoaded && search === '' && selected === null) return <NothingToDiscover />;

  return (
    <Tabs
      className={classes.browser}
      classNames={{ tabLabel: classes.label }}
      orientation={isWide ? 'vertical' : 'horizontal'}
      value={selected && tabValue(selected)}
      onChange={(value) => showMerchant(value ? merchantOf(value) : '')}
    >
      <div className={classes.side}>
        <SearchBox label={t`Search merchants`} maxLength={MERCHANT_MAX} value={search} onSearch={find} />
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
      {selected === null && merchants.isLoaded && <NoMatch onReset={() => find('')} />}
      {selected !== null && (
        <Tabs.Panel value={tabValue(selected)} miw={0}>
          <MerchantOffers
            key={selected}
            merchant={selected}
            known={merchants.groups.find((group) => group.merchant === selected)}
            page={page}
            onPage={(next) => change({ page: next })}
          />
        </Tabs.Panel>
      )}
    </Tabs>
  );
}

function NothingToDiscover() {
  return (
    <EmptyState
      title={t`No offers to discover yet`}
      text={t`Public codes come from merchants’ feeds, and none has brought any yet. Meanwhile, see what other members offer.`}
      drawing={<EmptyTableDrawing />}
      action={
        <Button component={Link} to={paths.home}>
          <Trans>Browse Coupons</Trans>
        </Button>
      }
    />
  );
}

function NoMatch({ onReset }: { onReset: () => void }) {
  return (
    <EmptyState
      title={t`No merchant with that name`}
      text={t`Try part of the name.`}
      drawing={<SearchDrawing />}
      action={
        <Button variant="default" onClick={onReset}>
          <Trans>Show all merchants</Trans>
        </Button>
      }
    />
  );
}

function DiscoverSkeleton() {
  return (
    <div className={classes.browser} aria-busy="true">
      <div className={classes.side}>
        <Skeleton height={36} />
        <MerchantTabsSkeleton />
      </div>
      <Box miw={0}>
        <div className={classes.head}>
          <Skeleton height={28} width={220} />
          <Skeleton height={36} width={130} radius="xl" />
        </div>
        <OfferGridSkeleton />
      </Box>
    </div>
  );
}
