import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Paper, Title } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { type Filters, toFilterInput, toListInput } from '#contract/coupons/coupon-filters.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { lazyWithPreload } from '#web/components/on-demand.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { useCoupons } from '#web/coupons/core/queries.ts';
import type { ChangeAddress } from '#web/lib/address.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useIsBelow } from '#web/lib/screen.ts';
import { trpc } from '#web/lib/trpc.ts';
import { type ActiveFilter, activeFilters } from './active-filters.ts';
import classes from './coupon-list.module.css';
import { CouponResults, useShowResults } from './coupon-results.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { useWantButton } from './want-button.tsx';

const FilterPanel = lazyWithPreload(async () => (await import('./filters.tsx')).FilterPanel);
const SearchHelp = lazyWithPreload(async () => (await import('./search-help.tsx')).SearchHelp);

interface CouponBrowserProps {
  readonly filters: Filters;
  readonly onChange: ChangeAddress<Filters>;
  readonly renderActions: (coupon: Coupon) => ReactNode;
  /** The next step when nothing is listed at all. */
  readonly addButton: ReactNode;
}

/** The marketplace: filters, search, order, and the listed coupons. The address holds the whole state. */
export function CouponBrowser({ filters, onChange, renderActions, addButton }: CouponBrowserProps) {
  const isWide = !useIsBelow('sm');
  const list = useCoupons(filters);
  const next = list.data?.nextCursor;
  const utils = trpc.useUtils();
  const count = useRef<HTMLHeadingElement>(null);
  const changeAndShow = useShowResults(count, onChange);
  const active = activeFilters(filters);
  const want = useWantButton(filters);
  const { data: counted } = trpc.search.count.useQuery(toFilterInput(filters), {
    enabled: list.data?.totalIsCapped === true,
    staleTime: 'static',
  });

  return (
    <div className={classes.layout}>
      <Paper
        component="aside"
        className={classes.side}
        aria-label={t`Filters`}
        radius="lg"
        withBorder
        visibleFrom="sm"
      >
        <Title order={2} size="h4" mb="md">
          <Trans>Filters</Trans>
        </Title>
        {isWide && <FilterPanel filters={filters} onChange={onChange} />}
      </Paper>
      <div className={classes.results}>
        <ListToolbar
          filters={filters}
          onChange={onChange}
          searchLabel={t`Search coupons`}
          isMarket
          filterButton={
            <Button
              variant="default"
              radius="md"
              leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden="true" />}
              onClick={() => openDialog('filters')}
              hiddenFrom="sm"
            >
              {active.length === 0 ? t`Filters` : t`Filters (${active.length})`}
            </Button>
          }
        />
        <FilterChips active={active} onRemove={changeAndShow} />
        <CouponResults
          ref={count}
          query={list}
          filters={filters}
          onChange={onChange}
          onShow={changeAndShow}
          onNearPages={() =>
            next && void utils.coupons.list.prefetch(toListInput({ ...filters, page: next }))
          }
          renderActions={renderActions}
          addButton={addButton}
          wantButton={want}
          help={filters.search !== '' && <SearchHelp search={filters.search} onShow={changeAndShow} />}
          counted={counted}
          noneText={t`Be the first to list a coupon.`}
        />
      </div>
    </div>
  );
}

interface FilterChipsProps {
  readonly active: readonly ActiveFilter[];
  readonly onRemove: (change: Partial<Filters>) => void;
}

function FilterChips({ active, onRemove }: FilterChipsProps) {
  if (active.length === 0) return null;
  return (
    <PlainList className={classes.filters} gap={8} aria-label={t`Active filters`}>
      {active.map(({ label, without }) => (
        <li key={label}>
          <button
            type="button"
            className={classes.filter}
            aria-label={t`Remove filter: ${label}`}
            onClick={() => onRemove(without)}
          >
            {label}
            <IconX size={14} aria-hidden="true" />
          </button>
        </li>
      ))}
    </PlainList>
  );
}
