import { CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { SEARCH_MAX } from '#contract/bounds.ts';
import {
  COUPON_SORTS,
  type CouponSort,
  FULL_SEARCH_MIN,
  SHORT_SEARCH_REACH,
} from '#contract/coupon-facts.ts';
import type { Filters } from '#contract/coupon-filters.ts';
import type { ChangeAddress } from '#web/lib/address.ts';
import classes from './coupon-list.module.css';
import { useDraft } from './use-draft.ts';

interface ListToolbarProps {
  readonly filters: Filters;
  readonly onChange: ChangeAddress<Filters>;
  readonly searchLabel: string;
  readonly isShortLimited?: boolean;
  /** Opens the filters where they are not visible. */
  readonly filterButton?: ReactNode;
}

const SORT_NAMES: Record<CouponSort, string> = {
  newest: 'Newest',
  oldest: 'Oldest',
  'value-high': 'Value: high to low',
  'value-low': 'Value: low to high',
  expiry: 'Expiring soon',
};
const SORTS = COUPON_SORTS.map((value) => ({ value, label: SORT_NAMES[value] }));

/** The search and the order of a list of coupons. */
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

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: ChangeAddress<Filters>;
  /** Shows that short terms search the newest coupons. */
  readonly isShortLimited?: boolean;
}

const SHORT_HINT = `With one or two letters, we search only the newest ${SHORT_SEARCH_REACH.toLocaleString('en')} coupons.`;

/** Searches when the typing pauses. */
function SearchField({ label, value, onChange, isShortLimited }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const field = useDraft({
    value,
    normalise: (text) => text.trim(),
    onCommit: (search, options) => onChange({ search }, options),
  });
  const length = field.draft.trim().length;
  const isShort = isShortLimited && length > 0 && length < FULL_SEARCH_MIN;
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={`${label}...`}
      maxLength={SEARCH_MAX}
      leftSection={<IconSearch size={18} aria-hidden="true" />}
      value={field.draft}
      onChange={(event) => field.type(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && field.commitNow()}
      onBlur={field.onBlur}
      inputWrapperOrder={['label', 'input', 'description']}
      description={isShort ? `${SHORT_HINT} Type ${FULL_SEARCH_MIN} or more to search them all.` : undefined}
      rightSection={
        field.draft !== '' && (
          <CloseButton
            aria-label="Clear search"
            onClick={() => {
              field.clear();
              input.current?.focus();
            }}
          />
        )
      }
    />
  );
}
