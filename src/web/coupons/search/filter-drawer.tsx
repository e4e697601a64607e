import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { FILTERS_ADDRESS } from '#contract/coupons/coupon-filters.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { countText } from '#web/components/paged-list.tsx';
import { useCoupons } from '#web/coupons/core/queries.ts';
import { useAddress } from '#web/lib/address.ts';
import { useIsBelow } from '#web/lib/screen.ts';
import { FilterPanel } from './filters.tsx';

/** The filters in the address, on small screens. */
export function Component({ onClose }: { onClose: () => void }) {
  const [filters, change] = useAddress(FILTERS_ADDRESS);
  const { data, isFetching } = useCoupons(filters);
  const isWide = !useIsBelow('sm');
  // A wide page shows the filters itself.
  useEffect(() => {
    if (isWide) onClose();
  }, [isWide, onClose]);
  return (
    <Dialog title={t`Filters`} size="22rem" isDrawer>
      <FilterPanel filters={filters} onChange={change} />
      <Button fullWidth mt="sm" onClick={onClose} loading={isFetching}>
        {data
          ? plural(data.total, {
              one: `Show ${countText(data)} coupon`,
              other: `Show ${countText(data)} coupons`,
            })
          : t`Show coupons`}
      </Button>
    </Dialog>
  );
}
