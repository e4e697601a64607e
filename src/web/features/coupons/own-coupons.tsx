import { type ReactNode, useRef } from 'react';
import { defineAddress, plainText, useAddress } from '#web/lib/address.ts';
import classes from './coupon-browser.module.css';
import { CouponResults, useShowResults } from './coupon-results.tsx';
import { FILTERS_ADDRESS } from './filters.ts';
import { LinkedCoupon } from './linked-coupon.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { OwnerActions } from './owner-actions.tsx';
import { useOwnCoupons } from './queries.ts';
import { useOwnerDialogs } from './use-owner-dialogs.tsx';

const LINK = defineAddress({ coupon: plainText });

/** The viewer's own coupons, searched and sorted by the address, and on top of them the one that a link leads to. */
export function OwnCoupons({ addButton }: { addButton: ReactNode }) {
  const [filters, changeFilters] = useAddress(FILTERS_ADDRESS);
  const [{ coupon: linked }, link] = useAddress(LINK);
  const list = useOwnCoupons(filters);
  const count = useRef<HTMLHeadingElement>(null);
  const changeAndShow = useShowResults(count, changeFilters);

  const unlink = () => link({ coupon: '' }, { replace: true });
  const owner = useOwnerDialogs(({ id }) => {
    if (linked === String(id)) unlink();
    // Where the ticket was, there is nothing any more.
    count.current?.focus({ preventScroll: true });
  });

  return (
    <>
      {linked !== '' && (
        <LinkedCoupon
          key={linked}
          id={linked}
          onClose={unlink}
          renderActions={(coupon) => (
            <OwnerActions coupon={coupon} onEdit={owner.edit} onDelete={owner.remove} />
          )}
        />
      )}
      <div className={`${classes.results} ${classes.own}`}>
        <ListToolbar filters={filters} onChange={changeFilters} searchLabel="Search your coupons" />
        <CouponResults
          ref={count}
          query={list}
          filters={filters}
          onChange={changeFilters}
          onShow={changeAndShow}
          renderActions={(coupon) => (
            <OwnerActions coupon={coupon} onEdit={owner.edit} onDelete={owner.remove} isQuiet />
          )}
          addButton={addButton}
          noneText="Put a coupon on the table that you will not use, and ask for one that you will."
        />
      </div>
      {owner.dialogs}
    </>
  );
}
