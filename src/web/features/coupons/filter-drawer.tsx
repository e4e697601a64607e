import { Button, Drawer } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { type CountedPage, couponCount } from './coupon-results.tsx';
import { FilterPanel, type FilterPanelProps } from './filter-panel.tsx';

interface FilterDrawerProps extends FilterPanelProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Undefined while it loads. */
  readonly page: CountedPage | undefined;
  readonly isFetching: boolean;
}

/** The filters on small screens. */
export function FilterDrawer({ opened, onClose, page, isFetching, ...filters }: FilterDrawerProps) {
  // Opens after the first render: otherwise it would not know which element had the focus.
  const isMounted = useMounted();
  return (
    <Drawer opened={opened && isMounted} onClose={onClose} closeOnEscape={false} title="Filters" size="22rem">
      <FilterPanel {...filters} />
      <Button fullWidth mt="sm" onClick={onClose} loading={isFetching}>
        {page ? `Show ${couponCount(page)}` : 'Show coupons'}
      </Button>
    </Drawer>
  );
}
