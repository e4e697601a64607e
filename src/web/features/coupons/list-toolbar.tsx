import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { COUPON_SORTS } from '#contract/coupons.ts';
import { type ChangeFilters, type Filters, SORT_NAMES } from './filters.ts';
import classes from './list-toolbar.module.css';
import { SearchField } from './search-field.tsx';

interface ListToolbarProps {
  readonly filters: Filters;
  readonly onChange: ChangeFilters;
  readonly searchLabel: string;
  readonly isShortLimited?: boolean;
  /** The button that opens the filters, where they are not in sight. */
  readonly filterButton?: ReactNode;
}

const SORTS = COUPON_SORTS.map((value) => ({ value, label: SORT_NAMES[value] }));

/** Search and order of a list of coupons. */
export function ListToolbar({
  filters,
  onChange,
  searchLabel,
  isShortLimited,
  filterButton,
}: ListToolbarProps) {
  return (
    <search className={classes.bar}>
      <div className={classes.search}>
        <SearchField
          label={searchLabel}
          value={filters.search}
          onChange={onChange}
          isShortLimited={isShortLimited}
        />
      </div>
      {filterButton}
      <NativeSelect
        className={classes.sort}
        aria-label="Sort by"
        data={SORTS}
        value={filters.sort}
        onChange={(event) => {
          const sort = COUPON_SORTS.find((known) => known === event.currentTarget.value);
          if (sort) onChange({ sort });
        }}
      />
    </search>
  );
}
