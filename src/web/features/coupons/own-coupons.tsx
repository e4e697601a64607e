import type { ReactNode, RefObject } from 'react';
import type { Coupon } from '#contract/coupons.ts';
import classes from './coupon-browser.module.css';
import { CouponResults, useShowResults } from './coupon-results.tsx';
import type { Filters } from './filters.ts';
import { ListToolbar } from './list-toolbar.tsx';
import { useOwnCoupons } from './queries.ts';
import type { ChangeFilters } from './use-address.ts';

interface OwnCouponsProps {
  /** The count above the tickets, for the focus of whoever has just deleted one of them. */
  readonly countRef: RefObject<HTMLHeadingElement | null>;
  readonly filters: Filters;
  readonly onChange: ChangeFilters;
  readonly renderActions: (coupon: Coupon) => ReactNode;
  readonly addButton: ReactNode;
}

/** The viewer's own coupons, searched and sorted by the address. */
export function OwnCoupons(props: OwnCouponsProps) {
  const { countRef, filters, onChange, renderActions, addButton } = props;
  const list = useOwnCoupons(filters);
  const changeAndShow = useShowResults(countRef, onChange);
  return (
    <div className={`${classes.results} ${classes.own}`}>
      <ListToolbar filters={filters} onChange={onChange} searchLabel="Search your coupons" />
      <CouponResults
        ref={countRef}
        list={list}
        filters={filters}
        onChange={onChange}
        onShow={changeAndShow}
        renderActions={renderActions}
        addButton={addButton}
        noneText="Put a coupon on the table that you will not use, and ask for one that you will."
      />
    </div>
  );
}
