import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Coupon } from '#contract/coupons.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { AddCouponButton } from '#web/features/coupons/add-coupon-button.tsx';
import { CouponDialog } from '#web/features/coupons/coupon-dialog.tsx';
import { LinkedCoupon } from '#web/features/coupons/linked-coupon.tsx';
import { OwnCoupons } from '#web/features/coupons/own-coupons.tsx';
import { OwnerActions } from '#web/features/coupons/owner-actions.tsx';
import { useFilters } from '#web/features/coupons/use-address.ts';
import { useOwnerDialogs } from '#web/features/coupons/use-owner-dialogs.tsx';
import { useOpener, without } from '#web/lib/use-opener.ts';

/** The viewer's own coupons: add, edit, delete, and look at a code. */
export function MyCouponsPage() {
  const [filters, changeFilters] = useFilters();
  const [params, setParams] = useSearchParams();
  const adding = useOpener('add');
  const count = useRef<HTMLHeadingElement>(null);
  const linked = params.get('coupon');

  const unlink = () =>
    setParams((now) => without(now, 'coupon'), { replace: true, preventScrollReset: true });
  const owner = useOwnerDialogs(({ id }) => {
    if (linked === String(id)) unlink();
    count.current?.focus({ preventScroll: true });
  });

  return (
    <PageShell
      title="My Coupons"
      text="What you have on the table. Your codes stay hidden until you look at them."
      action={<AddCouponButton onClick={adding.open} />}
    >
      {linked !== null && (
        <LinkedCoupon
          key={linked}
          id={linked}
          onClose={unlink}
          renderActions={(coupon) => (
            <OwnerActions coupon={coupon} onEdit={owner.edit} onDelete={owner.remove} />
          )}
        />
      )}
      <OwnCoupons
        countRef={count}
        filters={filters}
        onChange={changeFilters}
        renderActions={(coupon: Coupon) => (
          <OwnerActions coupon={coupon} onEdit={owner.edit} onDelete={owner.remove} isQuiet />
        )}
        addButton={<AddCouponButton onClick={adding.open} />}
      />
      <CouponDialog opened={adding.isOpen} onClose={adding.close} />
      {owner.dialogs}
    </PageShell>
  );
}
