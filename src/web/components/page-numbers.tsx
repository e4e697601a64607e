import { t } from '@lingui/core/macro';
import { Group, Pagination } from '@mantine/core';
import type { Page, PageRef } from '#contract/base/primitives.ts';
import { useIsPhone } from '#web/lib/screen.ts';

export interface PageChoice {
  readonly page: PageRef;
  readonly pageSize: number;
  readonly onChange: (page: PageRef) => void;
  /** Names the page numbers for screen readers: 'Coupons'. */
  readonly label: string;
  /** Called when the pointer or the focus comes near the page numbers. */
  readonly onNearPages?: () => void;
}

export type PageNumbersProps = PageChoice & Omit<Page<unknown>, 'items'>;

/** Page numbers as far as rows are counted; beyond, the pages before and after. */
export function PageNumbers(props: PageNumbersProps) {
  const { page, pageSize, total, nextCursor, previousCursor, onChange, label, onNearPages } = props;
  const isNarrow = useIsPhone();
  const pages = Math.ceil(total / pageSize);
  const isNumbered = typeof page === 'number';
  const go = (to: PageRef | null) => ({
    disabled: to === null,
    onClick: () => to !== null && onChange(to),
  });
  const number = isNumbered ? page : 0;
  return (
    <Pagination.Root
      total={Math.max(pages, number)}
      value={number}
      onChange={onChange}
      // Fits on one line of a phone, with buttons large enough for a finger.
      siblings={isNarrow ? 0 : 1}
      getItemProps={(item) => ({ 'aria-label': t`Page ${item}` })}
    >
      <Group
        justify="center"
        gap={isNarrow ? 3 : 8}
        component="nav"
        aria-label={t`${label} pages`}
        onPointerEnter={onNearPages}
        onFocus={onNearPages}
      >
        <Pagination.Previous
          aria-label={t`Previous page`}
          {...go(isNumbered ? (page > 1 ? page - 1 : null) : previousCursor)}
        />
        <Pagination.Items />
        <Pagination.Next
          aria-label={t`Next page`}
          {...go(isNumbered && page < pages ? page + 1 : nextCursor)}
        />
      </Group>
    </Pagination.Root>
  );
}
