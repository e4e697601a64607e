import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '#contract/base/locale.ts';
import type { Filters } from '#contract/coupons/coupon-filters.ts';
import {
  COUPON_SORTS,
  FULL_SEARCH_MIN,
  MARKET_SORTS,
  type MarketSort,
  SHORT_SEARCH_REACH,
} from '#contract/coupons/sorts.ts';
import { SearchBox } from '#web/components/search-box.tsx';
import type { ChangeAddress } from '#web/lib/address.ts';
import classes from './coupon-list.module.css';

interface ListToolbarProps {
  readonly filters: Filters;
  readonly onChange: ChangeAddress<Filters>;
  readonly searchLabel: string;
  /** Whether it searches the market: it suggests merchants, has the order by price, and short terms search the newest coupons only. */
  readonly isMarket?: boolean;
  /** Opens the filters where they are not visible. */
  readonly filterButton?: ReactNode;
}

const SORT_NAMES: Record<MarketSort, string> = {
  newest: t`Newest`,
  oldest: t`Oldest`,
  'value-high': t`Value: high to low`,
  'value-low': t`Value: low to high`,
  expiry: t`Expiring soon`,
  reliable: t`Most reliable`,
  'price-low': t`Price: low to high`,
};
const choices = (sorts: readonly MarketSort[]) => sorts.map((value) => ({ value, label: SORT_NAMES[value] }));
const SORTS = choices(COUPON_SORTS);
const SORTS_OF_MARKET = choices(MARKET_SORTS);

/** The search and the order of a list of coupons. */
export function ListToolbar({ filters, onChange, searchLabel, isMarket, filterButton }: ListToolbarProps) {
  return (
    <search className={classes.bar}>
      <div className={classes.search}>
        <SearchBox
          label={searchLabel}
          value={filters.search}
          onSearch={(search, options) => onChange({ search }, options)}
          isClearable
          hasSuggestions={isMarket}
          hint={isMarket ? shortHint : undefined}
        />
      </div>
      {filterButton}
      <NativeSelect
        className={classes.sort}
        aria-label={t`Sort by`}
        data={isMarket ? SORTS_OF_MARKET : SORTS}
        value={filters.sort}
        onChange={(event) => {
          const sort = MARKET_SORTS.find((known) => known === event.currentTarget.value);
          if (sort) onChange({ sort });
        }}
      />
    </search>
  );
}

const SHORT_HINT = t`With one or two letters, we search only the newest ${formatNumber(SHORT_SEARCH_REACH)} coupons.`;

/** Says that short terms search the newest coupons only. */
function shortHint({ length }: string): string | undefined {
  return length > 0 && length < FULL_SEARCH_MIN
    ? t`${SHORT_HINT} Type ${FULL_SEARCH_MIN} or more to search them all.`
    : undefined;
}
